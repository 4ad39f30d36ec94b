import { expect, test } from 'vitest'
import { formatSize } from './format.ts'

test('sizes are said with the plural of their unit', () => {
  expect([1, 184, 1000, 4_100_000_000].map(formatSize)).toEqual(['1 byte', '184 bytes', '1 kB', '4.1 GB'])
})
