/** What stands in a timeline, row by row. Pure. */
import type { ChannelMessage, ChannelPerson } from '@atrium/contract/channels'
import { beginsDay } from '../../../blocks/timeline/days.ts'
import type { OutgoingMessage } from '../open/outbox.ts'
import { isContinued, type Timeline } from '../open/timeline.ts'

export interface Row {
  readonly id: string
  readonly message: ChannelMessage
  readonly unsent: OutgoingMessage | undefined
  readonly newDay: boolean
  /** What follows came after the account was last here. */
  readonly newLine: boolean
  readonly continued: boolean
}

/** A message that is not on the server yet, as it will look there. */
const asMessage = (unsent: OutgoingMessage, author: ChannelPerson, seq: number): ChannelMessage => ({
  id: unsent.id,
  channelId: unsent.channelId,
  seq,
  parentId: unsent.parentId,
  inChannel: unsent.inChannel,
  author,
  answer: null,
  content: unsent.content,
  forwarded: null,
  mentions: [],
  attachments: [...unsent.attachments],
  reactions: [],
  createdAt: unsent.createdAt,
  editedAt: null,
  deletedAt: null,
  pinnedAt: null,
  replyCount: 0,
  lastReplyAt: null,
})

/** `newId`: the first message that is new. What is unsent stands at the end, where the end is loaded. */
export function rowsOf(
  { messages, cursor, hasNewer }: Timeline,
  outbox: readonly OutgoingMessage[],
  me: ChannelPerson,
  newId: string | undefined,
): Row[] {
  const known = new Set(messages.map(({ id }) => id))
  const waiting = hasNewer ? [] : outbox.filter(({ id }) => !known.has(id))
  const last = messages.at(-1)?.seq ?? 0
  const all = [
    ...messages.map((message) => ({ message, unsent: undefined })),
    ...waiting.map((unsent, index) => ({ message: asMessage(unsent, me, last + index + 1), unsent })),
  ]
  return all.map(({ message, unsent }, index) => {
    const before = all[index - 1]?.message
    const newDay = beginsDay(message.createdAt, before?.createdAt, cursor !== null)
    const newLine = message.id === newId
    return {
      id: message.id,
      message,
      unsent,
      newDay,
      newLine,
      continued: !newDay && !newLine && isContinued(message, before),
    }
  })
}
