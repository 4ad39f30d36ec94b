/** The accounts of the instance, for its administrators. */
import { z } from 'zod'
import { User } from './authentication.ts'
import { Id, Nothing, PageQuery, page } from './common.ts'
import { routes } from './route.ts'

export const userAdministration = routes({
  list: {
    method: 'get',
    path: '/api/users',
    access: 'admin',
    summary: 'All accounts, oldest first',
    query: PageQuery,
    returns: page(User),
    errors: ['bad_cursor'],
  },
  setStatus: {
    method: 'put',
    path: '/api/users/{id}/status',
    access: 'admin',
    summary: 'Approve, disable or enable an account',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({ status: z.enum(['active', 'disabled']) }),
    returns: User,
    errors: ['user_not_found', 'last_administrator'],
  },
  reject: {
    method: 'delete',
    path: '/api/users/{id}/pending',
    access: 'admin',
    summary: 'Turn down an account that waits for approval; it is removed',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['user_not_found'],
  },
})
