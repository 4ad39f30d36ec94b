import { expect, test } from 'vitest'
import { followNewest } from './newest.ts'

const begin = () => {
  const work = Promise.withResolvers<string>()
  let tell: (news: number) => void = () => undefined
  const followed = followNewest<number, string>((told) => {
    tell = told
    return work.promise
  })
  return { followed, tell: (news: number) => tell(news), end: work.resolve, fail: work.reject }
}
/** Whatever waits for nothing has gone on by then. */
const rest = () => new Promise(setImmediate)

test('news that comes while the last one is looked at is told at once, and not with the next', async () => {
  const { followed, tell, end } = begin()
  const first = followed.next()
  tell(1)
  expect(await first).toEqual({ value: 1, done: false })
  tell(2)
  tell(3)
  const second = followed.next()
  await rest()
  end('made')
  expect(await second).toEqual({ value: 3, done: false })
  expect(await followed.next()).toEqual({ value: 'made', done: true })
})

test('the end is its result, or what went wrong', async () => {
  const done = begin()
  const last = done.followed.next()
  done.end('made')
  expect(await last).toEqual({ value: 'made', done: true })
  const failing = begin()
  const failed = failing.followed.next()
  failing.fail(new Error('no'))
  await expect(failed).rejects.toThrow('no')
})
