import { automationsRoutes } from '@atrium/contract/automations'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/query.ts'
import { useText } from 'virtual:words/automations'
import './changes.ts'

/** A mark while there are runs whose end was not seen. */
export function RailBadge() {
  const t = useText('automations')
  const { unseenCount = 0 } = useQuery(queryOf(automationsRoutes.summary, { query: {} })).data ?? {}
  if (unseenCount === 0) return null
  return (
    <span className="absolute -end-0.5 -top-0.5 size-2 rounded-full bg-accent">
      <span className="sr-only">{t('unseen', { count: unseenCount })}</span>
    </span>
  )
}
