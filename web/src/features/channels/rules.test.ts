import type { Channel, ChannelMessage } from '@atrium/contract/channels'
import { expect, test } from 'vitest'
import { partsOfName } from './names.ts'
import { parseUnsent } from './open/outbox.ts'
import { canEdit, canInvite, canPin, canRemove, canRemoveMember, canManage, findSilence } from './rules.ts'

type Doer = Pick<Channel, 'type' | 'role' | 'archivedAt' | 'isMember' | 'posting'>
const doer = (more: Partial<Doer> = {}): Doer => ({
  type: 'private',
  role: 'member',
  archivedAt: null,
  isMember: true,
  posting: 'members',
  ...more,
})
const mine = { author: { id: 'me', name: 'me', avatar: null }, deletedAt: null } as ChannelMessage
const theirs = { author: { id: 'you', name: 'you', avatar: null }, deletedAt: null } as ChannelMessage
const archivedAt = '2026-01-01T00:00:00.000Z'

test('nobody writes where they are no member, where it is archived, or where only moderators may', () => {
  expect(findSilence(doer())).toBeNull()
  expect(findSilence(doer({ isMember: false, role: null }))).toBe('join')
  expect(findSilence(doer({ archivedAt }))).toBe('archived')
  expect(findSilence(doer({ posting: 'moderators' }))).toBe('readOnly')
  expect(findSilence(doer({ posting: 'moderators', role: 'moderator' }))).toBeNull()
})

test('one edits what is one’s own, and moderators delete what is not', () => {
  expect(canEdit(doer(), mine, 'me')).toBe(true)
  expect(canEdit(doer({ role: 'owner' }), theirs, 'me')).toBe(false)
  expect(canEdit(doer({ archivedAt }), mine, 'me')).toBe(false)
  expect(canRemove(doer(), theirs, 'me')).toBe(false)
  expect(canRemove(doer({ role: 'moderator' }), theirs, 'me')).toBe(true)
  expect(canRemove(doer({ type: 'dm', role: 'owner' }), theirs, 'me')).toBe(false)
  expect(canRemove(doer(), { ...mine, deletedAt: archivedAt }, 'me')).toBe(false)
})

test('members pin in direct messages, and invite into public channels', () => {
  expect(canPin(doer(), mine)).toBe(false)
  expect(canPin(doer({ type: 'dm' }), mine)).toBe(true)
  expect(canPin(doer({ role: 'moderator' }), mine)).toBe(true)
  expect(canInvite(doer())).toBe(false)
  expect(canInvite(doer({ type: 'public' }))).toBe(true)
  expect(canInvite(doer({ type: 'group', role: 'owner' }))).toBe(false)
})

test('owners remove everybody, moderators members, and nobody canManage a direct message', () => {
  expect(canRemoveMember(doer({ role: 'owner' }), 'moderator')).toBe(true)
  expect(canRemoveMember(doer({ role: 'moderator' }), 'moderator')).toBe(false)
  expect(canRemoveMember(doer({ role: 'moderator' }), 'member')).toBe(true)
  expect(canManage(doer({ role: 'owner' }))).toBe(true)
  expect(canManage(doer({ type: 'group', role: 'owner' }))).toBe(false)
})

test('a name with a display name is told apart from its user name', () => {
  expect(partsOfName('Ann Lee (ann)')).toEqual({ shown: 'Ann Lee', handle: 'ann' })
  expect(partsOfName('ann')).toEqual({ shown: 'ann', handle: 'ann' })
  expect(partsOfName('Evil (bob) (mallory)')).toEqual({ shown: 'Evil (bob)', handle: 'mallory' })
})

test('what was kept unsent is taken up again, and nonsense is not', () => {
  const one = {
    id: 'a',
    channelId: 'c',
    parentId: null,
    inChannel: false,
    content: 'x',
    attachments: [],
    models: [],
    createdAt: archivedAt,
  }
  expect(parseUnsent(JSON.stringify([{ ...one, state: 'failed', error: 1 }, { id: 1 }, null]))).toEqual([
    { ...one, state: 'sending', error: null },
  ])
  const { models: _models, ...older } = one
  expect(parseUnsent(JSON.stringify([older]))).toEqual([{ ...one, state: 'sending', error: null }])
  expect(parseUnsent('{half')).toEqual([])
  expect(parseUnsent(null)).toEqual([])
})
