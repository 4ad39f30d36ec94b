import { describe, expect, test } from 'vitest'
import { fail } from '../../../platform/http/refusal.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { imageIssues, soundIssues, speechIssues, videoIssues } from './options.ts'
import { advanceJob, collectGapMs, failureOf, isResumable, type JobReport, longestJobMs } from './rules.ts'
import type { MediaJobRow } from './tables.ts'

const now = 1_800_000_000_000
const job = (status: MediaJobRow['status'], progress: number | null = null, created_at = now - 60_000) => ({
  status,
  progress,
  created_at,
})

describe('a job', () => {
  const working = (progress: number | null): JobReport => ({ state: 'running', progress })
  const waiting: JobReport = { state: 'waiting', progress: null }
  const cases: [string, ReturnType<typeof job>, JobReport, object][] = [
    ['waits with its provider', job('pending'), waiting, { to: 'same' }],
    ['goes on', job('pending'), working(null), { to: 'in_progress', progress: null }],
    ['tells how far it is', job('in_progress'), working(0.4), { to: 'in_progress', progress: 400 }],
    ['never goes back in progress', job('in_progress', 700), working(0.4), { to: 'in_progress', progress: 700 }],
    [
      'keeps its progress where nobody tells',
      job('in_progress', 700),
      working(null),
      { to: 'in_progress', progress: 700 },
    ],
    ['never goes back to waiting', job('in_progress', 700), waiting, { to: 'in_progress', progress: 700 }],
    ['is taken up from waiting', job('pending'), { state: 'done' }, { to: 'fetch' }],
    ['is taken up', job('in_progress'), { state: 'done' }, { to: 'fetch' }],
    [
      'fails from waiting',
      job('pending'),
      { state: 'failed', reason: 'refused' },
      { to: 'failed', failure: 'refused' },
    ],
    ['fails', job('in_progress'), { state: 'failed', reason: 'moderated' }, { to: 'failed', failure: 'moderated' }],
    ['stays where nothing can be told', job('in_progress'), { state: 'unclear' }, { to: 'same' }],
    ['that is done stays so', job('completed'), working(0.1), { to: 'same' }],
    ['that failed is not done afterwards', job('failed'), { state: 'done' }, { to: 'same' }],
    ['that failed does not fail again', job('failed'), { state: 'failed', reason: 'expired' }, { to: 'same' }],
    [
      'ends after a day',
      job('in_progress', 10, now - longestJobMs),
      working(0.2),
      { to: 'failed', failure: 'timed_out' },
    ],
    [
      'that is done after a day is taken up',
      job('in_progress', 10, now - longestJobMs),
      { state: 'done' },
      { to: 'fetch' },
    ],
    [
      'of which nothing can be told ends after a day',
      job('in_progress', null, now - longestJobMs),
      { state: 'unclear' },
      { to: 'failed', failure: 'timed_out' },
    ],
  ]
  test.each(cases)('%s', (_, before, report, next) => {
    expect(advanceJob(before, report, now)).toEqual(next)
  })

  test('is collected in gaps that grow to an hour', () => {
    const gaps = [0, 1, 2, 3, 10, 1000].map((n) => collectGapMs(n) / 60_000)
    expect(gaps).toEqual([5, 8, 12.8, expect.closeTo(20.48), 60, 60])
  })

  test('can be taken up again where its provider may still have it', () => {
    const row = {
      status: 'failed',
      failure: 'no_room',
      handle: Buffer.from('x'),
      created_at: now,
    } as unknown as MediaJobRow
    expect(isResumable(row, now)).toBe(true)
    for (const failure of ['cancelled', 'moderated', 'refused', 'expired'] as const) {
      expect(isResumable(Object.assign({}, row, { failure }), now)).toBe(false)
    }
    expect(isResumable(Object.assign({}, row, { handle: null }), now)).toBe(false)
    expect(isResumable(row, now + longestJobMs)).toBe(false)
  })
})

test.each([
  [new ProviderFailure('moderated', ''), 'moderated'],
  [new ProviderFailure('rejected', '', 404), 'expired'],
  [new ProviderFailure('rejected', '', 400), 'refused'],
  [new ProviderFailure('timeout', ''), 'timed_out'],
  [new ProviderFailure('aborted', ''), 'cancelled'],
  [new ProviderFailure('redirected', ''), 'redirected'],
  [new ProviderFailure('malformed', ''), 'wrong_type'],
  [fail('quota_full'), 'no_room'],
  [fail('url_not_allowed'), 'address_not_allowed'],
  [fail('media_type_not_allowed'), 'wrong_type'],
  [new Error('a bug'), null],
])('a failure has a reason of the closed list: %s', (error, reason) => {
  expect(failureOf(error)).toBe(reason)
})

describe('options that a model does not take are refused by their field', () => {
  const fields = (issues: readonly { path: string }[]) => issues.map(({ path }) => path.replace('body.', ''))
  const wish = { model: 'm', pluginId: 'p', prompt: 'A boat' }

  test('of pictures', () => {
    const config = { sizes: ['1:1'], qualities: ['high'], max_prompt_length: 3, supports_seed: false }
    expect(fields(imageIssues({ ...wish, size: '2:1', quality: 'low', seed: 1 }, config))).toEqual([
      'prompt',
      'size',
      'quality',
      'seed',
    ])
    expect(imageIssues({ ...wish, size: '2:1' }, {})).toEqual([])
  })

  test('of speech and sound', () => {
    const config = { voices: ['Ann'], formats: ['wav'], max_characters: 2, max_duration_ms: 5000 }
    const speech = { model: 'm', pluginId: 'p', input: 'Hello', voice: 'Ben', responseFormat: 'mp3' } as const
    expect(fields(speechIssues(speech, config))).toEqual(['input', 'voice', 'responseFormat'])
    expect(fields(speechIssues(speech, { ...config, allows_custom_voice: true }))).not.toContain('voice')
    expect(fields(soundIssues({ ...wish, format: 'mp3', durationMs: 6000 }, config))).toEqual(['format', 'durationMs'])
    expect(fields(soundIssues({ ...wish, durationMs: 500 }, { min_duration_ms: 3000 }))).toEqual(['durationMs'])
    expect(soundIssues(wish, { min_duration_ms: 3000 })).toEqual([])
  })

  test('of films', () => {
    const config = { durations: [4, 8], resolutions: ['720p'], aspect_ratios: ['16:9'], supports_audio: false }
    const film = { ...wish, resolution: '4K', aspectRatio: '1:1', generateAudio: true, firstFrameId: 'x' }
    expect(fields(videoIssues({ ...film, durationMs: 5000 }, config))).toEqual([
      'durationMs',
      'resolution',
      'aspectRatio',
      'generateAudio',
      'firstFrameId',
    ])
    expect(fields(videoIssues({ ...wish, durationMs: 4500 }, config))).toEqual(['durationMs'])
    expect(videoIssues({ ...wish, durationMs: 4000, resolution: '720p' }, config)).toEqual([])
  })
})
