/** The jobs of the inbox: what was snoozed comes back, and what is old goes. */
import { z } from 'zod'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import { type PublisherDeps, createPublisher } from './publisher.ts'
import { createUpkeepStore } from './stores/upkeep.ts'

/** Those older than `ms` go, but for the newest `kept` of an account; and none has more than `most`. */
const retention = { ms: 90 * 24 * 3600_000, kept: 500, most: 5000 }

const wakeJob = 'notifications.wake'
const upkeepJob = 'notifications.upkeep'

/** Lists go by the time itself; a minute later at most the others are told. */
export const every = [
  [wakeJob, 60_000],
  [upkeepJob, 6 * 3600_000],
] as const

export const notificationJobs = (deps: PublisherDeps): JobHandlers => {
  const { clock, database } = deps
  const store = createUpkeepStore(deps)

  /** Ends snoozes that are over. */
  const wake = async (): Promise<void> => {
    for (;;) {
      const due = await store.dueSnoozes(clock.now())
      if (due.length === 0) return
      const publisher = await createPublisher(
        deps,
        due.map(({ accountId }) => accountId),
      )
      await database.write(async (trx) => {
        for (const one of due) await publisher.wake(trx, one)
      })
      await publisher.tell()
    }
  }

  const tidy = async (): Promise<void> => {
    const before = clock.now() - retention.ms
    for (let after = ''; ; ) {
      const accountIds = await store.accountsToTidy(after, before, retention.most)
      for (const id of accountIds) await store.tidy(id, before, retention.kept, retention.most)
      const last = accountIds.at(-1)
      if (last === undefined) return
      after = last
    }
  }

  const job = (run: () => Promise<void>) =>
    defineJob({ payload: z.strictObject({}), attempts: 3, timeoutMs: 600_000, run })
  return { [wakeJob]: job(wake), [upkeepJob]: job(tidy) }
}
