/** Changes a job and tells of it, in one transaction: to who follows the job, and to the open pages of its account. */
import type { JobEvent } from '@atrium/contract/durable-jobs'
import type { AccountEvent } from '@atrium/contract/system'
import type { AnyTransaction, Database } from '../db/types.ts'
import type { EventLog } from '../events/types.ts'
import type { Vault } from '../vault/types.ts'
import { rowToJob } from './serialise.ts'
import type { JobRow } from './tables.ts'

/** Who hears of a change: those who follow the job, the account's pages, or both. */
export type Audience = 'followers' | 'pages' | 'both'

/** Gives what `work` gives: the changed row, or nothing when there was nothing to change. */
export type ChangeJob = (
  accountId: string | null,
  audience: Audience,
  work: (trx: AnyTransaction) => Promise<JobRow | undefined>,
) => Promise<JobRow | undefined>

export const jobStream = (id: string): string => `job:${id}`

export const createChange =
  ({ database, vault, events }: { database: Database; vault: Vault; events: EventLog }): ChangeJob =>
  async (accountId, audience, work) => {
    const keyring = await vault.keyring(accountId)
    const appender = await events.appender(accountId)
    const changed = await database.write(async (trx) => {
      const row = await work(trx)
      // Recurring jobs belong to nobody and never end; their streams would only grow.
      if (!row || row.interval_ms !== null) return row
      if (audience !== 'pages') {
        const close = row.finished_at !== null
        const event: JobEvent = { type: close ? 'ended' : 'progress', data: rowToJob(row, keyring) }
        await appender.append(trx, jobStream(row.id), event, { close })
      }
      if (audience !== 'followers' && accountId !== null) {
        const event: AccountEvent = { type: 'job-changed', data: { id: row.id } }
        await appender.append(trx, `account:${accountId}`, event)
      }
      return row
    })
    await appender.announce()
    return changed
  }
