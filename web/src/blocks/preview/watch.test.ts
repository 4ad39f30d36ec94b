import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchPreview } from './watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Watches a page of a thousand letters; gives how often it was asked, and whether it was given up. */
function begin() {
  const seen = { asked: 0, isGivenUp: false }
  const frame = { postMessage: () => (seen.asked += 1) } as unknown as Window
  const watch = watchPreview(frame, 1000, () => (seen.isGivenUp = true))
  return { watch, seen }
}

test('a page that answered while it loads may read its scripts for longer than one that stands', () => {
  const { watch, seen } = begin()
  watch.heard({ loaded: false })
  vi.advanceTimersByTime(9000)
  expect(seen.isGivenUp).toBe(false)
  watch.heard({ loaded: true })
  vi.advanceTimersByTime(2900)
  expect(seen.isGivenUp).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(seen.isGivenUp).toBe(true)
})

test('a page that never comes to stand is given up, and asked no more', () => {
  const { watch, seen } = begin()
  watch.heard({ loaded: false })
  vi.advanceTimersByTime(17_000)
  expect(seen.isGivenUp).toBe(true)
  const { asked } = seen
  vi.advanceTimersByTime(5000)
  expect(seen.asked).toBe(asked)
})

test('what was loaded in the place of a page has a second to answer, also where that never came to stand', () => {
  const { watch, seen } = begin()
  watch.heard({ loaded: false })
  watch.doubt()
  vi.advanceTimersByTime(900)
  expect(seen.isGivenUp).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(seen.isGivenUp).toBe(true)
})
