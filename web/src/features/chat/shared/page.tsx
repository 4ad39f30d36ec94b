import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { resourceDisplay, resourceLink } from '../../../lib/resources.ts'
import { useTitle } from '../../../lib/title.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type SharedThing, sharedQuery } from './data.ts'
import { LeaveDialog } from './leave.tsx'
import { factsOf } from './rows.ts'
import { useText } from 'virtual:words/chat-shared'

/** `/shared`: chats and folders of others, whose they are, and until when. */
export function SharedPage() {
  const t = useText('chat-shared')
  useTitle(t('title'))
  const chats = useInfiniteQuery(sharedQuery('chat'))
  const folders = useInfiniteQuery(sharedQuery('folder'))
  const [leaving, setLeaving] = useState<SharedThing | null>(null)
  const lists = [
    { list: folders, title: t('folders') },
    { list: chats, title: t('chats') },
  ]
  const failed = lists.find(({ list }) => list.isError)?.list
  const pending = lists.some(({ list }) => list.isPending)
  const empty = lists.every(({ list }) => list.data?.length === 0)
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-text flex-col gap-4 px-4 py-6">
        <header>
          <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
          <p className="text-muted">{t('note')}</p>
        </header>
        {failed ? (
          <ErrorCard
            title={t('notLoaded')}
            details={detailsOf(failed.error)}
            onRetry={() => void Promise.all(lists.map(({ list }) => list.refetch()))}
          >
            {wordsOf(failed.error)}
          </ErrorCard>
        ) : pending ? (
          <Skeleton lines={5} />
        ) : empty ? (
          <EmptyState icon={<UsersRound />} title={t('nothing')}>
            {t('nothingHint')}
          </EmptyState>
        ) : (
          lists.map(({ list, title }) => {
            const things = list.data ?? []
            if (things.length === 0) return null
            return (
              <section key={title} aria-label={title} className="flex flex-col gap-2">
                <h2 className="text-sm font-medium text-muted">{title}</h2>
                <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
                  {things.map((thing) => (
                    <Row key={thing.resourceId} thing={thing} onLeave={() => setLeaving(thing)} />
                  ))}
                </ul>
                <MoreButton pages={list} className="self-center" />
              </section>
            )
          })
        )}
      </div>
      {leaving && <LeaveDialog thing={leaving} onClose={() => setLeaving(null)} />}
    </div>
  )
}

function Row({ thing, onLeave }: { thing: SharedThing; onLeave: () => void }) {
  const t = useText('chat-shared')
  const Icon = resourceDisplay(thing.resourceType)?.icon
  return (
    <li className="flex items-center gap-1 pe-2">
      <Link
        to={resourceLink(thing.resourceType, { id: thing.resourceId })}
        className="flex min-w-0 flex-1 items-center gap-3 px-3.5 py-2.5 hover:bg-hover"
      >
        {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {thing.name}
          </span>
          <span className="block text-sm text-muted">{factsOf(thing, t)}</span>
        </span>
        <time dateTime={thing.sharedAt} title={formatDateTime(thing.sharedAt)} className="shrink-0 text-sm text-muted">
          {formatAgo(thing.sharedAt)}
        </time>
      </Link>
      <IconButton
        label={t('leaveLabel', { name: thing.name })}
        icon={<LogOut className="rtl:-scale-x-100" />}
        onClick={onLeave}
      />
    </li>
  )
}
