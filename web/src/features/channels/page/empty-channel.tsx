import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useOutbox } from '../open/outbox.ts'
import type { OpenTimeline } from '../open/store.ts'
import type { Timeline } from '../open/timeline.ts'
import { useText } from 'virtual:words/channels'

/** What to do in a channel in which nothing was said yet; else what was said. */
export function EmptyChannel({
  open,
  timeline,
  children,
}: {
  open: OpenTimeline
  timeline: Timeline
  children: ReactNode
}) {
  const t = useText('channels')
  const writes = useOutbox(({ unsent }) => unsent.some(({ channelId }) => channelId === open.channelId))
  if (timeline.messages.length > 0 || writes) return children
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
      <EmptyState icon={<MessagesSquare />} title={t('timeline.empty')}>
        {t('timeline.emptyText')}
      </EmptyState>
    </div>
  )
}
