import { type Notification, type NotificationState, notificationsRoutes } from '@atrium/contract/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Bell, CheckCheck, Search } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { MoreButton } from '../../blocks/more-button.tsx'
import { formatDay } from '../../lib/format.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Input } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/notifications'
import { groupByDay } from './by-day.ts'
import { changeAll } from './changes.ts'
import { KindFilter } from './kind-filter.tsx'
import { NotificationRow } from './row.tsx'
import { useRowKeys } from './row-keys.ts'

const states = ['inbox', 'unread', 'snoozed', 'done'] as const satisfies readonly NotificationState[]

/** `/notifications`: what concerns the account, day by day. */
export function NotificationsPage() {
  const t = useText('notifications')
  useTitle(t('title'))
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<NotificationState>('inbox')
  const [kind, setKind] = useState<Notification['kind'] | undefined>()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const query = { limit: 50, state, kind, q }
  const pages = useInfiniteQuery({
    ...pagesOf(notificationsRoutes.list, { query }),
    staleTime: 0,
    placeholderData: (before) => before,
  })
  const items = pages.data ?? []
  const isNarrowed = kind !== undefined || q !== '' || state !== 'inbox'
  const { act, onKeyDown } = useRowKeys(list, heading)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys act on the row that has the focus
    <div className="flex h-full flex-col overflow-y-auto" onKeyDown={(event) => onKeyDown(event, items)}>
      <div className="page-column">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 ref={heading} tabIndex={-1} className="min-w-44 flex-1 text-xl font-semibold tracking-tight outline-none">
            {t('title')}
          </h1>
          {(state === 'inbox' || state === 'unread') && q === '' && items.length > 0 && (
            <div className="flex flex-wrap gap-2">
              <Button size="small" onClick={() => void changeAll('readAll', kind)}>
                {t('readAll')}
              </Button>
              <Button
                size="small"
                icon={<CheckCheck className="size-4" />}
                onClick={() => void changeAll('doneAll', kind).then(() => heading.current?.focus())}
              >
                {t('doneAll')}
              </Button>
            </div>
          )}
        </header>
        <div className="flex flex-wrap items-center gap-2">
          <SegmentedControl
            label={t('state.label')}
            value={state}
            onChange={setState}
            options={states.map((value) => ({ value, label: t(`state.${value}`) }))}
          />
          <KindFilter kind={kind} onChange={setKind} />
          <Input
            type="search"
            icon={<Search />}
            aria-label={t('search')}
            placeholder={t('search')}
            maxLength={200}
            className="min-w-44 flex-1"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        {pages.isPending && <Skeleton lines={5} />}
        {pages.error && (
          <ErrorCard title={t('failed')} details={detailsOf(pages.error)} onRetry={() => void pages.refetch()}>
            {wordsOf(pages.error)}
          </ErrorCard>
        )}
        {pages.isSuccess && items.length === 0 && !pages.hasNextPage && (
          <EmptyState icon={<Bell />} title={t(isNarrowed ? 'noneHere' : 'none')}>
            {t(isNarrowed ? 'noneHereText' : 'noneText')}
          </EmptyState>
        )}
        <div ref={list} className="flex flex-col gap-4 empty:hidden">
          {groupByDay(items).map(({ day, items: ofDay }) => (
            <section key={day} aria-labelledby={`day-${day}`}>
              <h2 id={`day-${day}`} className="mb-1.5 text-sm font-semibold text-muted">
                {nameOfDay(day, t)}
              </h2>
              <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
                {ofDay.map((notification) => (
                  <NotificationRow key={notification.id} notification={notification} act={act} />
                ))}
              </ul>
            </section>
          ))}
        </div>
        <MoreButton pages={pages} className="self-center" />
      </div>
    </div>
  )
}

const dayMs = 24 * 3600_000
const nearDays = new Map([
  [-1, 'day.yesterday'],
  [0, 'day.today'],
  [1, 'day.tomorrow'],
])

/** Today and the days beside it by their names. */
function nameOfDay(day: number, t: (key: string) => string): string {
  const now = new Date()
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  // Where clocks change, a day has an hour more or less.
  const near = nearDays.get(Math.round((day - today) / dayMs))
  return near ? t(near) : formatDay(day)
}
