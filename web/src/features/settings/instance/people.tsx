import type { User } from '@atrium/contract/authentication'
import { type ListedUser, userAdministration } from '@atrium/contract/user-administration'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { keyOf, refresh } from '../../../api/query.ts'
import { day } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { Group } from '../parts/row.tsx'
import { useText } from '../texts.ts'
import { Groups } from './groups.tsx'

/** The accounts of this server: who waits, who may in, and their groups. */
export function People() {
  const t = useText('settings')
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(userAdministration.list), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(userAdministration.list, { query: { limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  if (pages.isPending) return <Skeleton lines={5} />
  if (pages.isError) {
    return (
      <ErrorCard title={t('notLoaded')} details={detailsOf(pages.error)} onRetry={() => void pages.refetch()}>
        {wordsOf(pages.error)}
      </ErrorCard>
    )
  }
  const people = pages.data.pages.flatMap((page) => page.items)
  const waiting = people.filter((user) => user.status === 'pending')
  return (
    <>
      <section id="waiting" className="-mx-3 rounded-lg px-3">
        <Group title={t('people.waiting')}>
          {waiting.length === 0 ? (
            <p className="py-2 text-muted">{t('people.nobodyWaits')}</p>
          ) : (
            <ul>
              {waiting.map((user) => (
                <Waiting key={user.id} user={user} />
              ))}
            </ul>
          )}
        </Group>
      </section>
      <section id="accounts" className="-mx-3 mt-8 rounded-lg px-3">
        <Group title={t('people.accounts')} text={t('people.accountsText')}>
          <ul>
            {people
              .filter((user) => user.status !== 'pending')
              .map((user) => (
                <Person key={user.id} user={user} />
              ))}
          </ul>
          {pages.hasNextPage && (
            <Button className="mt-3" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {t('people.more')}
            </Button>
          )}
        </Group>
      </section>
      <Groups />
    </>
  )
}

const useStatus = (user: User) =>
  useMutation({
    mutationFn: (status: 'active' | 'disabled') =>
      call(userAdministration.setStatus, { params: { id: user.id }, body: { status } }),
    onSettled: () => void refresh(userAdministration.list),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })

function Waiting({ user }: { user: User }) {
  const t = useText('settings')
  const status = useStatus(user)
  const reject = useMutation({
    mutationFn: () => call(userAdministration.reject, { params: { id: user.id } }),
    onSettled: () => void refresh(userAdministration.list),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line py-2.5">
      <Name user={user} />
      <Button size="small" busy={reject.isPending} icon={<X className="size-3.5" />} onClick={() => reject.mutate()}>
        {t('people.reject')}
      </Button>
      <Button
        size="small"
        tone="primary"
        busy={status.isPending}
        icon={<Check className="size-3.5" />}
        onClick={() => status.mutate('active')}
      >
        {t('people.approve')}
      </Button>
    </li>
  )
}

function Person({ user }: { user: ListedUser }) {
  const t = useText('settings')
  const me = useMe()
  const status = useStatus(user)
  const on = status.isPending ? status.variables === 'active' : user.status === 'active'
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5">
      <Name user={user} groups={user.groups} />
      {user.role === 'admin' && <Badge tone="accent">{t('app:shell.administrator')}</Badge>}
      {!on && <Badge tone="warn">{t('people.disabled')}</Badge>}
      {user.id === me.id ? (
        <span className="text-sm text-muted">{t('people.you')}</span>
      ) : (
        <Switch
          aria-label={t('people.mayIn', { name: user.username })}
          checked={on}
          disabled={status.isPending}
          onChange={(next) => status.mutate(next ? 'active' : 'disabled')}
        />
      )}
    </li>
  )
}

function Name({ user, groups = [] }: { user: User; groups?: ListedUser['groups'] }) {
  const t = useText('settings')
  return (
    <div className="min-w-36 flex-1">
      <p className="truncate font-medium">
        <bdi>{user.displayName || user.username}</bdi>
      </p>
      <p className="truncate text-sm text-muted">
        <bdi>{user.username}</bdi>
        {user.email && (
          <>
            {' · '}
            <bdi dir="ltr">{user.email}</bdi>
          </>
        )}
        {' · '}
        {t('people.since', { when: day(user.createdAt) })}
      </p>
      {groups.length > 0 && (
        <ul aria-label={t('people.groups')} className="mt-1 flex flex-wrap gap-1.5">
          {groups.map(({ id, name }) => (
            <li key={id} className="flex max-w-full min-w-0">
              <Badge className="max-w-full shrink!">
                <bdi className="truncate">{name}</bdi>
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
