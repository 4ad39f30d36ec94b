import type { ChatSummary } from '@atrium/contract/chat'
import { MessageCircleQuestionMark, TriangleAlert, UsersRound } from 'lucide-react'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/chat-list'

/** The one state worth a mark: waiting for an answer, else failed, else running, else unread, else shared. Each has a form and a word of its own. */
export function StateMark({
  chat,
}: {
  chat: Pick<ChatSummary, 'failed' | 'needsAnswer' | 'runningGenerationId' | 'unread' | 'shared'>
}) {
  const t = useText('chat-list')
  if (chat.needsAnswer)
    return (
      <MessageCircleQuestionMark
        role="img"
        aria-label={t('state.needsAnswer')}
        className="size-3.5 shrink-0 text-warn-ink"
      />
    )
  if (chat.failed && !chat.runningGenerationId)
    return <TriangleAlert role="img" aria-label={t('state.failed')} className="size-3.5 shrink-0 text-danger-ink" />
  if (chat.runningGenerationId) return <Spinner size={13} label={t('state.running')} className="text-accent-ink" />
  if (chat.unread)
    return <span role="img" aria-label={t('state.unread')} className="size-2 shrink-0 rounded-full bg-accent" />
  if (chat.shared)
    return <UsersRound role="img" aria-label={t('state.shared')} className="size-3.5 shrink-0 text-muted" />
  return null
}
