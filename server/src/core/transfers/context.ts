/** What the area needs of others, and what it gives to them. */
import type { ResourceType } from '@atrium/contract/resources'
import type { Platform } from '../../platform/platform.ts'
import type { Access, ResourceRef } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import type { TransferStore } from './store.ts'

export interface TransfersDeps
  extends Pick<Platform, 'announce' | 'audit' | 'clock' | 'database' | 'files' | 'jobs' | 'log' | 'vault'> {
  readonly access: Pick<Access, 'announceOwner' | 'announceReach' | 'listReachable' | 'listShares' | 'passOn'>
  readonly accounts: Pick<Accounts, 'accountNames' | 'user'>
  readonly notifications: Pick<Notifications, 'publisher'>
  readonly resources: Pick<ResourceRegistry, 'all' | 'shared' | 'transferable'>
}

export interface TransfersContext extends TransfersDeps {
  readonly store: TransferStore
}

/** What others lose when an account goes. */
export interface LostThings {
  readonly kind: ResourceType
  readonly count: number
  /** Some of them, by name; empty where names are nobody's business. */
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

export const announceTo = async (
  { announce }: Pick<TransfersDeps, 'announce'>,
  accountIds: readonly string[],
): Promise<void> => {
  for (const id of new Set(accountIds)) await announce(id, { type: 'transfers-changed', data: {} })
}

/** Whose a thing is and what it is called; null where it is not there, or in the trash. */
export const describeThing = async (
  { resources }: Pick<TransfersDeps, 'resources'>,
  { type, id }: ResourceRef,
): Promise<{ readonly accountId: string; readonly name: string } | null> =>
  (await resources.shared.get(type)?.describe([id]))?.get(id) ?? null
