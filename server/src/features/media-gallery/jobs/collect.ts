/** What is done for media jobs that nobody looks after. */
import { z } from 'zod'
import { defineJob, type JobHandler } from '../../../platform/jobs/types.ts'
import { announceJob, type MediaJobContext } from './context.ts'
import { lookAtFilm } from './films.ts'
import { collectGapMs, keptMs, unpolledMs } from './rules.ts'

export const collectEveryMs = 60_000
const atOnce = 20
const sideBySide = 5

/**
 * Asks about films that nobody has asked about for a while, so that none is lost where its provider throws it away within
 * hours. What somebody polls is left alone.
 */
export const collectJob = (context: MediaJobContext): JobHandler =>
  defineJob({
    payload: z.strictObject({}),
    attempts: 1,
    timeoutMs: 10 * 60_000,
    atOnce: 1,
    outward: true,
    async run(_payload, { signal }) {
      const { store, clock, collects } = context
      await interruptOrphans(context)
      await store.prune(clock.now() - keptMs)
      if (!collects) return
      const now = clock.now()
      const due = (await store.toCollect(now, now - unpolledMs, atOnce)).values()
      const work = async (): Promise<void> => {
        for (const row of due) {
          if (signal.aborted) return
          const collected = row.collected + 1
          await store.change(row.id, { collected, collect_at: clock.now() + collectGapMs(collected) })
          await lookAtFilm(context, row)
        }
      }
      // A provider that says nothing holds up no film of another one, which may throw it away within minutes.
      await Promise.all(Array.from({ length: sideBySide }, work))
    },
  })

/** What a process that is gone was making stands as interrupted. It is not asked for again: it may have been paid for. */
export async function interruptOrphans(context: MediaJobContext): Promise<void> {
  const { store, running, database, processId, clock } = context
  const open = await store.inHand()
  const gone = new Map<string, boolean>()
  for (const row of open) {
    const owner = row.process_id
    if (owner === processId) {
      // An earlier run of this very process: what it makes now is known.
      if (running.has(row.id) || row.created_at > clock.now() - collectEveryMs * 2) continue
    } else {
      if (!gone.has(owner)) gone.set(owner, await database.isGone(owner))
      if (gone.get(owner) !== true) continue
    }
    if (!(await store.end(row.id, { status: 'failed', failure: 'interrupted' }, clock.now()))) continue
    await announceJob(context, { id: row.id, account_id: row.account_id, status: 'failed', progress: row.progress })
  }
}
