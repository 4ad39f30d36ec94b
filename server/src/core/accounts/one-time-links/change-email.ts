/** The own e-mail address: changed at once where no mail can be sent, else when the new one was confirmed. */
import type { User, accountsRoutes } from '@atrium/contract/accounts'
import { type Audit, actorOf } from '../../../platform/audit/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { plainName } from '../rules.ts'
import { linkLifetimes, linkTo, verificationsAnHour } from './rules.ts'
import type { LinkContext } from './context.ts'

export type EmailChangeNames = 'sendVerification' | 'cancelEmailChange'
type Asker = Parameters<typeof actorOf>[0]

export interface EmailChange {
  /** Whether an account would have another address, or none, afterwards: then its owner has to show that it is them. */
  isAnother(user: User, email: string | null): boolean
  /**
   * Changes the address of an account as its owner asks. Gives the account: with the new address, or with one that
   * waits. Refuses with `email_taken`.
   */
  change(user: User, email: string | null, asker: Asker): Promise<User>
  readonly handlers: Pick<Handlers<typeof accountsRoutes>, EmailChangeNames>
}

export const createEmailChange = (parts: LinkContext): EmailChange => {
  const { store, links, mail, clock, audit, notices } = parts

  /** Where links of mails lead; null when no mail can be sent. */
  const base = async () => ((await mail.available()) ? await mail.address() : null)

  const sendLink = async (user: User, email: string, address: string): Promise<void> => {
    const recent = await links.count('verify-email', user.id, clock.now() - 3600_000)
    if (recent >= verificationsAnHour)
      throw fail('rate_limited', 'Five of these e-mails were sent in the last hour. Try again later.')
    const made = { purpose: 'verify-email', accountId: user.id, createdBy: null } as const
    const { token } = await links.insert({ ...made, details: { email }, lifetimeMs: linkLifetimes['verify-email'] })
    const link = linkTo('verify-email', token, address)
    await parts.accountMail.send(email, { kind: 'verify', link, username: user.username }, user.id)
  }

  const required = (user: User | null): User => {
    if (!user) throw fail('unauthenticated')
    return user
  }
  const record = (user: User, asker: Asker, details: NonNullable<Parameters<Audit['record']>[0]['details']>) =>
    audit.record({
      ...actorOf(asker),
      action: 'auth.email.change',
      target: { type: 'account', id: user.id },
      details,
    })

  const isAnother = (user: User, email: string | null): boolean =>
    (email === null ? null : plainName(email)) !== (user.email === null ? null : plainName(user.email))

  return {
    isAnother,

    async change(user, email, asker) {
      if (!isAnother(user, email)) {
        if (user.pendingEmail === null) return user
        await record(user, asker, { step: 'cancelled' })
        return required(await store.setPendingEmail(user.id, null, clock.now()))
      }
      const address = email === null ? null : await base()
      if (email !== null && address !== null) {
        const waiting = required(await store.setPendingEmail(user.id, email, clock.now()))
        await sendLink(waiting, email, address)
        await record(user, asker, { step: 'asked' })
        return waiting
      }
      const changed = required(await store.update(user.id, { email }, clock.now()))
      await record(user, asker, { step: email === null ? 'removed' : 'done' })
      if (user.email) await notices(user.id, 'email-changed', user.email)
      return changed
    },

    handlers: {
      async sendVerification(_input, { caller }) {
        const user = required(await store.user(caller.accountId))
        const email = user.pendingEmail ?? (user.emailVerified ? null : user.email)
        if (!email) throw fail('nothing_to_verify')
        const address = await base()
        if (address === null) throw fail('mail_not_configured')
        await sendLink(user, email, address)
        return {}
      },

      async cancelEmailChange(_input, context) {
        const user = required(await store.user(context.caller.accountId))
        await links.revokeOf(user.id, 'verify-email')
        await record(user, context, { step: 'cancelled' })
        return required(await store.setPendingEmail(user.id, null, clock.now()))
      },
    },
  }
}
