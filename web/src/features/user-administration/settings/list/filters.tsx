import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { everyGroup } from '../../../../api/people.ts'
import { Input } from '../../../../ui/input.tsx'
import { Select } from '../../../../ui/select.tsx'
import { useText } from 'virtual:words/user-administration'

export interface PeopleFilters {
  q: string
  role: 'all' | 'admin' | 'user'
  status: 'all' | 'active' | 'disabled'
  groupId: string
  sort: 'newest' | 'oldest'
}
export const noFilters: PeopleFilters = { q: '', role: 'all', status: 'all', groupId: '', sort: 'newest' }

/** What the server is asked for. */
export const queryFor = ({ q, role, status, groupId, sort }: PeopleFilters) => ({
  sort,
  ...(q.trim() ? { q: q.trim() } : {}),
  ...(role === 'all' ? {} : { role }),
  ...(status === 'all' ? {} : { status }),
  ...(groupId ? { groupId } : {}),
})

interface Props {
  wanted: PeopleFilters
  onChange: (wanted: PeopleFilters) => void
  /** What stands beside the search. */
  action: ReactNode
}

/** Search and filters over the list. */
export function Filters({ wanted, onChange, action }: Props) {
  const t = useText('user-administration')
  const groups = useQuery({ ...everyGroup, staleTime: 30_000 })
  const change = (part: Partial<PeopleFilters>) => onChange({ ...wanted, ...part })
  return (
    <div role="search" aria-label={t('filter.title')} className="mt-3 flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <span className="min-w-0 flex-1 basis-56">
          <Input
            type="search"
            aria-label={t('filter.search')}
            placeholder={t('filter.search')}
            icon={<Search />}
            value={wanted.q}
            onChange={(event) => change({ q: event.target.value })}
          />
        </span>
        {action}
      </div>
      <div className="flex flex-wrap gap-2 max-tab:grid max-tab:grid-cols-2">
        <Select
          aria-label={t('filter.role')}
          value={wanted.role}
          onChange={(role) => change({ role })}
          options={(['all', 'admin', 'user'] as const).map((value) => ({ value, label: t(`filter.roles.${value}`) }))}
        />
        <Select
          aria-label={t('filter.status')}
          value={wanted.status}
          onChange={(status) => change({ status })}
          options={(['all', 'active', 'disabled'] as const).map((value) => ({
            value,
            label: t(`filter.statuses.${value}`),
          }))}
        />
        {groups.data && groups.data.length > 0 && (
          <Select
            aria-label={t('filter.group')}
            value={wanted.groupId}
            onChange={(groupId) => change({ groupId })}
            options={[
              { value: '', label: t('filter.allGroups') },
              ...groups.data.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            className="tab:max-w-44"
          />
        )}
        <Select
          aria-label={t('filter.sort')}
          value={wanted.sort}
          onChange={(sort) => change({ sort })}
          options={(['newest', 'oldest'] as const).map((value) => ({ value, label: t(`filter.sorts.${value}`) }))}
        />
      </div>
    </div>
  )
}
