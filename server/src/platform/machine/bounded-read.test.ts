import { expect, test } from 'vitest'
import { createBoundedRead } from './bounded-read.ts'

test('each reading is a new one', async () => {
  let count = 0
  const read = createBoundedRead(async () => (count += 1), 60_000)
  expect([await read(), await read()]).toEqual([1, 2])
})

test('one that fails gives null, and the next one is tried', async () => {
  let count = 0
  const read = createBoundedRead(async () => {
    count += 1
    if (count === 1) throw new Error('gone')
    return count
  }, 60_000)
  expect([await read(), await read()]).toEqual([null, 2])
})

test('while one hangs no second one begins, and nobody waits for it again', async () => {
  const hanging = Promise.withResolvers<string>()
  let begun = 0
  const read = createBoundedRead(() => {
    begun += 1
    return hanging.promise
  }, 20)
  expect(await Promise.all([read(), read(), read()])).toEqual([null, null, null])
  expect(await read()).toBe(null)
  expect(begun).toBe(1)
  hanging.resolve('late')
  await expect.poll(read).toBe('late')
  expect(begun).toBe(2)
})
