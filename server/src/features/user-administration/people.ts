/** Accounts: found, made, let in, changed, one by one and many at a time. */
import type { BulkAction, userAdministration } from '@atrium/contract/user-administration'
import { actorOf } from '../../platform/audit/index.ts'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { Refusal, fail } from '../../platform/http/refusal.ts'
import { audited, type Deed, refusalsOf } from './audited.ts'
import type { Room } from './index.ts'

type Names = 'list' | 'pending' | 'read' | 'create' | 'update' | 'approve' | 'setStatus' | 'reject' | 'bulk'

export const peopleHandlers = (room: Room): Pick<Handlers<typeof userAdministration>, Names> => {
  const { administration, groups, audit } = room
  const account = (action: Deed['action'], id: string | null): Deed => ({ action, target: { type: 'account', id } })

  /** One account of a bulk action. */
  const one = async (action: BulkAction, id: string, groupId: string, context: Context): Promise<void> => {
    const who = actorOf(context)
    const member = (added: boolean): Deed => ({
      action: added ? 'group.member-add' : 'group.member-remove',
      target: { type: 'group', id: groupId },
      details: { accountId: id },
    })
    if (action === 'approve')
      await refusalsOf(audit, context, account('user.approve', id), () => administration.approve(id, who))
    else if (action === 'add-to-group') await audited(audit, context, member(true), () => groups.addMember(groupId, id))
    else if (action === 'remove-from-group')
      await audited(audit, context, member(false), () => groups.removeMember(groupId, id))
    else {
      const status = action === 'enable' ? 'active' : 'disabled'
      const deed = account(action === 'enable' ? 'user.enable' : 'user.disable', id)
      await refusalsOf(audit, context, deed, () => administration.setStatus(id, status, who))
    }
  }

  return {
    list: ({ query: { limit, cursor, ...wanted } }) => administration.page(wanted, limit, cursor),
    pending: () => administration.pending(),
    read: ({ params }) => administration.find(params.id),

    create: ({ body }, context) =>
      refusalsOf(audit, context, account('user.create', null), () => administration.create(body, actorOf(context))),

    update: ({ params, body }, context) => {
      const deed = account(body.role === undefined ? 'user.update' : 'user.role', params.id)
      return refusalsOf(audit, context, deed, () => administration.update(params.id, body, actorOf(context)))
    },

    approve: ({ params }, context) =>
      refusalsOf(audit, context, account('user.approve', params.id), () =>
        administration.approve(params.id, actorOf(context)),
      ),

    setStatus: ({ params, body }, context) => {
      const deed = account(body.status === 'active' ? 'user.enable' : 'user.disable', params.id)
      return refusalsOf(audit, context, deed, () => administration.setStatus(params.id, body.status, actorOf(context)))
    },

    async reject({ params }, context) {
      await refusalsOf(audit, context, account('user.reject', params.id), () =>
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
