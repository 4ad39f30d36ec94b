import { calendarRoutes } from '@atrium/contract/calendar'
import { channelsRoutes } from '@atrium/contract/channels'
import { chatRoutes } from '@atrium/contract/chat'
import { expect, test } from 'vitest'
import {
  completeEvent,
  cutToLimit,
  eventsIn,
  goneWith,
  isWholePage,
  type KeptPlace,
  mayStay,
  placeOfAnswer,
} from './kept.ts'

test('the end of channels and chats is kept by their id, and nothing that asks for something in particular', () => {
  const params = { channelId: 'c' }
  const place = placeOfAnswer(channelsRoutes.messages.path, { params, query: { limit: 70 } })
  expect(place).toMatchObject({ group: 'channel' })
  expect(placeOfAnswer(channelsRoutes.messages.path, { params, query: { limit: 50 } })).toEqual(place)
  expect(placeOfAnswer(channelsRoutes.messages.path, { params: { channelId: 'd' } })?.name).not.toBe(place?.name)
  for (const name of ['cursor', 'after', 'around'])
    expect(placeOfAnswer(channelsRoutes.messages.path, { params, query: { [name]: 'x' } })).toBeNull()
  expect(placeOfAnswer(chatRoutes.read.path, { params: { sessionId: 's' } })).toMatchObject({ group: 'chat' })
  expect(placeOfAnswer(chatRoutes.list.path, { query: { archived: 'false' } })).toMatchObject({ group: 'page' })
  expect(placeOfAnswer(chatRoutes.list.path, { query: { q: 'x' } })).toBeNull()
  expect(placeOfAnswer(channelsRoutes.pins.path, { params })).toBeNull()
  expect(placeOfAnswer(calendarRoutes.events.path, { query: { from: 'a', to: 'b' } })).toMatchObject({ group: 'page' })
})

test('a look at the end of a list or a chat is no page that could be kept, and is answered from the page', () => {
  const whole = (path: string, limit?: number) => isWholePage(path, { query: limit === undefined ? {} : { limit } })
  expect([1, 4, 30, undefined].map((limit) => whole(chatRoutes.read.path, limit))).toEqual([false, false, true, true])
  expect([6, 20, 40, undefined].map((limit) => whole(chatRoutes.list.path, limit))).toEqual([false, false, true, true])
  expect([1, 100].map((limit) => whole(channelsRoutes.thread.path, limit))).toEqual([false, true])
  expect([50, 70].map((limit) => whole(channelsRoutes.messages.path, limit))).toEqual([true, true])
  expect(whole(channelsRoutes.list.path, 500)).toBe(true)
  const cut = (path: string, kept: unknown, limit: number) => cutToLimit(path, kept, { query: { limit } })
  expect(cut(chatRoutes.list.path, { items: [1, 2, 3], nextCursor: null }, 2)).toMatchObject({ items: [1, 2] })
  const chat = { title: 'Lisbon', messages: { items: [1, 2, 3], nextCursor: null } }
  expect(cut(chatRoutes.read.path, chat, 2)).toEqual({ title: 'Lisbon', messages: { items: [2, 3], nextCursor: null } })
  expect(cutToLimit(chatRoutes.read.path, chat, {})).toBe(chat)
})

test('of the kept events, those of the range on screen are given', () => {
  const event = (day: number) => ({ startAt: `2026-11-${day}T10:00:00Z`, endAt: `2026-11-${day}T11:00:00Z` })
  const range = { from: '2026-11-12T00:00:00Z', to: '2026-11-14T00:00:00Z' }
  expect(eventsIn([event(11), event(12), event(13), event(14)], range)).toEqual([event(12), event(13)])
})

test('events that an earlier version kept are shown without what it did not know', () => {
  const before = { id: 'e', title: 'Stand-up' } as Parameters<typeof completeEvent>[0]
  expect(completeEvent(before)).toEqual({ id: 'e', title: 'Stand-up', fileGuests: [], organizer: null })
  const named = { ...before, organizer: 'Ann' }
  expect(completeEvent(named).organizer).toBe('Ann')
})

test('chats of others and temporary ones do not stay, nor do channels that the account left', () => {
  const own = { expiresAt: null, ownerName: null }
  expect(mayStay(chatRoutes.read.path, own)).toBe(true)
  expect(mayStay(chatRoutes.read.path, { ...own, ownerName: 'Ann' })).toBe(false)
  expect(mayStay(chatRoutes.read.path, { ...own, expiresAt: '2026-11-28T10:00:00Z' })).toBe(false)

  const kept = [
    placeOfAnswer(channelsRoutes.messages.path, { params: { channelId: 'a' } }),
    placeOfAnswer(channelsRoutes.read.path, { params: { channelId: 'b' } }),
    placeOfAnswer(channelsRoutes.thread.path, { params: { messageId: 'm' } }),
    placeOfAnswer(chatRoutes.read.path, { params: { sessionId: 's' } }),
  ].filter((place): place is KeptPlace => place !== null)
  const goneFrom = (ids: readonly string[], nextCursor: string | null = null) =>
    goneWith(channelsRoutes.list.path, { items: ids.map((id) => ({ id })), nextCursor })?.(kept)
  expect(goneFrom(['a', 'b'])).toEqual([])
  expect(goneFrom(['a'])).toEqual([kept[1], kept[2]])
  expect(goneFrom(['a'], 'more')).toBeUndefined()
  expect(goneWith(chatRoutes.read.path, own)).toBeNull()
})
