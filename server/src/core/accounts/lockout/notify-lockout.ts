/** The job that tells owners of a lockout, where nobody can measure whether there is such an account. */
import { z } from 'zod'
import { type JobHandlers, defineJob } from '../../../platform/jobs/types.ts'
import type { AccountNotices } from '../notices/notices.ts'

export const lockoutNoticeJob = 'accounts.guessed-password'

/** `accountId`: null for a name that nobody has. */
const Payload = z.strictObject({ accountId: z.string().nullable() })

export const lockoutNoticeJobs = (notices: AccountNotices): JobHandlers => {
  const handler = defineJob({
    payload: Payload,
    attempts: 5,
    timeoutMs: 60_000,
    priority: 'high',
    async run({ accountId }) {
      if (accountId !== null) await notices(accountId, 'password-guessed')
    },
  })
  return { [lockoutNoticeJob]: handler }
}
