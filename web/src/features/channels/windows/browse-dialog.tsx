import { type Channel, channelsRoutes as routes } from '@atrium/contract/channels'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Hash, Search } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { matchesQuery } from '../../../lib/match.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Input } from '../../../ui/input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { putChannel } from '../data/list.ts'
import { useText } from 'virtual:words/channels'

/** The public channels, to join or to open. */
export function BrowseDialog({
  onDone,
  onCreate,
  onClose,
}: {
  onDone: (channel: Channel) => void
  onCreate: () => void
  onClose: () => void
}) {
  const t = useText('channels')
  const [words, setWords] = useState('')
  const list = useInfiniteQuery({ ...pagesOf(routes.listPublic, { query: { limit: 200 } }), staleTime: 0 })
  const all = (list.data ?? []).filter(({ archivedAt }) => archivedAt === null)
  const shown = all.filter(({ name, topic, description }) =>
    matchesQuery(words, name, topic ?? undefined, description ?? undefined),
  )
  return (
    <Dialog open onOpenChange={onClose} title={t('browse.title')}>
      <div className="flex flex-col gap-3 pb-2">
        {all.length > 0 && (
          <Input
            type="search"
            icon={<Search />}
            dir="auto"
            aria-label={t('browse.filter')}
            placeholder={t('browse.filter')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
        {list.isPending && <Skeleton lines={5} />}
        {list.isError && (
          <ErrorCard title={t('browse.failed')} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {list.isSuccess && all.length === 0 && (
          <EmptyState
            icon={<Hash />}
            title={t('browse.none')}
            action={
              <Button tone="primary" onClick={onCreate}>
                {t('list.create')}
              </Button>
            }
          >
            {t('browse.noneText')}
          </EmptyState>
        )}
        {all.length > 0 && shown.length === 0 && (
          <p role="status" className="py-4 text-center text-muted">
            {t('browse.noMatch')}
          </p>
        )}
        <ul aria-label={t('browse.title')} className="flex flex-col divide-y divide-line">
          {shown.map((channel) => (
            <PublicRow key={channel.id} channel={channel} onDone={onDone} />
          ))}
        </ul>
        <MoreButton pages={list} />
      </div>
    </Dialog>
  )
}

function PublicRow({ channel, onDone }: { channel: Channel; onDone: (channel: Channel) => void }) {
  const t = useText('channels')
  const { id, name, topic, description, memberCount, isMember } = channel
  const join = useMutation({
    mutationFn: () => call(routes.join, { params: { channelId: id } }),
    onSuccess: (joined) => {
      putChannel(joined)
      onDone(joined)
    },
  })
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Hash aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="truncate text-sm text-muted">
          {t('header.members', { count: memberCount })}
          {(topic ?? description) && (
            <>
              {' · '}
              <bdi>{topic ?? description}</bdi>
            </>
          )}
        </p>
        {join.isError && <p className="text-sm text-danger-ink">{wordsOf(join.error)}</p>}
      </div>
      {isMember ? (
        <Button size="small" aria-label={t('browse.openName', { name })} onClick={() => onDone(channel)}>
          {t('browse.open')}
        </Button>
      ) : (
        <Button
          size="small"
          tone="primary"
          busy={join.isPending}
          aria-label={t('browse.joinName', { name })}
          onClick={() => join.mutate()}
        >
          {t('browse.join')}
        </Button>
      )}
    </li>
  )
}
