import { mailRoutes } from '@atrium/contract/mail'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import type { SetupStep } from '../../../lib/settings.ts'

export const connectMail: SetupStep = {
  id: 'mail',
  order: 50,
  namespace: 'mail',
  to: links.settings('email'),
  useDone() {
    const { data } = useQuery(queryOf(mailRoutes.settings))
    return data?.enabled
  },
}
