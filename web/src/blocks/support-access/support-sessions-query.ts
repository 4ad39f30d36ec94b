/** The looks of administrators into what is one's own. */
import { accessRoutes } from '@atrium/contract/access'
import { queryOf } from '../../api/query.ts'

export const supportSessionsQuery = {
  ...queryOf(accessRoutes.breakGlass, { query: { limit: 50 } }),
  staleTime: 60_000,
}
