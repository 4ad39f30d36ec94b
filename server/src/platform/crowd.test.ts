import { expect, test } from 'vitest'
import { createCrowd } from './crowd.ts'

test('a crowd is there once more came in a quarter of a second than so many a second are, and until less does', () => {
  const crowd = createCrowd(1000)
  for (let now = 0; now < 250; now += 1) crowd.count(now, 2)
  expect(crowd.isThere).toBe(false)
  crowd.count(250, 2)
  expect(crowd.isThere).toBe(true)
  crowd.count(500, 200)
  expect(crowd.isThere).toBe(false)
})
