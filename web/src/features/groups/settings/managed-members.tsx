import type { Group, GroupMember, MemberSource } from '@atrium/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { everyMember } from '../../../api/people.ts'
import { formatList } from '../../../lib/format.ts'
import { matchesQuery } from '../../../lib/match.ts'
import type { Translate } from '../../../lib/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { FoundMembers, shownAtOnce } from './found-members.tsx'
import { SearchMembers } from './search-members.tsx'
import { managerName, nameOf } from '../../../api/people.ts'
import { useText } from 'virtual:words/groups'

/** Who is in a group that a directory made, to be looked at. */
export function ManagedMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText('groups')
  const members = useQuery({ ...everyMember(group.id), staleTime: 0 })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('membersTitle', { name: group.name })}
      description={t('keptText', { name: managerName(group.managedBy ?? '') })}
      footer={<Button onClick={onClose}>{t('done')}</Button>}
    >
      <QueryView query={members}>
        {(items) => (items.length === 0 ? <p className="text-muted">{t('empty')}</p> : <Names members={items} />)}
      </QueryView>
    </Dialog>
  )
}

function Names({ members }: { members: readonly GroupMember[] }) {
  const t = useText('groups')
  const [query, setQuery] = useState('')
  const found = members.filter((user) => matchesQuery(query, user.username, user.displayName ?? undefined))
  return (
    <>
      <SearchMembers value={query} onChange={setQuery} />
      <ul className="mt-2 pb-2">
        {found.slice(0, shownAtOnce).map((user) => (
          <li key={user.id} className="flex min-h-row items-center gap-3 border-b border-line py-2 last:border-0">
            <bdi className="min-w-0 flex-1 truncate font-medium">{nameOf(user)}</bdi>
            <span className="shrink-0 text-sm text-muted">{sourcesOf(user.sources, t)}</span>
          </li>
        ))}
      </ul>
      <FoundMembers count={found.length} />
    </>
  )
}

/** Who keeps somebody in a group, in words. */
export const sourcesOf = (sources: readonly MemberSource[], t: Translate): string =>
  formatList(sources.map(({ kind, name }) => name ?? t(`source.${kind}`)))
