/** How far a channel was read. The mark moves with what is on screen, and back only by “unread from here”. */
import { type Channel, type ChannelMessage, channelsRoutes as routes } from '@atrium/contract/channels'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { runInTurn } from '../../../api/saves.ts'
import { toast } from '../../../ui/toaster.tsx'
import { translate } from 'virtual:words/channels'
import { changeChannel, knownChannel } from '../data/list.ts'
import { openTimeline } from './store.ts'

const restMs = 300
const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; messageId: string; seq: number }>()

/** A message was on screen while the page was seen. Said to the server once the view rests. */
export function markSeen(channelId: string, { id, seq }: ChannelMessage): void {
  const pending = waiting.get(channelId)
  if (seq <= Math.max(pending?.seq ?? 0, knownChannel(channelId)?.readSeq ?? Infinity)) return
  clearTimeout(pending?.timer)
  const timer = setTimeout(() => {
    waiting.delete(channelId)
    // A later view says it again.
    void say(channelId, { upTo: id }).catch(() => undefined)
  }, restMs)
  waiting.set(channelId, { timer, messageId: id, seq })
}

/** Everything is read; ten seconds to take it back. */
export async function markAllRead(channel: Channel): Promise<void> {
  const open = openTimeline(channel.id)
  const { newFrom, timeline } = open.store.getState()
  const first = timeline?.messages.find(({ seq }) => seq > channel.readSeq)
  try {
    await say(channel.id, {})
  } catch (error) {
    return void toast(wordsOf(error), { tone: 'danger' })
  }
  open.store.setState({ newFrom: null })
  if (channel.unreadCount === 0) return
  const undo = first && {
    label: translate('channels:undo'),
    onClick: () => {
      open.store.setState({ newFrom })
      void markUnreadFrom(first)
    },
  }
  toast(translate('channels:timeline.markedRead'), undo ? { action: undo } : {})
}

/** A message and all after it are unread again. */
export async function markUnreadFrom({ channelId, id, seq }: ChannelMessage): Promise<void> {
  clearTimeout(waiting.get(channelId)?.timer)
  waiting.delete(channelId)
  try {
    await say(channelId, { unreadFrom: id })
    openTimeline(channelId).store.setState({ newFrom: seq - 1, held: seq - 1 })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}

function say(channelId: string, body: { upTo?: string; unreadFrom?: string }): Promise<void> {
  return runInTurn(`read ${channelId}`, async () => {
    const read = await call(routes.markRead, { params: { channelId }, body })
    changeChannel(channelId, (channel) => ({ ...channel, ...read }))
  })
}
