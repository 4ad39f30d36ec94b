/** Groups and who is in them. A group that a directory or a provider keeps is only looked at. */
import type { userAdministration } from '@atrium/contract/user-administration'
import type { Handlers } from '../../platform/http/area.ts'
import { audited, type Deed } from './audited.ts'
import type { Room } from './index.ts'

type Names = 'groups' | 'addGroup' | 'renameGroup' | 'removeGroup' | 'members' | 'addMember' | 'removeMember'

export const groupHandlers = (room: Room): Pick<Handlers<typeof userAdministration>, Names> => {
  const { groups, audit } = room
  const deed = (action: Deed['action'], id: string, details?: Deed['details']): Deed => ({
    ...{ action, target: { type: 'group', id } },
    ...(details ? { details } : {}),
  })
  return {
    groups: ({ query }) => groups.list(query.limit, query.cursor),
    async addGroup({ body }, context) {
      const group = await groups.add(body.name, body.description)
      await audited(audit, context, deed('group.create', group.id), async () => undefined)
      return group
    },
    renameGroup: ({ params, body }, context) =>
      audited(audit, context, deed('group.update', params.id, { fields: Object.keys(body) }), () =>
        groups.rename(params.id, body.name, body.description),
      ),
    async removeGroup({ params }, context) {
      await audited(audit, context, deed('group.delete', params.id), () => groups.remove(params.id))
      return {}
    },
    members: ({ params, query }) => groups.members(params.id, query.limit, query.cursor),
    async addMember({ params: { id, accountId } }, context) {
      await audited(audit, context, deed('group.member-add', id, { accountId }), () => groups.addMember(id, accountId))
      return {}
    },
    async removeMember({ params: { id, accountId } }, context) {
      await audited(audit, context, deed('group.member-remove', id, { accountId }), () =>
        groups.removeMember(id, accountId),
      )
      return {}
    },
  }
}
