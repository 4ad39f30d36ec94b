import { expect, test } from 'vitest'
import { collectReplay, maxReplayBytes, maxReplayItems } from './replay.ts'

const keep = (items: readonly unknown[]) => {
  const keeping = collectReplay()
  for (const item of items) keeping.add({ type: 'replay', wire: 'w', item })
  return keeping.replay()
}

test('nothing is kept of an answer that has nothing to be sent back', () => {
  expect(keep([])).toBeNull()
})

test('the newest items are kept, in their order', () => {
  const items = Array.from({ length: maxReplayItems + 10 }, (_, n) => ({ n }))
  expect(keep(items)).toEqual({ wire: 'w', items: items.slice(10) })
})

test('the oldest go when all together are too large', () => {
  const large = { sealed: 'x'.repeat(40_000) }
  expect(keep([{ n: 1 }, large, { n: 2 }, large, { n: 3 }, large])?.items).toEqual([{ n: 2 }, large, { n: 3 }, large])
})

test('an item that is too large by itself is not kept, and neither is what stood before it', () => {
  expect(keep([{ n: 1 }, { sealed: 'ü'.repeat(maxReplayBytes / 2) }])).toBeNull()
  expect(keep([{ sealed: 'x'.repeat(maxReplayBytes) }, { n: 2 }])?.items).toEqual([{ n: 2 }])
})
