import { expect, test } from 'vitest'
import { createFollowers } from './followers.ts'
import type { Caller } from './area.ts'

const caller = (accountId: string, sessionId: string): Caller => ({
  accountId,
  sessionId,
  role: 'user',
  via: 'cookie',
  token: null,
})

test('the oldest of a session gives way to its newest, and the oldest of an account to any of its sessions', () => {
  const followers = createFollowers({ perSession: 2, perAccount: 3 })
  const gone: string[] = []
  const join = (account: string, session: string, name: string) =>
    followers.join(caller(account, session), () => gone.push(name))
  join('ann', 'laptop', 'a')
  join('ann', 'laptop', 'b')
  join('bob', 'laptop of bob', 'other')
  const leave = join('ann', 'laptop', 'c')
  expect(gone).toEqual(['a'])
  join('ann', 'phone', 'd')
  join('ann', 'phone', 'e')
  expect(gone).toEqual(['a', 'b'])
  leave()
  join('ann', 'tablet', 'f')
  expect(gone).toEqual(['a', 'b'])
  join('ann', 'tablet', 'g')
  expect(gone).toEqual(['a', 'b', 'd'])
})
