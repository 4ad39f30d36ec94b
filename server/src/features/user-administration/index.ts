/**
 * The accounts of the instance and their groups, for its administrators: list, approve, disable, turn down; put together.
 * It refuses to disable the last active administrator, and removes only accounts that were never approved.
 */
import { userAdministration as routes } from '@atrium/contract/user-administration'
import type { Accounts } from '../../core/accounts/index.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'

export const userAdministration = ({ administration, groups }: Pick<Accounts, 'administration' | 'groups'>): Area =>
  defineArea({
    name: 'user-administration',
    routes,
    handlers: {
      async list({ query }) {
        const { items, nextCursor } = await administration.list(query.limit, query.cursor)
        return { items: await groups.listed(items), nextCursor }
      },
      setStatus: ({ params, body }) => administration.setStatus(params.id, body.status),
      async reject({ params }) {
        await administration.reject(params.id)
        return {}
      },
      groups: ({ query }) => groups.list(query.limit, query.cursor),
      addGroup: ({ body }) => groups.add(body.name),
      renameGroup: ({ params, body }) => groups.rename(params.id, body.name),
      async removeGroup({ params }) {
        await groups.remove(params.id)
        return {}
      },
      members: ({ params, query }) => groups.members(params.id, query.limit, query.cursor),
      async addMember({ params }) {
        await groups.addMember(params.id, params.accountId)
        return {}
      },
      async removeMember({ params }) {
        await groups.removeMember(params.id, params.accountId)
        return {}
      },
    },
  })
