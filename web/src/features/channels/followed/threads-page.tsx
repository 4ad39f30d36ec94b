import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, MessagesSquare } from 'lucide-react'
import { type KeyboardEvent, useMemo } from 'react'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/channels-followed'
import { channelsQuery } from '../data/list.ts'
import { useLiveChannels } from '../data/live.ts'
import { useChannelKeys } from '../page/use-channel-keys.ts'
import { Windows } from '../windows/windows.tsx'
import { followedThreads } from './data.ts'
import { ThreadItem } from './thread-item.tsx'

/** `/channels/threads`: the threads that the account follows, those with unread replies first. */
export function ThreadsPage() {
  const t = useText('channels-followed')
  useTitle(t('title'))
  useChannelKeys(undefined)
  useLiveChannels()
  const pages = useInfiniteQuery({ ...followedThreads, staleTime: 0 })
  const channels = useQuery(channelsQuery).data
  const byId = useMemo(() => new Map(channels?.map((channel) => [channel.id, channel])), [channels])
  // A thread may move to an earlier page between two requests.
  const threads = useMemo(
    () => [...new Map((pages.data ?? []).map((thread) => [thread.root.id, thread])).values()],
    [pages.data],
  )
  return (
    <>
      <header className="flex h-12 shrink-0 items-center gap-1.5 border-b border-line ps-3 pe-2 max-tab:ps-1">
        <Link
          to={links.channels()}
          aria-label={t('back')}
          className="hit grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover tab:hidden"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <span className="grid size-5 shrink-0 place-items-center text-muted">
          <MessagesSquare aria-hidden className="size-4" />
        </span>
        <h1 className="min-w-0 truncate font-semibold">{t('title')}</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full w-full max-w-text flex-col gap-3 px-4 py-4">
          {pages.isPending && <Skeleton lines={8} />}
          {pages.isError && !pages.data && (
            <ErrorCard title={t('failed')} details={detailsOf(pages.error)} onRetry={() => void pages.refetch()}>
              {wordsOf(pages.error)}
            </ErrorCard>
          )}
          {pages.data && threads.length === 0 && (
            <EmptyState className="my-auto" icon={<MessagesSquare />} title={t('empty')}>
              {t('emptyText')}
            </EmptyState>
          )}
          {threads.length > 0 && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys go from thread to thread
            <ul aria-label={t('title')} className="flex flex-col gap-3" onKeyDown={goOn}>
              {threads.map((thread) => (
                <ThreadItem key={thread.root.id} thread={thread} channel={byId.get(thread.root.channelId)} />
              ))}
            </ul>
          )}
          <MoreButton pages={pages} className="self-center" />
        </div>
      </div>
      <Windows />
    </>
  )
}

/** Up and Down go from thread to thread. */
function goOn(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-thread]')]
  const at = all.findIndex((one) => one.parentElement?.contains(event.target as Node))
  const next = at < 0 ? undefined : all[at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
