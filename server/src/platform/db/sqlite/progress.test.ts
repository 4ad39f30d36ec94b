import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'

it('a read is begun or withdrawn, whichever side was first', () => {
  const loop = createProgress()
  const thread = createProgress(loop.shared)
  expect(thread.begin(1)).toBe(true)
  expect(loop.stop(3)).toBe(1)
  expect([2, 3, 4].map(thread.begin)).toEqual([false, false, true])
  loop.reset()
  expect(thread.begin(1)).toBe(true)
})
