import type { ChannelMessage } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import {
  applyEvent,
  firstUnread,
  isContinued,
  prependPage,
  putMessage,
  reachesUnread,
  type Timeline,
} from './timeline.ts'

const ann = { id: 'ann', name: 'ann', avatar: null }
const ben = { id: 'ben', name: 'Ben Lee (ben)', avatar: null }
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString()

const message = (seq: number, more: Partial<ChannelMessage> = {}): ChannelMessage => ({
  id: `m${seq}`,
  channelId: 'c',
  seq,
  parentId: null,
  inChannel: false,
  author: ann,
  answer: null,
  content: `text ${seq}`,
  forwarded: null,
  mentions: [],
  attachments: [],
  reactions: [],
  createdAt: at(seq),
  editedAt: null,
  deletedAt: null,
  pinnedAt: null,
  replyCount: 0,
  lastReplyAt: null,
  ...more,
})
const timeline = (messages: ChannelMessage[], more: Partial<Timeline> = {}): Timeline => ({
  messages,
  cursor: null,
  hasNewer: false,
  ...more,
})
const ids = ({ messages }: Timeline) => messages.map(({ id }) => id)

test('a message stands in the order of the channel, once, however often it comes', () => {
  const now = [message(3), message(1), message(2), message(3)].reduce(putMessage, timeline([]))
  expect(ids(now)).toEqual(['m1', 'm2', 'm3'])
})

test('what is newer than what is loaded waits until one goes there, and what is older, too', () => {
  expect(ids(putMessage(timeline([message(5)], { hasNewer: true }), message(9)))).toEqual(['m5'])
  expect(ids(putMessage(timeline([message(5)], { cursor: 'more' }), message(2)))).toEqual(['m5'])
})

test('an older page comes before the rest without what is there already', () => {
  const now = prependPage(timeline([message(3)], { cursor: 'more' }), {
    items: [message(1), message(2), message(3)],
    nextCursor: null,
  })
  expect(ids(now)).toEqual(['m1', 'm2', 'm3'])
  expect(now.cursor).toBeNull()
})

test('a reply counts at what it answers, once, and stands in the channel only where it was sent there', () => {
  const before = timeline([message(1)])
  const reply = message(2, { parentId: 'm1' })
  const event = { type: 'message-created', data: { message: reply } } as const
  const after = applyEvent(before, event, null, at(2))
  expect(ids(after)).toEqual(['m1'])
  expect(after.messages[0]).toMatchObject({ replyCount: 1, lastReplyAt: at(2) })
  expect(applyEvent(after, event, null, at(2)).messages[0]?.replyCount).toBe(1)
  const shown = { type: 'message-created', data: { message: { ...reply, inChannel: true } } } as const
  expect(ids(applyEvent(before, shown, null, at(2)))).toEqual(['m1', 'm2'])
  expect(ids(applyEvent(before, event, 'm1', at(2)))).toEqual(['m1', 'm2'])
})

test('a deleted message keeps its place and nothing else', () => {
  const full = message(1, { pinnedAt: at(1), reactions: [{ emoji: '👍', users: [ben] }] })
  const data = { channelId: 'c', messageId: 'm1', parentId: null }
  const [gone] = applyEvent(timeline([full]), { type: 'message-deleted', data }, null, at(5)).messages
  expect(gone).toMatchObject({ content: '', reactions: [], pinnedAt: null, deletedAt: at(5) })
})

test('reactions are added and taken back by person, and the last one takes its emoji along', () => {
  const data = { channelId: 'c', messageId: 'm1', emoji: '👍' }
  const add = (user: typeof ann) => ({ type: 'reaction-added', data: { ...data, user } }) as const
  const remove = (user: typeof ann) => ({ type: 'reaction-removed', data: { ...data, user } }) as const
  const events = [add(ann), add(ben), add(ann)]
  const both = events.reduce((now, event) => applyEvent(now, event, null, at(1)), timeline([message(1)]))
  expect(both.messages[0]?.reactions).toEqual([{ emoji: '👍', users: [ann, ben] }])
  const none = [remove(ann), remove(ben), remove(ben)].reduce((now, event) => applyEvent(now, event, null, at(1)), both)
  expect(none.messages[0]?.reactions).toEqual([])
})

test('messages of one person within five minutes are shown as one, unless something stands between them', () => {
  const first = message(1)
  expect(isContinued(message(3), first)).toBe(true)
  expect(isContinued(message(7), first)).toBe(false)
  expect(isContinued(message(2, { author: ben }), first)).toBe(false)
  expect(isContinued(message(2, { author: null }), message(1, { author: null }))).toBe(false)
  expect(isContinued(message(2), message(1, { deletedAt: at(1) }))).toBe(false)
  expect(isContinued(message(2, { parentId: 'm0' }), first)).toBe(false)
  expect(isContinued(first, undefined)).toBe(false)
})

test('new is what others wrote after the mark, and a gap before it is known', () => {
  const all = [message(4), message(5, { author: ben, deletedAt: at(5) }), message(6, { author: ben })]
  expect(firstUnread(all, 3, 'ann')?.id).toBe('m6')
  expect(firstUnread(all, 6, 'ann')).toBeUndefined()
  expect(reachesUnread(timeline(all, { cursor: 'more' }), 3)).toBe(true)
  expect(reachesUnread(timeline(all, { cursor: 'more' }), 2)).toBe(false)
  expect(reachesUnread(timeline(all), 0)).toBe(true)
})
