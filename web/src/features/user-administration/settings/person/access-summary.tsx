import { accessRoutes } from '@atrium/contract/access'
import type { ListedUser } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/query.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/user-administration'

/** What the person reaches of others, and because of which group. Counts alone: names are content. */
export function AccessSummary({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const standing = useQuery({
    ...queryOf(accessRoutes.standing, { params: { userId: user.id } }),
    staleTime: 0,
  })
  return (
    <Group title={t('reach.title')} text={t('reach.text')}>
      <QueryView query={standing}>
        {({ grants, groups }) => {
          const names = new Map(groups.map(({ id, name }) => [id, name]))
          const rows = Map.groupBy(grants, ({ resourceType, right, via, principalId }) =>
            [resourceType, right, via === 'group' ? principalId : ''].join(' '),
          )
          if (rows.size === 0) return <p className="py-2 text-muted">{t('reach.none')}</p>
          return (
            <ul>
              {[...rows].map(([key, [first, ...more]]) => {
                if (!first) return null
                const group = first.via === 'group' ? names.get(first.principalId) : undefined
                return (
                  <li key={key} className="flex flex-wrap items-center gap-2 border-b border-line py-2.5">
                    <span className="min-w-40 flex-1">
                      {t(`reach.${first.resourceType}`, { count: more.length + 1 })}
                      <span className="text-muted">
                        {' · '}
                        {group === undefined ? t('reach.direct') : t('reach.group', { name: group })}
                      </span>
                    </span>
                    <Badge>{t(`reach.right.${first.right}`)}</Badge>
                  </li>
                )
              })}
            </ul>
          )
        }}
      </QueryView>
    </Group>
  )
}
