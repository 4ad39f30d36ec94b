import { channelsRoutes as routes } from '@atrium/contract/channels'
import { useNavigate } from '@tanstack/react-router'
import { ArrowUp, AtSign, CheckCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { useAction } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { CatchUpButton } from '../catch-up/catch-up-button.tsx'
import { usePane } from '../page/use-place.ts'
import { markAllRead } from '../open/read-mark.ts'
import { goToUnread } from '../open/load.ts'
import { type OpenTimeline } from '../open/store.ts'
import { reachesUnread, type Timeline } from '../open/timeline.ts'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/channels'
import { useChannel } from './context.ts'

/** More was missed than is loaded: the way to the first of it, or past all of it. */
export function UnreadBar({ open, timeline }: { open: OpenTimeline; timeline: Timeline }) {
  const t = useText('channels')
  const { channel } = useChannel()
  const [busy, setBusy] = useState(false)
  const { unreadCount, readSeq, mentionCount } = channel
  const navigate = useNavigate()
  const { show } = usePane(channel.id)
  /** The mention that was shown last. */
  const shownSeq = useRef<number | null>(null)
  const goToMention = async () => {
    const afterSeq = shownSeq.current ?? open.store.getState().newFrom ?? readSeq
    const { message } = await call(routes.nextMention, { params: { channelId: channel.id }, query: { afterSeq } })
    if (!message) {
      shownSeq.current = null
      return toast(t('timeline.noMention'))
    }
    shownSeq.current = message.seq
    const thread = message.parentId !== null && !message.inChannel ? { thread: message.parentId } : {}
    await navigate({ to: links.channel(channel.id, { message: message.id, ...thread }) })
  }
  const nextMention = () => void goToMention().catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
  const jump = async () => {
    setBusy(true)
    await goToUnread(open, open.store.getState().newFrom ?? readSeq)
    setBusy(false)
  }
  useAction('channels.jump', () => void jump(), channel.isMember)
  useAction('channels.next-mention', nextMention, channel.isMember)
  useAction('channels.catch-up', () => show('catch-up'), channel.isMember)
  useAction('channels.mark-read', () => void markAllRead(channel), channel.isMember)
  if (unreadCount === 0 || reachesUnread(timeline, readSeq)) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-4 py-1.5 text-sm text-accent-ink"
    >
      <span className="min-w-0 flex-1">{t('timeline.unread', { count: unreadCount })}</span>
      <Button size="small" busy={busy} icon={<ArrowUp className="size-3.5" />} onClick={() => void jump()}>
        {t('timeline.jump')}
      </Button>
      <CatchUpButton />
      {mentionCount > 0 && (
        <Button size="small" icon={<AtSign className="size-3.5" />} onClick={nextMention}>
          {t('timeline.nextMention')}
        </Button>
      )}
      <Button
        size="small"
        tone="quiet"
        icon={<CheckCheck className="size-3.5" />}
        onClick={() => void markAllRead(channel)}
      >
        {t('timeline.markRead')}
      </Button>
    </div>
  )
}
