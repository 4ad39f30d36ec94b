import { expect, test } from 'vitest'
import { Problem } from '../../api/errors.ts'
import { waitOf } from './use-wait.ts'

test('only a refusal for too many tries is waited out, and as long as the server says', () => {
  const limited = (retryAfterMs: number | null) => new Problem('rate_limited', '', { status: 429, retryAfterMs })
  expect([limited(7000), limited(null)].map(waitOf)).toEqual([7000, 0])
  expect(waitOf(new Problem('over_budget', '', { status: 429, retryAfterMs: 7000 }))).toBe(0)
  expect([null, undefined, new Error('offline')].map(waitOf)).toEqual([0, 0, 0])
})
