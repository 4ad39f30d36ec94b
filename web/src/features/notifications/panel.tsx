import { notificationsRoutes } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import type { RailPanelProps } from '../../lib/feature.ts'
import { links } from '../../lib/links.ts'
import { usePhone } from '../../lib/media.ts'
import { Button } from '../../ui/button.tsx'
import { WindowComing } from '../../ui/early-keys.tsx'
import { loadLayers } from '../../ui/idle-parts.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/notifications'
import { changeAll } from './changes.ts'
import { NotificationRow } from './row.tsx'
import { useRowKeys } from './row-keys.ts'

const Panel = lazy(() => loadLayers().then((module) => ({ default: module.PopoverPanel })))

const mostShown = 10

/** What the bell opens: the newest unread notifications, at the bell or, on phones, from below. */
export function NotificationsPanel({ anchor, onClose }: RailPanelProps) {
  const t = useText('notifications')
  const phone = usePhone()
  const bell = useRef(anchor)
  if (phone)
    return (
      <Sheet open onOpenChange={(open) => open || onClose()} title={t('title')}>
        <Unread />
      </Sheet>
    )
  const side = document.documentElement.dir === 'rtl' ? 'left' : 'right'
  return (
    <Suspense fallback={<WindowComing onClose={onClose} />}>
      <Panel anchor={bell} label={t('title')} align="start" side={side} onClose={onClose} className="w-96 p-0!">
        <h2 aria-hidden className="px-3.5 pt-3 text-md font-semibold">
          {t('title')}
        </h2>
        <Unread />
      </Panel>
    </Suspense>
  )
}

function Unread() {
  const t = useText('notifications')
  const list = useRef<HTMLUListElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  const query = { limit: mostShown, state: 'unread', q: '' } as const
  const { data, error, isPending } = useQuery({ ...queryOf(notificationsRoutes.list, { query }), staleTime: 0 })
  const { count = 0 } = useQuery(queryOf(notificationsRoutes.unreadCount)).data ?? {}
  const { act, onKeyDown } = useRowKeys(list, status, { isUnreadList: true })
  const items = data?.items ?? []
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys act on the row that has the focus
    <div onKeyDown={(event) => onKeyDown(event, items)}>
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 px-3.5 py-1.5 text-sm text-muted">
        <p ref={status} role="status" tabIndex={-1} className="flex-1 outline-none">
          {data && (items.length === 0 ? t('none') : t('unread', { count }))}
          {error && wordsOf(error)}
        </p>
        {items.length > 0 && (
          <Button size="small" onClick={() => void changeAll('readAll', undefined).then(() => status.current?.focus())}>
            {t('readAll')}
          </Button>
        )}
      </div>
      {isPending && <Skeleton lines={3} className="m-3.5" />}
      <ul ref={list} className="divide-y divide-line border-y border-line empty:hidden">
        {items.map((notification) => (
          <NotificationRow key={notification.id} notification={notification} isUnreadList act={act} />
        ))}
      </ul>
      <p className="p-1.5">
        <Link
          to={links.notifications()}
          className="grid min-h-10 place-items-center rounded-md font-medium text-accent-ink hover:bg-hover"
        >
          {t('toAll')}
        </Link>
      </p>
    </div>
  )
}
