/**
 * The job that tells the owner of an address that somebody asked for an account with it. The answer to a sign-up is the
 * same whether an address is in use or not; this is where the difference is told, to those who may know it.
 */
import { z } from 'zod'
import { createCache } from '../../../platform/cache/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type JobHandlers, defineJob } from '../../../platform/jobs/types.ts'
import type { AccountNotices } from '../notices/notices.ts'

export const addressInUseJob = 'accounts.address-in-use'

/** One letter a day is enough to know; nobody's box is filled by somebody who asks again and again. */
const quietMs = 24 * 3600_000
/** Where more owners are told in a day, one of them may hear twice. */
const mostRemembered = 1_000

/** `accountId`: whose address it is; null for an address that nobody has. */
const Payload = z.strictObject({ accountId: z.string().nullable() })

export const addressInUseJobs = (deps: { notices: AccountNotices; clock: Clock }): JobHandlers => {
  const told = createCache<true>({ max: mostRemembered, ttl: { ms: quietMs, clock: deps.clock } })
  const handler = defineJob({
    payload: Payload,
    attempts: 5,
    timeoutMs: 60_000,
    priority: 'high',
    async run({ accountId }) {
      if (accountId === null || told.get(accountId)) return
      await deps.notices(accountId, 'address-in-use')
      told.set(accountId, true)
    },
  })
  return { [addressInUseJob]: handler }
}
