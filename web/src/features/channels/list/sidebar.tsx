import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Clock, Hash, MessageSquarePlus, Plus, Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import type { SidebarProps } from '../../../lib/feature.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { DelayedContent, Skeleton } from '../../../ui/skeleton.tsx'
import { openDrafts } from '../compose/draft-sync.ts'
import { hasDraft } from '../compose/draft.ts'
import { useDraftChanges } from '../compose/kept-draft.ts'
import { channelsQuery } from '../data/list.ts'
import { ThreadsLink } from '../followed/threads-link.tsx'
import { useLiveChannels } from '../data/live.ts'
import type { Wish } from '../search.ts'
import { askFor } from '../windows/asked.ts'
import { useText } from 'virtual:words/channels'
import { ChannelRow } from './channel-row.tsx'
import { groupChannels } from './order.ts'

/** The channels and direct messages beside the page; on phones, the page itself. */
export function ChannelSidebar({ onDone }: SidebarProps) {
  const t = useText('channels')
  const me = useMe()
  useEffect(() => openDrafts(me.id), [me.id])
  useDraftChanges()
  const { channelId } = useParams({ strict: false }) as { channelId?: string }
  const [words, setWords] = useState('')
  useLiveChannels()
  const list = useQuery(channelsQuery)
  const groups = useMemo(() => groupChannels(list.data ?? [], words.trim(), t('nobody')), [list.data, words, t])
  const wish = (what: Wish) => () => {
    onDone()
    askFor(what)
  }
  const rows = (channels: typeof groups.rooms) =>
    channels.map((channel) => (
      <ChannelRow
        key={channel.id}
        channel={channel}
        here={channel.id === channelId}
        drafted={hasDraft(me.id, channel.id)}
        onDone={onDone}
      />
    ))
  const isEmpty = list.data?.length === 0
  const found = groups.rooms.length + groups.direct.length + groups.archived.length
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 px-2 pt-2.5 pb-1.5">
        <div className="flex items-center gap-1">
          <Button
            className="min-w-0 flex-1 justify-start!"
            icon={<MessageSquarePlus aria-hidden className="size-4 shrink-0 text-muted" />}
            onClick={wish('message')}
          >
            <span className="truncate">{t('list.message')}</span>
          </Button>
          <IconButton label={t('list.create')} icon={<Plus />} onClick={wish('channel')} />
        </div>
        {!isEmpty && (
          <Input
            type="search"
            icon={<Search />}
            aria-label={t('list.filter')}
            placeholder={t('list.filter')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || !words) return
              event.stopPropagation()
              setWords('')
            }}
            className="[&_input]:[&::-webkit-search-cancel-button]:hidden"
            end={
              words && (
                <IconButton
                  label={t('list.clear')}
                  icon={<X />}
                  size="small"
                  tooltipSide="none"
                  onClick={() => setWords('')}
                />
              )
            }
          />
        )}
      </div>
      <nav aria-label={t('list.label')} className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {list.isPending && (
          <DelayedContent>
            <Skeleton lines={6} />
          </DelayedContent>
        )}
        {list.isError && !list.data && (
          <ErrorCard title={t('list.failed')} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {isEmpty && (
          <EmptyState
            icon={<Hash />}
            title={t('list.empty')}
            action={
              <>
                <Button onClick={wish('browse')}>{t('list.browse')}</Button>
                <Button tone="primary" onClick={wish('channel')}>
                  {t('list.create')}
                </Button>
              </>
            }
          >
            {t('list.emptyText')}
          </EmptyState>
        )}
        {list.data && !isEmpty && <ThreadsLink onDone={onDone} />}
        {list.data && !isEmpty && found === 0 && <p className="px-2 py-4 text-sm text-muted">{t('list.none')}</p>}
        <Group title={t('list.channels')}>{rows(groups.rooms)}</Group>
        <Group title={t('list.direct')}>{rows(groups.direct)}</Group>
        {groups.archived.length > 0 && (
          <Disclosure title={t('list.archived')} className="mt-3 px-2 text-sm text-muted">
            <ul aria-label={t('list.archived')} className="-mx-2 mt-1">
              {rows(groups.archived)}
            </ul>
          </Disclosure>
        )}
      </nav>
      {!isEmpty && (
        <div className="flex items-center gap-1 border-t border-line px-2 py-1.5">
          <Button
            tone="quiet"
            size="small"
            className="min-w-0 flex-1"
            icon={<Hash className="size-4" />}
            onClick={wish('browse')}
          >
            {t('list.browse')}
          </Button>
          <IconButton label={t('channels-shell:action.later')} icon={<Clock />} size="small" onClick={wish('later')} />
        </div>
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title} className="mt-2">
      <h2 className="px-2 py-1 text-xs font-medium text-muted">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}
