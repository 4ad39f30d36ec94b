import { expect, test, vi } from 'vitest'
import {
  allPeople,
  allShown,
  isAnyInFront,
  onShownChange,
  peopleJoins,
  shareShown,
  type TabStreams,
  takeShown,
  takeSignal,
} from './shown-streams.ts'
import { knownPresence, onPresence, takePresence } from './stream-events.ts'

vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
const page = new EventTarget()
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))

test('the tab that holds the connection knows what the others show, until they say that they show nothing', () => {
  let changes = 0
  const stop = onShownChange(() => (changes += 1))
  takeShown({ tab: 'one', shows: ['channel:a'] })
  takeShown({ tab: 'two', shows: ['channel:a', 'channel:b'] })
  expect(allShown()).toEqual(['channel:a', 'channel:b'])
  takeShown({ tab: 'two', shows: [] })
  expect(allShown()).toEqual(['channel:a'])
  expect(changes).toBe(3)
  // Not more than the server takes.
  takeShown({ tab: 'many', shows: Array.from({ length: 20 }, (_, n) => `channel:${n}`) })
  expect(allShown()).toHaveLength(8)
  stop()
})

test('a tab says what it shows when it is asked, and nothing any more once it is left', () => {
  const said: TabStreams[] = []
  const stop = shareShown((one) => said.push(one))
  takeShown({ tab: 'leader', shows: null })
  page.dispatchEvent(new Event('pagehide'))
  expect(said.map(({ shows }) => shows)).toEqual([[], []])
  expect(new Set(said.map(({ tab }) => tab)).size).toBe(1)
  stop()
  page.dispatchEvent(new Event('pagehide'))
  expect(said).toHaveLength(2)
  // Nobody listens here.
  takeSignal('channel:a', { type: 'typing', data: {} })
})

test('people on screen and somebody in front of any tab are known to the tab that holds the connection', () => {
  const joins = peopleJoins()
  takeShown({ tab: 'one', shows: [], people: ['ann', 'ben'], inFront: true })
  takeShown({ tab: 'two', shows: [], people: ['ben', 'cid'] })
  expect(allPeople()).toEqual(['ann', 'ben', 'cid'])
  expect(peopleJoins()).toBe(joins + 2)
  // The same again is no news, and whoever shows fewer asks for nothing.
  takeShown({ tab: 'two', shows: [], people: ['cid'] })
  expect(peopleJoins()).toBe(joins + 2)
  const heard: string[] = []
  const stop = onPresence((ids) => heard.push(...ids))
  takePresence([{ userId: 'ben', state: 'active', status: null }])
  expect(knownPresence('ben')).toEqual({ userId: 'ben', state: 'active', status: null })
  expect(knownPresence('cid')).toBeUndefined()
  expect(heard).toEqual(['ben'])
  stop()
  // This page is hidden, and another one is looked at until it says otherwise.
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'hidden' }))
  expect(isAnyInFront()).toBe(true)
  takeShown({ tab: 'one', shows: [], people: ['ann'], inFront: false })
  expect(isAnyInFront()).toBe(false)
})
