import type { Channel } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import { groupChannels, inOrder, neighbourOf, nextUnread } from './order.ts'

const channel = (id: string, more: Partial<Channel> = {}): Channel => ({
  id,
  type: 'public',
  name: id,
  topic: null,
  description: null,
  posting: 'members',
  calling: 'members',
  history: 'everything',
  retentionDays: null,
  memberCount: 2,
  people: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  archivedAt: null,
  latestMessageAt: null,
  lastSeq: 0,
  isMember: true,
  role: 'member',
  readSeq: 0,
  unreadCount: 0,
  mentionCount: 0,
  notices: { level: 'mentions', mutedUntil: null },
  ...more,
})
const dm = (name: string, latestMessageAt: string | null) =>
  channel(`dm-${name}`, { type: 'dm', name: '', people: [{ id: name, name, avatar: null }], latestMessageAt })
const ids = (all: readonly Channel[]) => all.map(({ id }) => id)

test('rooms stand by name, direct messages by what was said last, and archived rooms by themselves', () => {
  const groups = groupChannels(
    [
      channel('zoo'),
      dm('carol', '2026-01-02T00:00:00.000Z'),
      channel('ape'),
      dm('ben', '2026-01-03T00:00:00.000Z'),
      channel('old', { archivedAt: '2026-01-01T00:00:00.000Z' }),
    ],
    '',
    'Former member',
  )
  expect(ids(inOrder(groups))).toEqual(['ape', 'zoo', 'dm-ben', 'dm-carol', 'old'])
})

test('words find a direct message by its people, and one whose people are gone by what it is called then', () => {
  const all = [dm('Ben Lee (ben)', null), channel('dm-gone', { type: 'dm', name: '' }), channel('ben-talk')]
  expect(ids(inOrder(groupChannels(all, 'ben', 'Former member')))).toEqual(['ben-talk', 'dm-Ben Lee (ben)'])
  expect(ids(inOrder(groupChannels(all, 'former', 'Former member')))).toEqual(['dm-gone'])
})

test('one goes up and down in the list and stops at its ends', () => {
  const all = [channel('a'), channel('b')]
  expect(neighbourOf(all, 'a', 1)?.id).toBe('b')
  expect(neighbourOf(all, 'b', 1)).toBeUndefined()
  expect(neighbourOf(all, undefined, 1)?.id).toBe('a')
})

test('the next unread one is what calls the reader, else what comes next, round the end', () => {
  const all = [channel('a', { unreadCount: 2 }), channel('b'), channel('c', { unreadCount: 1 })]
  expect(nextUnread(all, 'b')?.id).toBe('c')
  expect(nextUnread(all, 'c')?.id).toBe('a')
  expect(nextUnread([...all, channel('d', { unreadCount: 3, mentionCount: 1 })], 'b')?.id).toBe('d')
  expect(nextUnread([channel('b')], 'b')).toBeUndefined()
})
