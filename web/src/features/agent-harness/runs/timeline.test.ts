import type { HarnessEvent, HarnessEventData } from '@atrium/contract/agent-harness'
import { expect, test } from 'vitest'
import { addEvents, emptyTimeline, findCall } from './timeline.ts'

const log = (...written: [type: string, data?: HarnessEventData][]): HarnessEvent[] =>
  written.map(([type, data = {}], index) => ({ eventId: index + 1, timestamp: null, type, data }))

test('pieces of an answer become one entry, until something else comes between them', () => {
  const events = log(
    ['run_started'],
    ['user_message', { content: 'Look' }],
    ['assistant_delta', { text: 'I ' }],
    ['assistant_delta', { text: 'look.' }],
    ['error', { message: 'No answer' }],
    ['assistant_delta', { text: 'Again.' }],
  )
  expect(addEvents(emptyTimeline, events).entries).toEqual([
    { kind: 'text', id: 2, by: 'user', text: 'Look' },
    { kind: 'text', id: 3, by: 'agent', text: 'I look.' },
    { kind: 'note', id: 5, type: 'error', data: { message: 'No answer' } },
    { kind: 'text', id: 6, by: 'agent', text: 'Again.' },
  ])
})

test('what is said of a tool call stands together, at the place of the call', () => {
  const of = { toolCallId: 'c1', name: 'shell' }
  const events = log(
    ['tool_call', { ...of, arguments: '{}' }],
    ['permission_request', { ...of, arguments: '{}' }],
    ['assistant_delta', { text: 'Meanwhile' }],
    ['permission_response', { ...of, resolution: 'deny' }],
    ['tool_result', { ...of, isError: true, content: 'no' }],
  )
  expect(addEvents(emptyTimeline, events).entries).toEqual([
    {
      kind: 'tool',
      id: 1,
      toolCallId: 'c1',
      name: 'shell',
      input: '{}',
      resolution: 'deny',
      result: { isError: true, text: 'no' },
    },
    { kind: 'text', id: 3, by: 'agent', text: 'Meanwhile' },
  ])
})

test('a call with the id of an earlier one, which is over, is another call', () => {
  const events = log(
    ['tool_call', { toolCallId: 'call_0', name: 'read', arguments: '{"path":"notes"}' }],
    ['tool_result', { toolCallId: 'call_0', content: 'words' }],
    ['tool_call', { toolCallId: 'call_0', name: 'shell', arguments: '{}' }],
    ['permission_request', { toolCallId: 'call_0', name: 'shell', arguments: '{"command":"rm notes"}' }],
  )
  const timeline = addEvents(emptyTimeline, events)
  expect(timeline.entries).toMatchObject([
    { name: 'read', input: '{"path":"notes"}', result: { text: 'words' } },
    { name: 'shell', input: '{"command":"rm notes"}', result: null },
  ])
  expect(findCall(timeline, 'call_0')).toMatchObject({ name: 'shell', input: '{"command":"rm notes"}' })
})

test('an answer without its question is shown as well', () => {
  expect(addEvents(emptyTimeline, log(['tool_result', { toolCallId: 'c2', content: 'done' }])).entries).toMatchObject([
    { kind: 'tool', toolCallId: 'c2', name: '', result: { isError: false, text: 'done' } },
  ])
})

test('events that come in portions give the same as all at once', () => {
  const of = { toolCallId: 'c1', name: 'shell' }
  const events = log(
    ['assistant_delta', { text: 'I ' }],
    ['assistant_delta', { text: 'look.' }],
    ['tool_call', { ...of, arguments: '{}' }],
    ['permission_request', { ...of, arguments: '{}' }],
    ['permission_response', { ...of, resolution: 'allow_once' }],
    ['tool_result', { ...of, content: 'README.md' }],
    ['run_finished', { state: 'done' }],
  )
  const whole = addEvents(emptyTimeline, events)
  const portions = events.reduce((before, event) => addEvents(before, [event]), emptyTimeline)
  expect(portions).toEqual(whole)
  expect(findCall(portions, 'c1')).toMatchObject({ input: '{}', resolution: 'allow_once' })
  expect(findCall(portions, 'c2')).toBeUndefined()
})
