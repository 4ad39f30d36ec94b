import { expect, test } from 'vitest'
import { DatabaseError } from '../../platform/db/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { testClock } from '../../testing/clock.ts'
import type { CountedCall } from './batch.ts'
import type { EventBatch } from './stores/events.ts'
import { createUsageWriter } from './writer.ts'

const call = (id: string): CountedCall => ({
  cost: null,
  listed: true,
  event: {
    id,
    plugin_id: 'p',
    plugin_name: 'P',
    capability: 'chat',
    model: 'm',
    status: 'success',
    user_id: 'ann',
    prompt_tokens: 1,
    completion_tokens: 1,
    cached_tokens: null,
    reasoning_tokens: null,
    unit_kind: null,
    input_units: null,
    output_units: null,
    duration_ms: 1,
    first_token_ms: null,
    created_at: 0,
    error_class: null,
    film_seconds: null,
  },
})

/** A database that fails as often as it is told to. */
const start = (failure: (attempt: number) => Error | null) => {
  const written: string[] = []
  let attempts = 0
  let lost = 0
  const writer = createUsageWriter({
    store: {
      write: async (batch: EventBatch) => {
        const error = failure(++attempts)
        if (error) throw error
        written.push(...batch.events.map((event) => event.id))
      },
      prune: async () => undefined,
      prunedAt: async () => 0,
    },
    clock: testClock(),
    log: createLog({ level: 'silent' }),
    dropped: (calls) => void (lost += calls),
    windowMs: 5,
  })
  return { writer, written, lost: () => lost }
}

test('calls are kept while the database does not answer, and written when it does', async () => {
  const { writer, written, lost } = start((attempt) => (attempt <= 3 ? new Error('no answer') : null))
  for (const id of ['a', 'b', 'c']) writer.add(call(id))
  await expect.poll(() => written).toEqual(['a', 'b', 'c'])
  await writer.stop()
  expect(lost()).toBe(0)
})

test('a batch that is there already counts as written', async () => {
  const { writer, lost } = start(() => new DatabaseError('23505', 'there already'))
  writer.add(call('a'))
  await writer.stop()
  expect(lost()).toBe(0)
})

test('a batch that the database will never take is dropped and counted, and the next one goes on', async () => {
  const { writer, written, lost } = start((attempt) => (attempt <= 5 ? new DatabaseError('22003', 'too large') : null))
  writer.add(call('a'))
  await expect.poll(lost).toBe(1)
  writer.add(call('b'))
  await writer.stop()
  expect(written).toEqual(['b'])
})

test('what cannot be written at the end is counted as lost', async () => {
  const { writer, lost } = start(() => new Error('no answer'))
  writer.add(call('a'))
  await writer.stop()
  expect(lost()).toBe(1)
  writer.add(call('b'))
  expect(lost()).toBe(2)
})
