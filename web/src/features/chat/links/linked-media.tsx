import { type LinkedMessage, chatRoutes as routes } from '@atrium/contract/chat'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { useText } from 'virtual:words/chat-links'
import { call } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { MediaPlayer } from '../media/media-player.tsx'

interface LinkedMediaProps {
  readonly kind: NonNullable<LinkedMessage['media']>
  readonly visit: string
  readonly messageId: string
}

/** A video or recording as a visitor plays it: by an address that is asked for with the visit when they press Play. */
export function LinkedMedia({ kind, visit, messageId }: LinkedMediaProps) {
  const t = useText('chat-links')
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [url, setUrl] = useState<string | null>(null)
  const fail = () => {
    setUrl(null)
    setState('failed')
  }
  const load = () => {
    setState('loading')
    call(routes.linkedMedia, { body: { visit, messageId } }, { asGuest: true }).then((media) => {
      setUrl(media.url)
      setState('idle')
    }, fail)
  }
  if (url !== null) {
    return (
      <div className="mt-3">
        <MediaPlayer isVideo={kind === 'video'} src={url} label={t(`visit.media.${kind}`)} autoPlay onError={fail} />
      </div>
    )
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button icon={<Play aria-hidden className="size-4" />} busy={state === 'loading'} onClick={load}>
        {t(`visit.media.play.${kind}`)}
      </Button>
      <p role="status" className="text-sm text-muted">
        {state === 'loading' && t('visit.media.loading')}
        {state === 'failed' && t('visit.media.failed')}
      </p>
    </div>
  )
}
