import { expect, test, vi } from 'vitest'
import { allShown, onShownChange, shareShown, type TabStreams, takeShown, takeSignal } from './shown-streams.ts'

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
