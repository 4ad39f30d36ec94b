import { describe, expect, test } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { createCache } from './cache.ts'

describe('a cache', () => {
  test('that is full loses what was not used for the longest time', () => {
    const cache = createCache<number>({ max: 2 })
    cache.set('a', 1)
    cache.set('b', 2)
    cache.get('a')
    cache.set('c', 3)
    expect(['a', 'b', 'c'].map(cache.get)).toEqual([1, undefined, 3])
  })

  test('gives an entry until its time is over, however often it is used', () => {
    const clock = testClock()
    const cache = createCache<string>({ max: 10, ttl: { ms: 1000, clock } })
    cache.set('a', 'old')
    clock.advance(999)
    expect(cache.get('a')).toBe('old')
    clock.advance(1)
    expect(cache.get('a')).toBeUndefined()
  })

  test('keeps entries that mean no', async () => {
    const cache = createCache<boolean>({ max: 10 })
    await cache.load('a', async () => false)
    expect(await cache.load('a', () => Promise.reject(new Error('read again')))).toBe(false)
  })

  test('reads once for all who ask at the same time, and again after a failure', async () => {
    const cache = createCache<number>({ max: 10 })
    let reads = 0
    const fail = async (): Promise<number> => {
      reads += 1
      throw new Error('away')
    }
    const answers = await Promise.allSettled([cache.load('a', fail), cache.load('a', fail)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(reads).toBe(1)
    expect(await cache.load('a', async () => 7)).toBe(7)
  })

  test.each([['a'], [undefined]])('does not keep what was forgotten while it was read', async (key) => {
    const cache = createCache<string>({ max: 10 })
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = cache.load('a', () => promise)
    cache.forget(key)
    const second = cache.load('a', async () => 'new')
    resolve('old')
    expect(await Promise.all([first, second])).toEqual(['old', 'new'])
    expect(cache.get('a')).toBe('new')
  })

  test('forgets everything where messages may have been lost', () => {
    let lost = () => {}
    const database = {
      listen: (_channel: string, _hear: (payload: string) => void, onGap?: () => void) => {
        lost = onGap ?? lost
        return () => {}
      },
      notify: async () => {},
    }
    const cache = createCache<string>({ max: 10, channel: { name: 'test-cache', database } })
    cache.set('a', 'a')
    lost()
    expect(cache.get('a')).toBeUndefined()
  })
})

onBothDatabases('a cache with a channel', (open) => {
  test('forgets here at once, and in other processes when they hear of it', async () => {
    const database = await open([])
    const channel = { name: 'test-cache', database }
    const here = createCache<string>({ max: 10, channel })
    const elsewhere = createCache<string>({ max: 10, channel })
    for (const cache of [here, elsewhere]) for (const key of ['a', 'b', 'c']) cache.set(key, key)
    const told = here.forgetEverywhere('a')
    expect(here.get('a')).toBeUndefined()
    await told
    await expect.poll(() => elsewhere.get('a')).toBeUndefined()
    expect(elsewhere.get('b')).toBe('b')
    await here.forgetEverywhere()
    await expect.poll(() => elsewhere.get('b')).toBeUndefined()
    elsewhere.close()
    elsewhere.set('a', 'kept')
    await here.forgetEverywhere()
    expect(elsewhere.get('a')).toBe('kept')
    here.close()
  })
})
