/** What the ground floor tidies up once an hour: old events, ended jobs, files that were never finished. */
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { EventLog } from '../events/types.ts'
import type { Files } from '../files/files.ts'
import { type JobHandlers, type Jobs, defineJob } from './types.ts'

const hour = 3_600_000
const day = 24 * hour
/** How long each is kept: events for pages that come back, jobs for people who look what became of them. */
const kept = { events: day, jobs: 30 * day, unfinishedFiles: day }
const kind = 'house.tidy'

/** Hand `handlers` to `Jobs.start`, and call `begin` once at every start. */
export const createHousekeeping = (parts: {
  jobs: Pick<Jobs, 'every' | 'prune'>
  events: Pick<EventLog, 'prune'>
  files: Pick<Files, 'sweep'>
  clock: Clock
}): { handlers: JobHandlers; begin: () => Promise<void> } => {
  const { jobs, events, files, clock } = parts
  const tidy = defineJob({
    payload: z.strictObject({}),
    attempts: 3,
    priority: 'low',
    timeoutMs: hour / 2,
    run: async () => {
      await events.prune(clock.now() - kept.events)
      await jobs.prune(clock.now() - kept.jobs)
      await files.sweep(clock.now() - kept.unfinishedFiles)
    },
  })
  return { handlers: { [kind]: tidy }, begin: () => jobs.every(kind, {}, hour) }
}
