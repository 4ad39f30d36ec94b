import { channelsRoutes as routes } from '@atrium/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pin, PinOff } from 'lucide-react'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { shownName } from '../names.ts'
import { togglePin } from '../open/changes.ts'
import { canPin } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { MessageFiles } from '../timeline/files.tsx'
import { MessageText } from '../timeline/message-text.tsx'
import { useText } from 'virtual:words/channels'

/** What members have pinned, the last pinned first. */
export function Pins() {
  const t = useText('channels')
  const { channel, me } = useChannel()
  const pins = useQuery({ ...queryOf(routes.pins, { params: { channelId: channel.id } }), staleTime: 0 })
  if (pins.isPending)
    return (
      <div className="p-4">
        <Skeleton lines={5} />
      </div>
    )
  if (pins.isError) {
    return (
      <div className="p-4">
        <ErrorCard title={t('pins.failed')} onRetry={() => void pins.refetch()}>
          {wordsOf(pins.error)}
        </ErrorCard>
      </div>
    )
  }
  if (pins.data.items.length === 0) {
    return (
      <EmptyState icon={<Pin />} title={t('pins.none')}>
        {t('pins.noneText')}
      </EmptyState>
    )
  }
  return (
    <ul aria-label={t('pins.title')} className="flex flex-col gap-3 p-3">
      {pins.data.items.map((message) => {
        const place = message.parentId === null ? {} : { thread: message.parentId }
        return (
          <li key={message.id} className="rounded-lg border border-line bg-raised p-3">
            <p className="flex items-center gap-2 text-sm text-muted">
              <bdi className="min-w-0 truncate font-medium text-ink">
                {shownName(message.author?.name || t('nobody'))}
              </bdi>
              <time dateTime={message.createdAt} className="min-w-0 flex-1 truncate">
                {formatDateTime(message.createdAt)}
              </time>
              {canPin(channel, message) && (
                <IconButton
                  label={t('row.unpin')}
                  icon={<PinOff />}
                  size="small"
                  onClick={() => void togglePin(message)}
                />
              )}
            </p>
            {message.content && <MessageText message={message} meId={me.id} />}
            <MessageFiles files={message.attachments} />
            <Button asChild size="small" className="mt-2">
              <Link to={links.channel(channel.id, { message: message.id, ...place })}>{t('pins.show')}</Link>
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
