import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { readinessChecks } from './checks.ts'

const databaseCheck = (ping: () => Promise<void>) => {
  const check = readinessChecks({ ping }, tmpdir()).find(({ id }) => id === 'database')
  return async (): Promise<void> => {
    if (!check) throw new Error('The database is not looked at.')
    await check.run()
  }
}

test('a database that stands still is asked once, however often proxies ask', async () => {
  let pings = 0
  const answer = Promise.withResolvers<void>()
  const look = databaseCheck(() => {
    pings += 1
    return answer.promise
  })
  const looks = await Promise.allSettled(Array.from({ length: 20 }, look))
  await expect(look()).rejects.toThrow('does not answer')
  expect(looks.filter(({ status }) => status === 'fulfilled')).toEqual([])
  expect(pings).toBe(1)
  answer.resolve()
  await expect.poll(() => Promise.allSettled([look()])).toMatchObject([{ status: 'fulfilled' }])
})

test('a database that is away is not ready, and is once it is back', async () => {
  let isAway = true
  const look = databaseCheck(async () => {
    if (isAway) throw new Error('connect ECONNREFUSED')
  })
  await expect(look()).rejects.toThrow('ECONNREFUSED')
  isAway = false
  await expect(look()).resolves.toBeUndefined()
})
