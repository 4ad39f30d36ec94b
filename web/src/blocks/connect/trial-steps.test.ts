import type { TestEvent, TestStep } from '@atrium/contract/connections'
import { expect, test } from 'vitest'
import { noSteps, recordStep, announcementOf, stateOf, stepNames } from './trial-steps.ts'

const started = (step: TestStep['step']): TestEvent => ({ type: 'started', data: { step } })
const done = (step: TestStep['step'], state: TestStep['state'] = 'ok', detail = 'As seen.'): TestEvent => ({
  type: 'step',
  data: { step, state, detail, ms: 3 },
})
const after = (...events: TestEvent[]) => events.reduce(recordStep, noSteps)
const states = (known: typeof noSteps, running: boolean) =>
  stepNames.map((step) => stateOf(known, step, running).state).join(' ')

test('every step waits, is under way and is done', () => {
  expect(states(noSteps, true)).toBe('waiting waiting waiting waiting waiting')
  expect(states(after(started('resolve')), true)).toBe('running waiting waiting waiting waiting')
  const some = after(started('resolve'), done('resolve'), started('reach'), started('models'), done('reach', 'failed'))
  expect(states(some, true)).toBe('ok failed waiting running waiting')
  expect(stateOf(some, 'reach', true).found).toMatchObject({ detail: 'As seen.', ms: 3 })
})

test('what was under way when it ended early was stopped', () => {
  expect(states(after(done('resolve'), started('reach')), false)).toBe('ok stopped waiting waiting waiting')
})

test('the end holds them all', () => {
  const steps = stepNames.map((step) => ({ step, state: 'skipped' as const, detail: '', ms: 0 }))
  expect(states(after(started('chat'), { type: 'ended', data: { steps } }), false)).toBe(
    'skipped skipped skipped skipped skipped',
  )
})

test('news are said once, with the reason of what failed', () => {
  const t = (key: string) => key
  expect(announcementOf(t, [started('resolve')])).toBe('')
  expect(announcementOf(t, [done('resolve'), started('reach')])).toBe('test.step.resolve: test.ok.')
  const failed = { step: 'reach', state: 'failed', detail: 'Nobody there.', ms: 0 } as const
  expect(
    announcementOf(t, [done('reach', 'failed', 'Nobody there.'), { type: 'ended', data: { steps: [failed] } }]),
  ).toBe('test.step.reach: test.failed. Nobody there. test.over')
  expect(announcementOf(t, [{ type: 'ended', data: { steps: [{ ...failed, state: 'ok' }] } }])).toBe('test.allGood')
})
