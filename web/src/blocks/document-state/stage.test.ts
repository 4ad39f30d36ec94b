import type { Document } from '@atrium/contract/documents'
import type { Job } from '@atrium/contract/durable-jobs'
import { expect, test } from 'vitest'
import { stageOf } from './stage.ts'

const document = (more: Partial<Document>) =>
  ({ processingStatus: 'completed', chunks: 10, embedding: { state: 'off', chunks: 0 }, ...more }) as Document
const job = (message: string | null, current = 25) =>
  ({
    state: 'running',
    startedAt: '2026-11-01T10:00:00.000Z',
    progress: { current, total: 100, message },
  }) as unknown as Job
const now = Date.parse('2026-11-01T10:00:10.000Z')

test('what was read is ready, searchable, embedding, or found by words alone', () => {
  expect(stageOf(document({}), undefined, now).kind).toBe('ready')
  expect(stageOf(document({ embedding: { state: 'done', chunks: 10 } }), undefined, now).kind).toBe('ready')
  expect(stageOf(document({ embedding: { state: 'pending', chunks: 0 } }), undefined, now).kind).toBe('searchable')
  expect(stageOf(document({ embedding: { state: 'pending', chunks: 4 } }), undefined, now)).toEqual({
    kind: 'embedding',
    share: 0.4,
  })
  expect(stageOf(document({ embedding: { state: 'failed', chunks: 2 } }), undefined, now).kind).toBe('words-only')
  expect(stageOf(document({ processingStatus: 'failed' }), job('reading'), now).kind).toBe('failed')
})

test('what is being read tells its step, how much is done and how long it may take', () => {
  const reading = document({ processingStatus: 'processing' })
  expect(stageOf(reading, job('looking 3 6'), now)).toMatchObject({
    kind: 'reading',
    step: { name: 'looking', done: 3, of: 6 },
    leftMs: 30_000,
  })
  expect(stageOf(reading, job('something new'), now)).toMatchObject({ step: { name: 'reading', done: null } })
  expect(stageOf(reading, undefined, now)).toMatchObject({ kind: 'reading', leftMs: null })
  expect(stageOf(document({ processingStatus: 'queued' }), undefined, now).kind).toBe('queued')
})
