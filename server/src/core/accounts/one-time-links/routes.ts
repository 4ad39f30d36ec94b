/** What guests do with one-time links: look at them, take an invitation, set a forgotten password, confirm an address. */

import type { accountsRoutes } from '@atrium/contract/accounts'
import { type AuditEntry, actorOf, recordRefusal } from '../../../platform/audit/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { requireStrong } from '../password/strength.ts'
import { requireOneScript } from '../people/username-store.ts'
import { forgotPasswordJob } from './forgot-password.ts'
import { acceptedLanguage } from '../notices/notices.ts'
import { InviteDetails, ResetDetails, VerifyDetails } from './rules.ts'
import type { LinkContext } from './context.ts'

export type LinkNames = 'checkLink' | 'acceptLink' | 'forgotPassword' | 'resetPassword' | 'verifyEmail'

export const linkHandlers = (parts: LinkContext): Pick<Handlers<typeof accountsRoutes>, LinkNames> => {
  const { store, links, clock, vault, audit, sessionStarter, revocations, sessionStore, extensions, notices } = parts

  /** The link, when it is for this. What is wrong with it is not told: used, late, revoked and invented are one. */
  const require = async <P extends string>(token: string, purpose: P) => {
    const link = await links.find(token)
    if (!link || link.purpose !== purpose) throw fail('link_invalid')
    return link
  }

  return {
    async checkLink({ body }) {
      const link = await links.find(body.token)
      if (!link) throw fail('link_invalid')
      const { purpose, createdBy } = link
      const expiresAt = new Date(link.expiresAt).toISOString()
      if (purpose !== 'invite') return { purpose, email: null, invitedBy: null, expiresAt }
      const maker = createdBy === null ? null : await store.user(createdBy)
      const { email } = InviteDetails.parse(link.details)
      return { purpose, email, invitedBy: maker && (maker.displayName ?? maker.username), expiresAt }
    },

    async acceptLink({ body }, context) {
      const entry: AuditEntry = { ...actorOf(context), action: 'user.create' }
      const { user, linkId } = await recordRefusal(audit, entry, async () => {
        const link = await require(body.token, 'invite')
        const { email, role, groupIds, mailed } = InviteDetails.parse(link.details)
        requireOneScript(body.username)
        requireStrong(body.password, { names: [body.username, email], baseUrl: parts.baseUrl })
        await store.requireFree(body.username, email)
        const credential = await parts.passwords.hash(body.password)
        const id = clock.id()
        const account = { id, username: body.username, email, credential, now: clock.now() }
        const made = await store
          .insert(
            { ...account, emailVerified: mailed && email !== null },
            () => ({ role, status: 'active' }),
            (trx) => links.claim(trx, link.id),
          )
          .catch(async (error: unknown) => {
            // The data key was made before the account turned out to be one too many.
            await vault.removeKeys(id)
            throw error
          })
        // A group may be gone since the invitation was made.
        await extensions.joinGroups(id, groupIds)
        return { user: made, linkId: link.id }
      })
      await audit.record({
        ...entry,
        actor: { kind: 'user', accountId: user.id },
        target: { type: 'account', id: user.id },
        details: { invitation: linkId, role: user.role },
      })
      return await sessionStarter.challengeOrStart(user, 'signup', context, null)
    },

    async forgotPassword({ body }, context) {
      const { requestId, address } = context
      const language = acceptedLanguage(context.header('accept-language'))
      // Whatever was asked, all that happens now is one row in the queue.
      await parts.enqueue(forgotPasswordJob, { login: body.login, language, requestId, address }, { accountId: null })
      return {}
    },

    async resetPassword({ body }, context) {
      const entry: AuditEntry = { ...actorOf(context), action: 'auth.password.reset' }
      const accountId = await recordRefusal(audit, entry, async () => {
        const link = await require(body.token, 'reset')
        const user = link.accountId ? await store.user(link.accountId) : null
        const { email } = ResetDetails.parse(link.details)
        // Whoever reads an earlier address may be somebody else by now.
        const isMisled = email !== null && email !== user?.email
        if (!user || user.status === 'disabled' || isMisled) throw fail('link_invalid')
        requireStrong(body.password, { names: [user.username, user.email], baseUrl: parts.baseUrl })
        const credential = await parts.passwords.hash(body.password)
        const now = clock.now()
        const { ended, revoked } = await store.setCredential(user.id, credential, now, async (trx) => {
          await links.claim(trx, link.id)
          await links.revokeOf(user.id, null, trx)
          // Whoever used the link has read mail at the address that it went to.
          const proven = email !== null && !user.emailVerified
          await store.dropPendingEmail(trx, user.id, proven ? now : null)
          // Whoever needs a link may have lost the account to somebody, who could have made a token.
          return {
            ended: await sessionStore.end(trx, user.id, 'all', now),
            revoked: await extensions.revokeCredentials(trx, user.id, now),
          }
        })
        await revocations.publish(user.id, [...ended, ...revoked.ids])
        await revoked.after(actorOf(context))
        return user.id
      })
      await audit.record({ ...entry, target: { type: 'account', id: accountId } })
      await parts.announce(accountId, { type: 'session-ended', data: {} })
      // Whoever had the link is no stranger: failed attempts of others do not lock this device.
      parts.devices.remember(accountId, context)
      await notices(accountId, 'password-reset')
      return {}
    },

    async verifyEmail({ body }, context) {
      const entry: AuditEntry = { ...actorOf(context), action: 'auth.email.verify' }
      const done = await recordRefusal(audit, entry, async () => {
        const link = await require(body.token, 'verify-email')
        const before = link.accountId ? await store.user(link.accountId) : null
        const { email } = VerifyDetails.parse(link.details)
        // The address may have been changed again, or the change taken back.
        if (!before || before.status === 'disabled' || (email !== before.pendingEmail && email !== before.email))
          throw fail('link_invalid')
        await store.setVerifiedEmail(before.id, email, clock.now(), async (trx) => {
          await links.claim(trx, link.id)
          await links.revokeOf(before.id, 'verify-email', trx)
        })
        return { accountId: before.id, old: email === before.email ? null : before.email }
      })
      await audit.record({ ...entry, target: { type: 'account', id: done.accountId } })
      if (done.old) await notices(done.accountId, 'email-changed', done.old)
      return {}
    },
  }
}
