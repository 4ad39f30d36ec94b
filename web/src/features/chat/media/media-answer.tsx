/** A film or speech that is the answer: played where it is done, else how it stands. */
import { chatRoutes, type Making, type Message } from '@atrium/contract/chat'
import { mediaGalleryRoutes, mediaMakingRoutes as routes, type MediaItem } from '@atrium/contract/media-gallery'
import { toRequest } from '@atrium/contract/request'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { isActiveJob, resumableFailures } from '../../../blocks/media-models.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/chat-media'
import { useThread } from '../thread/context.ts'
import { MediaPlayer } from './media-player.tsx'

const pollMs = 30_000

onAccountEvent('media-job-changed', () => void refreshMade())

const refreshMade = () => Promise.all([refresh(routes.videoJob), refresh(mediaGalleryRoutes.list)])

interface MediaAnswerProps {
  readonly message: Message
  readonly making: Making
  readonly who: string
}

export function MediaAnswer({ message, making, who }: MediaAnswerProps) {
  const t = useText('chat-media')
  const { ownerName } = useThread()
  if (ownerName !== null) return <Shared message={message} making={making} who={who} />
  if (making.jobId === null) return <p className="mt-3 text-sm text-muted">{t('notCopied')}</p>
  return <Own kind={making.kind} jobId={making.jobId} who={who} />
}

function Own({ kind, jobId, who }: { kind: Making['kind']; jobId: string; who: string }) {
  const t = useText('chat-media')
  const made = useQuery(queryOf(mediaGalleryRoutes.list, { query: { jobId, limit: 1 } }))
  const [item] = made.data?.items ?? []
  if (item) return <Player item={item} label={t('madeBy', { name: who })} />
  if (made.isPending) return <Spinner size={16} label={t('loading')} />
  return kind === 'video' ? <Film jobId={jobId} /> : <Gone />
}

/** In somebody else’s chat: it is asked for through the chat, and the reader has no part in the gallery. */
function Shared({ message, making: { kind }, who }: MediaAnswerProps) {
  const t = useText('chat-media')
  const { chat } = useThread()
  const [failed, setFailed] = useState(false)
  const { path } = toRequest(chatRoutes.sentMedia, { params: { sessionId: chat.id, messageId: message.id } })
  if (failed) {
    return (
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <p className="text-sm text-muted">{t('notShown')}</p>
        <Button size="small" icon={<RotateCcw className="size-3.5" />} onClick={() => setFailed(false)}>
          {t('resume')}
        </Button>
      </div>
    )
  }
  return (
    <div className="mt-3">
      <MediaPlayer
        isVideo={kind === 'video'}
        src={path}
        label={t('madeBy', { name: who })}
        onError={() => setFailed(true)}
      />
    </div>
  )
}

function Player({ item, label }: { item: MediaItem; label: string }) {
  const t = useText('chat-media')
  const { id, kind, mediaData, alt, title, thumbnail } = item
  return (
    <div className="mt-3 flex flex-col items-start gap-1.5">
      <MediaPlayer isVideo={kind === 'video'} src={mediaData} label={alt || title || label} poster={thumbnail} />
      <Link to={links.galleryItem(id)} className="text-sm text-accent-ink underline-offset-2 hover:underline">
        {t('inGallery')}
      </Link>
    </div>
  )
}

/** A film on its way. Whoever looks asks its provider, now and then. */
function Film({ jobId }: { jobId: string }) {
  const t = useText('chat-media')
  const { attempt } = useThread()
  const params = { jobId }
  const { data: job, error } = useQuery({
    ...queryOf(routes.videoJob, { params }),
    refetchInterval: ({ state }) => (state.data && isActiveJob(state.data) ? pollMs : false),
  })
  const act = (route: typeof routes.cancelVideo | typeof routes.resumeVideo) =>
    attempt(async () => {
      await call(route, { params })
      await refreshMade()
    })
  if (!job) return error ? <Gone /> : <Spinner size={16} label={t('loading')} />
  if (isActiveJob(job)) {
    return (
      <div
        role="group"
        aria-label={t('film')}
        className="mt-3 flex aspect-video w-full max-w-md flex-col items-center justify-center gap-3 rounded-lg border border-line bg-sunken"
      >
        <Spinner size={20} />
        <p role="status" className="text-sm text-muted">
          {job.progress === null
            ? t('filmMaking')
            : t('filmProgress', { share: formatNumber(job.progress, { style: 'percent' }) })}
        </p>
        {/* Where its provider cannot stop it, what comes is dropped. */}
        <Button size="small" icon={<Square className="size-3.5" />} onClick={() => act(routes.cancelVideo)}>
          {t('stop')}
        </Button>
      </div>
    )
  }
  if (job.status === 'completed') return <Gone />
  const reason = job.error ?? 'interrupted'
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 rounded-lg border border-danger-ink/35 bg-danger-soft px-3 py-2">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger-ink" />
      <p className="min-w-0 flex-1 text-sm text-danger-ink">{t(`failure.${reason}`)}</p>
      {resumableFailures.has(reason) && (
        <Button size="small" icon={<RotateCcw className="size-3.5" />} onClick={() => act(routes.resumeVideo)}>
          {t('resume')}
        </Button>
      )}
    </div>
  )
}

function Gone() {
  const t = useText('chat-media')
  return <p className="mt-3 text-sm text-muted">{t('gone')}</p>
}
