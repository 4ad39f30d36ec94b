import { describe, expect, test } from 'vitest'
import { fail } from '../http/refusal.ts'
import { chooseNext, decideOutcome, mergeHandlers, retryDelay, type Waiting } from './rules.ts'
import { JobFailure, type JobHandler, type JobPriority } from './types.ts'

describe('how a try ends', () => {
  const broken = new Error('with words of a user in it')
  test.each([
    ['an unknown error is tried again', broken, null, 1, 'retried'],
    ['an unknown error fails the last try', broken, null, 3, 'failed'],
    ['a failure of its own is final at once', new JobFailure('model_not_found', 'It is gone.'), null, 1, 'failed'],
    ['a refusal is final at once', fail('model_not_found'), null, 1, 'failed'],
    ['a refusal for a passing reason is tried again', fail('storage_full'), null, 1, 'retried'],
    ['cancelled is cancelled, however the handler ended', broken, 'cancelled', 1, 'cancelled'],
    ['cancelled is cancelled on the last try too', null, 'cancelled', 3, 'cancelled'],
    ['a stop of the server gives the job back', broken, 'stopping', 3, 'released'],
    ['a lost lease writes nothing', broken, 'lease-lost', 1, 'lost'],
    ['what an account that is not active began is not tried again', broken, 'account-inactive', 1, 'failed'],
    ['a timeout is tried again', broken, 'timeout', 1, 'retried'],
    ['a timeout fails the last try', null, 'timeout', 3, 'failed'],
  ] as const)('%s', (_, error, reason, attempt, to) => {
    const outcome = decideOutcome(error, reason, attempt, 3)
    expect(outcome.to).toBe(to)
    expect(JSON.stringify(outcome)).not.toContain('words of a user')
  })
})

describe('the wait before the next try', () => {
  test('doubles, is spread by half, and ends at five minutes', () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, 1000, 0.5))).toEqual([1000, 2000, 4000, 8000])
    expect([retryDelay(1, 1000, 0), retryDelay(1, 1000, 0.999)]).toEqual([500, 1499])
    expect(retryDelay(40, 1000, 0.5)).toBe(300_000)
  })
})

describe('what is begun next', () => {
  const now = 10_000_000
  const line = (share: string, kind: JobPriority, running: number, waitedMs: number): Waiting => ({
    share,
    kind,
    running,
    dueAt: now - waitedMs,
  })
  const choose = (waiting: readonly Waiting[], limit = 9) =>
    chooseNext(waiting, (kind) => kind as JobPriority, now, limit).map(
      ({ share, kind }) => (share === 'al' ? 'a' : 'b') + kind[0],
    )
  test.each<[string, Waiting[], string[]]>([
    ['older jobs come first', [line('bo', 'normal', 0, 1), line('al', 'normal', 0, 2)], ['an', 'bn']],
    ['idle accounts come first', [line('bo', 'normal', 1, 9), line('al', 'normal', 0, 2)], ['an', 'bn']],
    ['a higher priority comes first', [line('bo', 'normal', 0, 9), line('al', 'high', 3, 2)], ['ah', 'bn']],
    ['a low priority comes last', [line('bo', 'low', 0, 599_999), line('al', 'normal', 3, 2)], ['an', 'bl']],
    ['and no more after ten minutes', [line('al', 'normal', 0, 2), line('bo', 'low', 0, 600_000)], ['bl', 'an']],
    ['one of an account', [line('al', 'low', 0, 9), line('al', 'normal', 0, 2)], ['an']],
  ])('%s', (_, waiting, chosen) => {
    expect(choose(waiting)).toEqual(chosen)
  })
  test('and no more than there are places', () => {
    expect(choose([line('al', 'normal', 0, 2), line('bo', 'normal', 0, 1)], 1)).toEqual(['an'])
  })
})

describe('handlers', () => {
  test('may not be two for one kind', () => {
    const handler = {} as JobHandler
    expect([...mergeHandlers([{ a: handler }, { b: handler }]).keys()]).toEqual(['a', 'b'])
    expect(() => mergeHandlers([{ a: handler }, { a: handler }])).toThrow(/two handlers/)
  })
})
