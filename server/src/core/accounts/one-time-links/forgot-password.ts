/** The job behind "forgot your password?": whether there is such an account is found out where nobody can measure it. */
import { languageCodes } from '@atrium/contract/languages'
import { z } from 'zod'
import { type JobHandlers, defineJob } from '../../../platform/jobs/types.ts'
import { noPassword } from '../password/hashing.ts'
import { linkLifetimes, linkTo, liveResets } from './rules.ts'
import type { LinkContext } from './context.ts'

export const forgotPasswordJob = 'accounts.forgotten-password'

const Payload = z.strictObject({
  login: z.string(),
  language: z.enum(languageCodes),
  requestId: z.string(),
  address: z.string(),
})

export const forgotPasswordJobs = (parts: LinkContext): JobHandlers => {
  const { store, links, mail, audit } = parts

  const run = async ({ login, language, requestId, address }: z.infer<typeof Payload>): Promise<void> => {
    const found = await store.findByLogin(login)
    const user = found ? await store.user(found.id) : null
    const base = (await mail.available()) ? await mail.address() : null
    const record = (reason: string | null) =>
      audit.record({
        action: 'auth.password.reset',
        actor: { kind: 'anonymous', accountId: null },
        requestId,
        address,
        target: { type: 'account', id: user?.id ?? null },
        result: reason ? 'failure' : 'success',
        details: { step: 'asked', ...(reason ? { reason } : {}) },
      })
    if (!user) return await record('unknown_account')
    if (base === null) return await record('mail_not_configured')
    if (user.status === 'disabled') return await record('account_disabled')
    // Who signs in through a provider or a directory is given no second way in by a mail.
    if (found?.phc === noPassword) return await record('no_password')
    if (!user.email) return await record('no_address')
    // Nobody's box is filled by somebody who asks again and again.
    if ((await links.count('reset', user.id)) >= liveResets) return await record('too_many')
    const { email } = user
    const made = { purpose: 'reset', accountId: user.id, createdBy: null } as const
    const { token } = await links.insert({ ...made, details: { email }, lifetimeMs: linkLifetimes.reset })
    await parts.accountMail.send(email, { kind: 'reset', link: linkTo('reset', token, base) }, user.id, language)
    await record(null)
  }

  const handler = defineJob({ payload: Payload, attempts: 5, timeoutMs: 60_000, priority: 'high', run })
  return { [forgotPasswordJob]: handler }
}
