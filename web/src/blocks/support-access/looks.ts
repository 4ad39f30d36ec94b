/** The looks of administrators into what is one's own. */
import { accessControl } from '@atrium/contract/access-control'
import { queryOf } from '../../api/query.ts'

export const looksQuery = { ...queryOf(accessControl.breakGlass, { query: { limit: 50 } }), staleTime: 60_000 }
