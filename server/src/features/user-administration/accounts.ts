/** Routes of accounts, for administrators: list, create, approve and change, one or many at a time. */
import type { BulkAction, accountRoutes } from '@atrium/contract/user-administration'
import { type AuditEntry, actorOf, recordOutcome, recordRefusal } from '../../platform/audit/index.ts'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { Refusal, fail } from '../../platform/http/refusal.ts'
import type { UserAdministrationContext } from './context.ts'

type Names = 'pending' | 'read' | 'create' | 'update' | 'approve' | 'setStatus' | 'reject' | 'bulk'

export const accountHandlers = (areas: UserAdministrationContext): Pick<Handlers<typeof accountRoutes>, Names> => {
  const { groups, audit } = areas
  const { administration } = areas.accounts
  const about = (context: Context, action: AuditEntry['action'], id: string | null): AuditEntry => ({
    ...actorOf(context),
    action,
    target: { type: 'account', id },
  })

  /** One account of a bulk action. */
  const one = async (action: BulkAction, id: string, groupId: string, context: Context): Promise<void> => {
    const who = actorOf(context)
    const member = (added: boolean): AuditEntry => ({
      ...who,
      action: added ? 'group.member-add' : 'group.member-remove',
      target: { type: 'group', id: groupId },
      details: { accountId: id },
    })
    if (action === 'approve')
      await recordRefusal(audit, about(context, 'user.approve', id), () => administration.approve(id, who))
    else if (action === 'add-to-group') await recordOutcome(audit, member(true), () => groups.addMember(groupId, id))
    else if (action === 'remove-from-group')
      await recordOutcome(audit, member(false), () => groups.removeMember(groupId, id))
    else {
      const status = action === 'enable' ? 'active' : 'disabled'
      const entry = about(context, action === 'enable' ? 'user.enable' : 'user.disable', id)
      await recordRefusal(audit, entry, () => administration.setStatus(id, status, who))
    }
  }

  return {
    pending: () => administration.pending(),
    read: ({ params }) => administration.find(params.id),

    create: ({ body }, context) =>
      recordRefusal(audit, about(context, 'user.create', null), () => administration.create(body, actorOf(context))),

    update: ({ params, body }, context) => {
      const entry = about(context, body.role === undefined ? 'user.update' : 'user.role', params.id)
      return recordRefusal(audit, entry, () => administration.update(params.id, body, actorOf(context)))
    },

    approve: ({ params }, context) =>
      recordRefusal(audit, about(context, 'user.approve', params.id), () =>
        administration.approve(params.id, actorOf(context)),
      ),

    setStatus: ({ params, body }, context) => {
      const entry = about(context, body.status === 'active' ? 'user.enable' : 'user.disable', params.id)
      return recordRefusal(audit, entry, () => administration.setStatus(params.id, body.status, actorOf(context)))
    },

    async reject({ params }, context) {
      await recordRefusal(audit, about(context, 'user.reject', params.id), () =>
        administration.reject(params.id, actorOf(context)),
      )
      return {}
    },

    async bulk({ body: { ids, action, groupId } }, context) {
      const isAboutGroup = action === 'add-to-group' || action === 'remove-from-group'
      if (isAboutGroup && groupId === undefined)
        throw fail('validation_failed', undefined, [{ path: 'body.groupId', message: 'say which group' }])
      if (isAboutGroup && !(await groups.find(groupId ?? ''))) throw fail('group_not_found')
      const items: { id: string; code: string | null }[] = []
      // One after the other: each is a transaction of its own, and one that is refused stops no other.
      for (const id of new Set(ids)) {
        try {
          await one(action, id, groupId ?? '', context)
          items.push({ id, code: null })
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          items.push({ id, code: error.code })
        }
      }
      return { items, nextCursor: null }
    },
  }
}
