/** The messages of a channel or a thread as far as they are loaded, and what happens to them. Pure. */
import type { ChannelEvent, ChannelMessage } from '@atrium/contract/channels'
import { withReaction } from '../rules.ts'

export interface Timeline {
  /** In reading order, without gaps. */
  readonly messages: readonly ChannelMessage[]
  /** Gives those before; null at the beginning. */
  readonly cursor: string | null
  /** There are newer ones that are not loaded. */
  readonly hasNewer: boolean
}

/** What the server gives of it at once. */
interface Page {
  readonly items: readonly ChannelMessage[]
  readonly nextCursor: string | null
}

const has = ({ messages }: Timeline, id: string): boolean => messages.some((one) => one.id === id)

/** Puts a message into its place, or its newer version in the place of the older one. */
export function putMessage(now: Timeline, message: ChannelMessage): Timeline {
  if (has(now, message.id)) return changeMessage(now, message.id, () => message)
  const last = now.messages.at(-1)
  // What comes later is loaded when one goes there, what comes before the first one, too.
  if (now.hasNewer && (!last || message.seq > last.seq)) return now
  const first = now.messages[0]
  if (now.cursor !== null && first && message.seq < first.seq) return now
  return { ...now, messages: [...now.messages, message].sort((a, b) => a.seq - b.seq) }
}

export function changeMessage(
  now: Timeline,
  id: string,
  change: (message: ChannelMessage) => ChannelMessage,
): Timeline {
  if (!has(now, id)) return now
  return { ...now, messages: now.messages.map((one) => (one.id === id ? change(one) : one)) }
}

/** The page before the first message. */
export function prependPage(now: Timeline, { items, nextCursor }: Page): Timeline {
  const fresh = items.filter(({ id }) => !has(now, id))
  return { ...now, messages: [...fresh, ...now.messages], cursor: nextCursor }
}

/** The page after the last message. */
export function appendPage(now: Timeline, items: readonly ChannelMessage[], hasNewer: boolean): Timeline {
  const fresh = items.filter(({ id }) => !has(now, id))
  return { ...now, messages: [...now.messages, ...fresh], hasNewer }
}

/** A message of which nothing is left but its place. */
export const emptyMessage = (message: ChannelMessage, at: string): ChannelMessage => ({
  ...message,
  content: '',
  forwarded: null,
  mentions: [],
  attachments: [],
  reactions: [],
  pinnedAt: null,
  deletedAt: message.deletedAt ?? at,
})

/** Whether a message stands in the channel itself, or `rootId` in the thread below that message. */
export const belongsTo = ({ id, parentId, inChannel }: ChannelMessage, rootId: string | null): boolean =>
  rootId === null ? parentId === null || inChannel : id === rootId || parentId === rootId

/** The timeline after an event; `rootId` null for that of the channel. The same one where it changes nothing. */
export function applyEvent(now: Timeline, event: ChannelEvent, rootId: string | null, at: string): Timeline {
  switch (event.type) {
    case 'message-created': {
      const { message } = event.data
      const next = belongsTo(message, rootId) ? putMessage(now, message) : now
      return message.parentId === null ? next : addReply(next, message.parentId, message.createdAt)
    }
    case 'message-edited':
      return changeMessage(now, event.data.message.id, () => event.data.message)
    case 'message-deleted':
      return changeMessage(now, event.data.messageId, (message) => emptyMessage(message, at))
    case 'message-pinned':
      return changeMessage(now, event.data.messageId, (message) => ({ ...message, pinnedAt: event.data.pinnedAt }))
    case 'message-unpinned':
      return changeMessage(now, event.data.messageId, (message) => ({ ...message, pinnedAt: null }))
    case 'reaction-added':
    case 'reaction-removed': {
      const { messageId, emoji, user } = event.data
      return changeMessage(now, messageId, (message) =>
        withReaction(message, emoji, user, event.type === 'reaction-added'),
      )
    }
    default:
      return now
  }
}

/** What a page that was read meanwhile counts already is not counted again. */
const addReply = (now: Timeline, rootId: string, at: string): Timeline =>
  changeMessage(now, rootId, (root) =>
    root.lastReplyAt !== null && root.lastReplyAt >= at
      ? root
      : { ...root, replyCount: root.replyCount + 1, lastReplyAt: at },
  )

/** Messages of one person that follow each other so closely are shown as one. */
const closeMs = 5 * 60_000

/** Whether a message is shown without repeating who wrote it. */
export function isContinued(message: ChannelMessage, before: ChannelMessage | undefined): boolean {
  if (!before || message.author === null || before.author?.id !== message.author.id) return false
  if (before.deletedAt !== null || message.deletedAt !== null) return false
  if (message.parentId !== before.parentId || message.pinnedAt !== null) return false
  const between = new Date(message.createdAt).getTime() - new Date(before.createdAt).getTime()
  return between >= 0 && between < closeMs
}

/** The first message of somebody else after those that were read. */
export const firstUnread = (
  messages: readonly ChannelMessage[],
  readSeq: number,
  meId: string,
): ChannelMessage | undefined =>
  messages.find(({ seq, author, deletedAt }) => seq > readSeq && author?.id !== meId && deletedAt === null)

/** Whether everything that was not read is loaded. */
export const reachesUnread = ({ messages, cursor }: Timeline, readSeq: number): boolean =>
  cursor === null || (messages[0]?.seq ?? Infinity) <= readSeq + 1
