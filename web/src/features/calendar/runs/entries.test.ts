import type { AutomationRun } from '@atrium/contract/automations'
import { expect, test } from 'vitest'
import { wallToText } from '../time/day.ts'
import { isBefore, placeRuns } from './entries.ts'

const span = { from: Date.parse('2026-11-25T23:00:00Z'), to: Date.parse('2026-11-26T23:00:00Z') }
const news = { id: 'a', name: 'News' }
const run = (id: string, scheduledFor: string, given: Partial<AutomationRun> = {}): AutomationRun => ({
  id,
  automationId: news.id,
  state: 'succeeded',
  inputTokens: null,
  outputTokens: null,
  cost: null,
  trigger: 'schedule',
  scheduledFor,
  startedAt: null,
  endedAt: null,
  tries: 1,
  reason: null,
  sessionId: null,
  messageId: null,
  seen: true,
  ...given,
})
const coming = (at: string) => ({ automationId: news.id, name: news.name, at })
const place = (runs: AutomationRun[], times: string[] = [], automations = [news]) =>
  placeRuns(span, 'Europe/Berlin', automations, runs, times.map(coming)).map(
    ({ range, run: { name, state } }) => `${wallToText(range.start)} ${name} ${state}`,
  )

test('runs and times to come stand on the clocks of a zone, with how they ended', () => {
  const runs = [run('1', '2026-11-26T06:30:00.000Z', { state: 'failed' })]
  expect(place(runs, ['2026-11-26T18:00:00.000Z'])).toEqual([
    '2026-11-26T07:30 News failed',
    '2026-11-26T19:00 News upcoming',
  ])
})

test('what lies outside of the range is left out', () => {
  const before = '2026-11-25T22:59:59.999Z'
  const first = '2026-11-25T23:00:00.000Z'
  const after = '2026-11-26T23:00:00.000Z'
  expect(place([run('1', before), run('2', first), run('3', after)], [before, after])).toEqual([
    '2026-11-26T00:00 News succeeded',
  ])
})

test('a time that has its run already is shown once, as that run', () => {
  const at = '2026-11-26T06:30:00.000Z'
  expect(place([run('1', at, { state: 'running' })], [at])).toEqual(['2026-11-26T07:30 News running'])
})

test('runs of an automation that is gone are left out', () => {
  expect(place([run('1', '2026-11-26T06:30:00.000Z')], [], [])).toEqual([])
})

test('a run takes one moment of one day, also at midnight, and no two share a key', () => {
  const at = '2026-11-25T23:00:00.000Z'
  const marks = placeRuns(span, 'Europe/Berlin', [news], [run('1', at), run('2', at)], [])
  expect(new Set(marks.map(({ key }) => key)).size).toBe(2)
  for (const { first, last, range, isBand } of marks) {
    expect([last, range.end, isBand]).toEqual([first, range.start, false])
  }
})

test('older runs are looked for until one ended before the range, however early it was to begin', () => {
  const early = '2026-11-20T06:00:00.000Z'
  const late = run('1', early, { state: 'missed', endedAt: '2026-11-26T06:00:00.000Z' })
  expect(isBefore(late, span.from)).toBe(false)
  expect(isBefore(run('2', early, { state: 'queued' }), span.from)).toBe(false)
  expect(isBefore(run('3', early, { endedAt: early }), span.from)).toBe(true)
})
