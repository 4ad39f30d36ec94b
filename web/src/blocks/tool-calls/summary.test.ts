import type { ToolCall } from '@atrium/contract/generation'
import { expect, test } from 'vitest'
import { stateOf } from './call-state.ts'
import { summariseCalls } from './summary.ts'
import { targetOf } from './target.ts'

let id = 0
const call = (fields: Partial<ToolCall>): ToolCall => ({ id: String((id += 1)), name: 'x', arguments: '', ...fields })
const builtin = (name: string, fields: Partial<ToolCall> = {}): ToolCall =>
  call({ name, source: 'builtin', status: 'succeeded', ...fields })

test('calls of the same tool are counted together, those of another server apart', () => {
  const { done, now, failed } = summariseCalls(
    [
      builtin('web_search'),
      builtin('fetch_page'),
      builtin('web_search'),
      call({ name: 'look', source: 'mcp', serverId: 'a', status: 'succeeded' }),
      call({ name: 'look', source: 'mcp', serverId: 'b', status: 'failed' }),
    ],
    false,
  )
  expect(done.map(({ call: { name }, count }) => [name, count])).toEqual([
    ['web_search', 2],
    ['fetch_page', 1],
    ['look', 1],
  ])
  expect([now, failed]).toEqual([null, 1])
})

test('what waits for a person is told before what runs', () => {
  const waiting = builtin('create_calendar_event', { status: 'awaiting_approval' })
  const running = builtin('web_search', { status: 'running' })
  expect(summariseCalls([waiting, running], true).now).toEqual({ call: waiting, state: 'awaiting' })
  expect(summariseCalls([running], true).now?.state).toBe('running')
  expect(summariseCalls([waiting, running], false).now).toBeNull()
})

test('calls that ran side by side are not added up', () => {
  const timed = (round: number, startedAt: number, finishedAt: number) =>
    builtin('calculate', { round, startedAt, finishedAt })
  expect(summariseCalls([timed(1, 0, 1000), timed(1, 0, 3000), timed(2, 4000, 4500)], false).tookMs).toBe(3500)
  expect(summariseCalls([builtin('calculate')], false).tookMs).toBeNull()
})

test.each<[Partial<ToolCall>, boolean, string]>([
  [{ status: 'awaiting_approval' }, true, 'awaiting'],
  [{ status: 'awaiting_approval' }, false, 'unanswered'],
  [{ status: 'running' }, false, 'unanswered'],
  [{ status: 'unknown' }, false, 'unknown'],
  [{ status: 'denied' }, true, 'denied'],
  [{}, true, 'running'],
  [{}, false, 'unanswered'],
  [{ approval: { id: 'a', decisions: ['deny'], decision: null } }, true, 'awaiting'],
  [{ approval: { id: 'a', decisions: ['deny'], decision: 'deny' } }, true, 'denied'],
  [{ result: { status: 'done', text: '' } }, true, 'succeeded'],
  [{ result: { status: 'failed', text: '' } }, true, 'failed'],
])('%j of an answer that goes on (%s) is %s', (fields, open, state) => {
  expect(stateOf(call(fields), open)).toBe(state)
})

test.each([
  ['{"limit":3,"query":"kites"}', 'kites'],
  ['{"city":"Oslo"}', 'Oslo'],
  ['{"query":"safe\\u202Eevil"}', 'safe⟨U+202E⟩evil'],
  ['{"n":1}', null],
  ['not JSON', null],
  [`{"query":"${'x'.repeat(500)}"}`, `${'x'.repeat(120)}…`],
])('of %s it is about %s', (args, target) => {
  expect(targetOf({ arguments: args })).toBe(target)
})
