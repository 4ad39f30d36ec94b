/**
 * Invitations and links for new passwords, as administrators hand them out. Whoever has a link acts; no password passes
 * through an administrator.
 */
import type { Invitation, invitationRoutes } from '@atrium/contract/user-administration'
import { type AuditEntry, actorOf } from '../../platform/audit/index.ts'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { UserAdministrationContext } from './context.ts'

/** So many invitations may be open at a time. */
const maxInvitations = 500

export const invitationHandlers = (areas: UserAdministrationContext): Handlers<typeof invitationRoutes> => {
  const { accounts, signInProviders, audit } = areas
  const { store, handedLinks } = accounts
  const record = (context: Context, entry: Omit<AuditEntry, 'actor'>) => audit.record({ ...actorOf(context), ...entry })

  const present = presentInvitations(areas)
  const inviteGuest = createInviteGuest(areas)

  return {
    async invitations({ query }) {
      const { items, nextCursor } = await handedLinks.invitations(query.limit, query.cursor)
      return { items: await present(items), nextCursor }
    },

    invite: ({ body }, context) => inviteGuest(body, context),

    async revokeInvitation({ params: { id } }, context) {
      if (!(await handedLinks.revokeInvitation(id))) throw fail('invitation_not_found')
      const target = { type: 'invitation', id }
      await record(context, { action: 'user.invite', target, details: { step: 'revoked' } })
      return {}
    },

    async passwordLink({ params: { id } }, context) {
      const user = await store.user(id)
      if (!user || user.status === 'disabled') throw fail('user_not_found')
      const target = { type: 'account', id }
      const refuse = async (reason: 'own_account' | 'directory_password') => {
        await record(context, { action: 'user.password-link', target, result: 'denied', details: { reason } })
        return fail(reason)
      }
      // The own password costs the present one, also for administrators.
      if (id === context.caller.accountId) throw await refuse('own_account')
      // Another password here would go on letting in who left the directory.
      if (await signInProviders.hasDirectoryPassword(id)) throw await refuse('directory_password')
      const { url, expiresAt } = await handedLinks.createPasswordLink(id, context.caller.accountId)
      await record(context, { action: 'user.password-link', target })
      await accounts.notices(id, 'password-link')
      return { link: url, expiresAt: new Date(expiresAt).toISOString() }
    },
  }
}

/** What an invitation says, and whether it is mailed. */
interface Guest {
  readonly email?: string | null | undefined
  readonly role: Invitation['role']
  readonly groupIds: readonly string[]
  readonly expiresInDays: number
  readonly send: boolean
}

/**
 * Makes an invitation; `link` is null where it was mailed: then nobody but who reads mail there has it. Refuses with
 * `email_taken`, `group_not_found`, `mail_not_configured`, `invitation_limit`.
 */
export const createInviteGuest = (areas: UserAdministrationContext) => {
  const { accounts, groups, audit } = areas
  const { store, handedLinks, accountMail } = accounts
  const present = presentInvitations(areas)

  return async ({ email = null, role, groupIds, expiresInDays, send }: Guest, context: Context) => {
    if (send && email === null)
      throw fail('validation_failed', undefined, [{ path: 'body.email', message: 'say where to send it' }])
    if (send && !(await accountMail.canSend())) throw fail('mail_not_configured')
    if (email !== null) await store.requireFree(undefined, email)
    for (const groupId of groupIds) if (!(await groups.find(groupId))) throw fail('group_not_found')
    if ((await handedLinks.countInvitations()) >= maxInvitations) throw fail('invitation_limit')
    const maker = context.caller.accountId
    const details = { email, role, groupIds: [...new Set(groupIds)], mailed: send }
    const made = await handedLinks.createInvitation(details, maker, expiresInDays)
    const [invitation] = await present([made.invitation])
    if (!invitation) throw new Error('an invitation that was just made is not there')
    if (send && email !== null) {
      const mail = { kind: 'invite', link: made.url, by: invitation.createdBy.name, days: expiresInDays } as const
      // Nobody knows yet what the guest reads; the inviter's language is the best guess.
      await accountMail.send(email, mail, null, await accountMail.languageOf(maker))
    }
    await audit.record({
      ...actorOf(context),
      action: 'user.invite',
      target: { type: 'invitation', id: invitation.id },
      details: { role, groups: details.groupIds, days: expiresInDays, sent: send },
    })
    return { invitation, link: send ? null : made.url, sent: send }
  }
}

/** Invitations as administrators see them. */
const presentInvitations =
  ({ accounts, groups }: Pick<UserAdministrationContext, 'accounts' | 'groups'>) =>
  async (
    open: Awaited<ReturnType<UserAdministrationContext['accounts']['handedLinks']['invitations']>>['items'],
  ): Promise<Invitation[]> => {
    const makers = await accounts.accountNames.names(open.flatMap(({ createdBy }) => createdBy ?? []))
    return await Promise.all(
      open.map(async ({ id, email, role, groupIds, createdBy, createdAt, expiresAt }) => {
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
