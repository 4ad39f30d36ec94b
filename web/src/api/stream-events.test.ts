import { beforeEach, expect, test, vi } from 'vitest'
import type { onStreamEvent as On, placesText as Places, takeNotice as Take } from './stream-events.ts'

let onStreamEvent: typeof On
let placesText: typeof Places
let takeNotice: typeof Take

// A page has one connection, and so this module one memory.
beforeEach(async () => {
  vi.resetModules()
  ;({ onStreamEvent, placesText, takeNotice } = await import('./stream-events.ts'))
})

const opened = (places: Record<string, number>, joined = false) =>
  takeNotice({ type: 'streams-opened', data: { places, joined } })
const happened = (stream: string, seq: number, type = 'message-created') =>
  takeNotice({ type: 'stream-event', data: { stream, seq, type, data: { seq } } })

const listen = (name: string): string[] => {
  const heard: string[] = []
  onStreamEvent(name, ({ type, data }, stream) => heard.push(`${stream} ${type} ${JSON.stringify(data)}`))
  return heard
}

test('an event is given once, to who listens for its stream or for all of its kind', () => {
  const one = listen('channel:a')
  const all = listen('channel:')
  opened({ 'channel:a': 4, 'channel:b': 0 })
  for (const seq of [4, 5, 5, 6]) happened('channel:a', seq)
  happened('channel:b', 1)
  const ofA = ['channel:a message-created {"seq":5}', 'channel:a message-created {"seq":6}']
  expect(one).toEqual(ofA)
  expect(all).toEqual([...ofA, 'channel:b message-created {"seq":1}'])
  opened({ 'channel:c': 8 }, true)
  expect(all.at(-1)).toBe('channel:c reset {}')
})

test('a connection that comes back where it was left says nothing, and one that could not is read anew', () => {
  opened({ 'channel:a': 1, 'channel:b': 1 })
  happened('channel:a', 2)
  const heard = listen('channel:')
  opened({ 'channel:a': 2, 'channel:b': 7 })
  expect(heard).toEqual(['channel:b reset {}'])
  expect(placesText()).toBe('channel:a@2,channel:b@7')
})

test('a place that is gone goes on from the one that the server names, also a lower one', () => {
  opened({ 'channel:a': 90 })
  const heard = listen('channel:a')
  happened('channel:a', 12, 'reset')
  happened('channel:a', 13)
  expect(heard).toEqual(['channel:a reset {"seq":12}', 'channel:a message-created {"seq":13}'])
  takeNotice({ type: 'stream-closed', data: { stream: 'channel:a' } })
  expect(heard.at(-1)).toBe('channel:a closed {}')
  expect(placesText()).toBe('')
})

test('of more places than an address may hold, those that moved last are told', () => {
  const ids = Array.from(
    { length: 400 },
    (_, n) => `channel:01890a5d-ac96-774b-bcce-b302099a${String(n).padStart(4, '0')}`,
  )
  opened(Object.fromEntries(ids.map((id) => [id, 1])))
  happened(ids[3] ?? '', 2)
  expect(placesText().length).toBeLessThanOrEqual(8000)
  expect(placesText().startsWith(`${ids[3]}@2,`)).toBe(true)
})

test('places that are too many for one message go in several, and only the last one says that it is', async () => {
  const { placeMessages } = await import('./live-connection.ts')
  const ids = Array.from(
    { length: 150 },
    (_, n) => `channel:01890a5d-ac96-774b-bcce-b302099a${String(n).padStart(4, '0')}`,
  )
  const messages = placeMessages(new Map(ids.map((id, n) => [id, 10 ** 14 + n])))
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(4096)
  const said = messages.map((text) => JSON.parse(text) as { data: { places: Record<string, number>; more?: true } })
  expect(said.flatMap(({ data }) => Object.keys(data.places))).toEqual(ids)
  expect(said.map(({ data }) => data.more ?? false)).toEqual(said.map((_, n) => n < said.length - 1))
  expect(placeMessages(new Map())).toEqual(['{"type":"places","data":{"places":{}}}'])
})
