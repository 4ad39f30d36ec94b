import { type Group, type MemberSource, groupsRoutes } from '@atrium/contract/groups'
import { usageRoutes } from '@atrium/contract/usage'
import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { everyAccount, everyMember } from '../../../api/people.ts'
import { refresh } from '../../../api/query.ts'
import { matchesQuery } from '../../../lib/match.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { sourcesOf } from './managed-members.tsx'
import { FoundMembers, shownAtOnce } from './found-members.tsx'
import { SearchMembers } from './search-members.tsx'
import { useText } from 'virtual:words/groups'

/** Everybody with a tick for who is in the group; each tick is saved at once. */
export function GroupMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText('groups')
  const accounts = useQuery({ ...everyAccount, staleTime: 0 })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('membersTitle', { name: group.name })}
      description={t('membersText')}
      footer={<Button onClick={onClose}>{t('done')}</Button>}
    >
      <QueryView query={accounts}>{(items) => <Choice group={group} accounts={items} />}</QueryView>
    </Dialog>
  )
}

function Choice({ group, accounts }: { group: Group; accounts: readonly ListedUser[] }) {
  const t = useText('groups')
  const [query, setQuery] = useState('')
  const members = useQuery({ ...everyMember(group.id), staleTime: 0 })
  const sources = new Map(members.data?.map((user) => [user.id, user.sources]))
  // Members first, as they were when this opened: no row runs away from under a tick.
  const [first] = useState(() => new Set(accounts.filter((user) => isIn(user, group)).map(({ id }) => id)))
  const found = accounts
    .filter((user) => user.status !== 'pending' || isIn(user, group))
    .filter((user) => matchesQuery(query, user.username, user.displayName ?? undefined, user.email ?? undefined))
    .sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)) || a.username.localeCompare(b.username))
  return (
    <>
      <SearchMembers value={query} onChange={setQuery} />
      <ul aria-label={t('membersTitle', { name: group.name })} className="mt-2 pb-2">
        {found.slice(0, shownAtOnce).map((user) => (
          <Member key={user.id} group={group} user={user} sources={sources.get(user.id) ?? []} />
        ))}
      </ul>
      <FoundMembers count={found.length} />
    </>
  )
}

function Member({ group, user, sources }: { group: Group; user: ListedUser; sources: readonly MemberSource[] }) {
  const t = useText('groups')
  // Somebody else keeps them here: a tick that is taken away would come back.
  const isKept = sources.some(({ kind }) => kind !== 'manual')
  const change = useMutation({
    mutationFn: (on: boolean) =>
      call(on ? groupsRoutes.addMember : groupsRoutes.removeMember, {
        params: { id: group.id, accountId: user.id },
      }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    // The tick stays where it was put until the list says the same.
    onSettled: async () => {
      void refresh(groupsRoutes.groups)
      void refresh(groupsRoutes.members)
      void refresh(usageRoutes.myBudgets)
      await refresh(userAdministrationRoutes.list)
    },
  })
  return (
    <li className="border-b border-line last:border-0">
      <label className="flex min-h-row cursor-pointer items-center gap-3 rounded-md py-2 max-tab:min-h-12">
        <Checkbox
          checked={change.isPending ? change.variables : isIn(user, group)}
          disabled={isKept}
          onChange={(on) => !change.isPending && change.mutate(on)}
        />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {user.displayName || user.username}
          </span>
          {user.displayName && (
            <span dir="auto" className="block truncate text-sm text-muted">
              {user.username}
            </span>
          )}
        </span>
        {isKept && <span className="shrink-0 text-sm text-muted">{sourcesOf(sources, t)}</span>}
        {user.status !== 'active' && <Badge tone="warn">{t(`status.${user.status}`)}</Badge>}
      </label>
    </li>
  )
}

const isIn = (user: ListedUser, group: Group): boolean => user.groups.some(({ id }) => id === group.id)
