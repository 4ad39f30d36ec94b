import type { MediaJob } from '@atrium/contract/media-gallery'
import { expect, test } from 'vitest'
import { isActiveJob } from '../../../blocks/media-models.ts'
import { unseenFailures } from './failures.ts'

const job = (id: string, more: Partial<MediaJob>): MediaJob => ({
  id,
  kind: 'video',
  status: 'failed',
  model: 'm',
  pluginId: 'p',
  prompt: 'Waves',
  options: {},
  progress: null,
  error: 'timed_out',
  missing: null,
  galleryIds: [],
  galleryId: null,
  cancellable: false,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T11:00:00.000Z',
  ...more,
})

test('failures are told until they were looked at, and never what the person stopped', () => {
  const jobs = [
    job('late', { updatedAt: '2026-11-01T12:00:00.000Z' }),
    job('early', {}),
    job('stopped', { error: 'cancelled' }),
    job('done', { status: 'completed', error: null }),
    job('running', { status: 'pending', error: null }),
  ]
  const told = (seen: string) => unseenFailures(jobs, seen).map(({ id }) => id)
  expect(told('')).toEqual(['late', 'early'])
  expect(told('2026-11-01T11:00:00.000Z')).toEqual(['late'])
  expect(told('2026-11-01T12:00:00.000Z')).toEqual([])
  expect(jobs.filter(isActiveJob).map(({ id }) => id)).toEqual(['running'])
})
