import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { useText } from 'virtual:words/user-administration'

/** How many wait to be let in, beside the name of the section. */
export function WaitingBadge() {
  const t = useText('user-administration')
  const { data } = useQuery({ ...queryOf(userAdministrationRoutes.pending), staleTime: 60_000 })
  if (!data?.count) return null
  return (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent">
      <span aria-hidden>{data.count}</span>
      <span className="sr-only">{t('waiting.count', { count: data.count })}</span>
    </span>
  )
}
