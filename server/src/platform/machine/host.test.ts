import { expect, test } from 'vitest'
import { usageOf } from './host.ts'

test.each([
  [
    { totalBytes: 1000, free: 250 },
    { freeBytes: 250, usedBytes: 750, usedPercent: 75 },
  ],
  [
    { totalBytes: 3000, free: 2999 },
    { freeBytes: 2999, usedBytes: 1, usedPercent: 0 },
  ],
  [
    { totalBytes: 0, free: 0 },
    { freeBytes: 0, usedBytes: 0, usedPercent: 0 },
  ],
  // A reading that is torn between two moments.
  [
    { totalBytes: 1000, free: 1200 },
    { freeBytes: 1000, usedBytes: 0, usedPercent: 0 },
  ],
])('of %o is used %o', ({ totalBytes, free }, expected) => {
  expect(usageOf(totalBytes, free)).toEqual({ totalBytes, ...expected })
})
