import { type LinkedMessage, chatRoutes as routes } from '@atrium/contract/chat'
import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from 'virtual:words/chat-links'
import { call } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { MediaPlayer } from '../media/media-player.tsx'

interface LinkedMediaProps {
  readonly kind: NonNullable<LinkedMessage['media']>
  readonly visit: string
  readonly messageId: string
}

/** A video or recording as a visitor plays it: fetched with the visit when they ask for it, for it may be large. */
export function LinkedMedia({ kind, visit, messageId }: LinkedMediaProps) {
  const t = useText('chat-links')
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [bytes, setBytes] = useState<Blob | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    // Made only where they are played: who left while they came has no address of them to give back.
    if (bytes === null) return
    const made = URL.createObjectURL(bytes)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes])
  const load = () => {
    setState('loading')
    call(routes.linkedMedia, { body: { visit, messageId } }, { asGuest: true }).then(setBytes, () => setState('failed'))
  }
  if (url !== null) {
    return (
      <div className="mt-3">
        <MediaPlayer isVideo={kind === 'video'} src={url} label={t(`visit.media.${kind}`)} />
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
