/** What nobody needs any more, dropped once an hour by whichever process comes to it. */
import { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { EventLog } from '../platform/events/types.ts'
import type { Files } from '../platform/files/files.ts'
import type { JobHandler, JobHandlers, Jobs } from '../platform/jobs/types.ts'

export interface Housekeeping {
  readonly handlers: JobHandlers
  /** Has it done again and again; call it at every start. */
  begin(): Promise<void>
}

const hour = 60 * 60_000
const day = 24 * hour
const kind = 'house.tidy'

/** Events are kept a day (what they told is stored elsewhere), ended jobs a month, half-written files a day. */
export const createHousekeeping = (parts: {
  readonly clock: Clock
  readonly events: Pick<EventLog, 'prune'>
  readonly files: Pick<Files, 'sweep'>
  readonly jobs: Pick<Jobs, 'prune' | 'every'>
}): Housekeeping => {
  const tidy: JobHandler<Record<string, never>> = {
    payload: z.strictObject({}),
    attempts: 3,
    timeoutMs: hour / 2,
    async run() {
      const now = parts.clock.now()
      await parts.events.prune(now - day)
      await parts.jobs.prune(now - 30 * day)
      await parts.files.sweep(now - day)
    },
  }
  return {
    // Payloads are parsed before `run`, so a handler may stand in a list that forgets their types.
    handlers: { [kind]: tidy as unknown as JobHandler<never> },
    begin: () => parts.jobs.every(kind, {}, hour),
  }
}
