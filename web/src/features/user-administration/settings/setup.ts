import { accountRoutes } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import type { SetupStep } from '../../../lib/settings.ts'

export const invitePeople: SetupStep = {
  id: 'people',
  order: 20,
  namespace: 'user-administration',
  to: links.settings('people'),
  useDone() {
    const { data } = useQuery(queryOf(accountRoutes.list, { query: { limit: 2 } }))
    return data && data.items.length > 1
  },
}
