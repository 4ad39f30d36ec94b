import { RotateCcw, X } from 'lucide-react'
import { wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/channels'
import { discardUnsent, retryUnsent, type OutgoingMessage } from '../open/outbox.ts'

/** How it stands with a message that is not on the server yet. */
export function OutgoingNote({ unsent }: { unsent: OutgoingMessage }) {
  const t = useText('channels')
  if (unsent.state !== 'failed') {
    return (
      <p role="status" className="mt-0.5 text-sm text-muted">
        {t(unsent.state === 'waiting' ? 'send.waiting' : 'send.sending')}
      </p>
    )
  }
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-danger-ink">
      <span className="min-w-0">
        {t('send.failed')} {wordsOf(unsent.error)}
      </span>
      <Button size="small" icon={<RotateCcw className="size-3.5" />} onClick={() => retryUnsent(unsent.id)}>
        {t('send.retry')}
      </Button>
      <Button size="small" tone="quiet" icon={<X className="size-3.5" />} onClick={() => discardUnsent(unsent.id)}>
        {t('send.discard')}
      </Button>
    </div>
  )
}
