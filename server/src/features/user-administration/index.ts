/**
 * The accounts of the instance, for its administrators: list, approve, disable, turn down.
 * It refuses to disable the last active administrator, and removes only accounts that were never approved.
 */
import { userAdministration as routes } from '@atrium/contract/user-administration'
import type { Accounts } from '../../core/accounts/index.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'

export const userAdministration = ({ administration }: Pick<Accounts, 'administration'>): Area =>
  defineArea({
    name: 'user-administration',
    routes,
    handlers: {
      list: ({ query }) => administration.list(query.limit, query.cursor),
      setStatus: ({ params, body }) => administration.setStatus(params.id, body.status),
      async reject({ params }) {
        await administration.reject(params.id)
        return {}
      },
    },
  })
