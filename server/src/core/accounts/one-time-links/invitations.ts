/** What administrators hand out: invitations, and links with which somebody sets a new password. */
import type { User } from '@atrium/contract/authentication'
import type { Invitation } from '@atrium/contract/invitations'
import { type Audit, actorOf } from '../../../platform/audit/index.ts'
import type { Context } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { noPassword } from '../password/hashing.ts'
import { createDirectoryIds } from '../../sign-in-providers/provisioning/directory-ids.ts'
import { createAccountMail } from '../notices/notices.ts'
import { InviteDetails, lifetimes, linkTo, openInvitations } from './rules.ts'
import type { LiveLink } from './store.ts'
import type { LinkContext } from './types.ts'

export interface Invited {
  readonly email?: string | null | undefined
  readonly role: User['role']
  readonly groupIds: readonly string[]
  readonly expiresInDays: number
  readonly send: boolean
}
interface Page<T> {
  readonly items: T[]
  readonly nextCursor: string | null
}

export interface HandedLinks {
  /** The open invitations, newest first. Refuses with `bad_cursor`. */
  list(limit: number, cursor: string | undefined): Promise<Page<Invitation>>
  /**
   * Makes an invitation. `link` is null where it was mailed: then nobody but who reads mail there has it. Refuses with
   * `email_taken`, `group_not_found`, `mail_not_configured`, `invitation_limit`.
   */
  invite(invited: Invited, context: Context): Promise<{ invitation: Invitation; link: string | null; sent: boolean }>
  /** Refuses with `invitation_not_found`. */
  revoke(id: string, context: Context): Promise<void>
  /** A link for a new password, in place of earlier ones. Refuses with `user_not_found`, `own_account`, `directory_password`. */
  passwordLink(accountId: string, context: Context): Promise<{ link: string; expiresAt: string }>
}

export const createHandedLinks = (parts: LinkContext): HandedLinks => {
  const { links, store, groups, mail, audit, directory, notices } = parts
  const letters = createAccountMail(parts)
  const directoryIds = createDirectoryIds(parts)
  const record = (context: Context, entry: Omit<Parameters<Audit['record']>[0], 'actor'>) =>
    audit.record({ ...actorOf(context), ...entry })

  const present = async (items: readonly LiveLink[]): Promise<Invitation[]> => {
    const makers = await directory.names(items.flatMap(({ createdBy }) => createdBy ?? []))
    return await Promise.all(
      items.map(async ({ id, details, createdBy, createdAt, expiresAt }) => {
        // One that cannot be read stands here without what it gives, and can be taken back.
        const { email, role, groupIds } = InviteDetails.safeParse(details).data ?? unreadableInvitation
        const found = await Promise.all(groupIds.map((groupId) => groups.find(groupId)))
        return {
          id,
          email,
          role,
          groups: found.flatMap((group) => (group ? [{ id: group.id, name: group.name }] : [])),
          createdBy: { id: createdBy ?? '', name: makers.get(createdBy ?? '') ?? '' },
          createdAt: new Date(createdAt).toISOString(),
          expiresAt: new Date(expiresAt).toISOString(),
        }
      }),
    )
  }

  const isOfDirectory = async (accountId: string): Promise<boolean> =>
    (await store.credential(accountId)) === noPassword && (await directoryIds.of('ldap', accountId)) !== null

  return {
    async list(limit, cursor) {
      const { items, nextCursor } = await links.invitations(limit, cursor)
      return { items: await present(items), nextCursor }
    },

    async invite({ email = null, role, groupIds, expiresInDays, send }, context) {
      const base = await mail.address()
      if (send && email === null)
        throw fail('validation_failed', undefined, [{ path: 'body.email', message: 'say where to send it' }])
      if (send && (base === null || !(await mail.available()))) throw fail('mail_not_configured')
      if (email !== null) await store.requireFree(undefined, email)
      for (const groupId of groupIds) if (!(await groups.find(groupId))) throw fail('group_not_found')
      if ((await links.count('invite', null)) >= openInvitations) throw fail('invitation_limit')
      const maker = context.caller.accountId
      const details: InviteDetails = { email, role, groupIds: [...new Set(groupIds)], mailed: send }
      const { token, link } = await links.insert({
        purpose: 'invite',
        accountId: null,
        details,
        createdBy: maker,
        lifetimeMs: expiresInDays * 24 * 3600_000,
      })
      const address = linkTo('invite', token, base)
      const invitation = (await present([link]))[0]
      if (!invitation) throw new Error('an invitation that was just made is not there')
      if (send && email !== null) {
        const letter = { kind: 'invite', link: address, by: invitation.createdBy.name, days: expiresInDays } as const
        // Nobody knows yet what the guest reads; the inviter's language is the best guess.
        await letters.send(email, letter, null, await parts.languageOf(maker))
      }
      await record(context, {
        action: 'user.invite',
        target: { type: 'invitation', id: link.id },
        details: { role, groups: details.groupIds, days: expiresInDays, sent: send },
      })
      return { invitation, link: send ? null : address, sent: send }
    },

    async revoke(id, context) {
      if (!(await links.revokeInvitation(id))) throw fail('invitation_not_found')
      const target = { type: 'invitation', id }
      await record(context, { action: 'user.invite', target, details: { step: 'revoked' } })
    },

    async passwordLink(accountId, context) {
      const user = await store.user(accountId)
      if (!user || user.status === 'disabled') throw fail('user_not_found')
      const refuse = async (reason: 'own_account' | 'directory_password') => {
        const target = { type: 'account', id: accountId }
        await record(context, { action: 'user.password-link', target, result: 'denied', details: { reason } })
        return fail(reason)
      }
      // The own password costs the present one, also for administrators.
      if (accountId === context.caller.accountId) throw await refuse('own_account')
      // Another password here would go on letting in who left the directory.
      if (await isOfDirectory(accountId)) throw await refuse('directory_password')
      await links.revokeOf(accountId, 'reset')
      const { token, link } = await links.insert({
        purpose: 'reset',
        accountId,
        details: { email: null },
        createdBy: context.caller.accountId,
        lifetimeMs: lifetimes['password-link'],
      })
      await record(context, { action: 'user.password-link', target: { type: 'account', id: accountId } })
      await notices(accountId, 'password-link')
      return {
        link: linkTo('reset', token, await mail.address()),
        expiresAt: new Date(link.expiresAt).toISOString(),
      }
    },
  }
}

const unreadableInvitation = { email: null, role: 'user', groupIds: [] } as const
