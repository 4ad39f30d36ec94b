import { useNavigate } from '@tanstack/react-router'
import { CloudOff, MessageSquareOff } from 'lucide-react'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { useText } from 'virtual:words/channels'

/** Why a channel is not there: it is gone, or it is not for this account, or the server cannot be asked. */
export function NotOpened({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  const t = useText('channels')
  const navigate = useNavigate()
  useTitle(t('gone.title'))
  if (codeOf(problem) === 'channel_not_found') {
    return (
      <EmptyState
        pageTitle
        className="my-auto"
        icon={<MessageSquareOff />}
        title={t('gone.title')}
        action={
          <Button tone="primary" onClick={() => void navigate({ to: links.channels() })}>
            {t('gone.back')}
          </Button>
        }
      >
        {t('gone.text')}
      </EmptyState>
    )
  }
  if (codeOf(problem) === 'offline' && !navigator.onLine) {
    return (
      <EmptyState pageTitle className="my-auto" icon={<CloudOff />} title={t('gone.offline')}>
        {t('gone.offlineText')}
      </EmptyState>
    )
  }
  return (
    <div className="m-auto w-full max-w-md p-4">
      <ErrorCard title={t('gone.failed')} details={detailsOf(problem)} onRetry={onRetry}>
        {wordsOf(problem)}
      </ErrorCard>
    </div>
  )
}
