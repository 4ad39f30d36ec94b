import type { Transfer } from '@atrium/contract/transfers'
import type { ResourceType, Right } from '@atrium/contract/resources'
import type { Migration } from '../../platform/db/types.ts'

/** An offer of ownership. It is there until it is done or has ended: what became of it is in the audit. */
export interface TransferRow {
  id: string
  resource_type: ResourceType
  resource_id: string
  from_id: string
  to_id: string
  /** Who offers it: its owner, or an administrator for an account that is going to be deleted. */
  by_id: string
  keeps: Extract<Right, 'read' | 'write'> | null
  /** `sealing`: it has its new owner, and what is left is sealed with the new key. */
  state: 'offered' | 'accepted' | 'sealing'
  failure: Transfer['failure']
  created_at: number
  /** Integer milliseconds; an offer that nobody accepted ends then. */
  expires_at: number
}

export interface TransferTables {
  ownership_transfers: TransferRow
}

export const transferMigrations: readonly Migration[] = [
  {
    id: 'transfers/0001-transfers',
    up: ({ text, int }) => [
      `create table ownership_transfers (
        id ${text} primary key,
        resource_type ${text} not null,
        resource_id ${text} not null,
        from_id ${text} not null,
        to_id ${text} not null,
        by_id ${text} not null,
        keeps ${text},
        state ${text} not null,
        failure ${text},
        created_at ${int} not null,
        expires_at ${int} not null
      )`,
      `create unique index ownership_transfers_open on ownership_transfers (resource_type, resource_id)
        where state <> 'sealing'`,
      'create index ownership_transfers_from on ownership_transfers (from_id, created_at, id)',
      'create index ownership_transfers_to on ownership_transfers (to_id, created_at, id)',
      'create index ownership_transfers_by on ownership_transfers (by_id)',
      'create index ownership_transfers_end on ownership_transfers (expires_at)',
    ],
  },
]
