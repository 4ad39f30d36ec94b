import { expect, test } from 'vitest'
import { createEventParser } from './event-stream.ts'

const stream =
  ': beat\n\nid: 7\nevent: text\ndata: {"delta":"سلام"}\n\r\nid: 8\r\nevent: done\r\ndata: {"a":\r\ndata: 1}\r\n\r\n'

test('events are the same wherever the bytes are cut', () => {
  const bytes = new TextEncoder().encode(stream.replace('\n\r\n', '\n\n'))
  const whole = createEventParser()(bytes)
  expect(whole).toEqual([
    { id: 7, type: 'text', data: { delta: 'سلام' } },
    { id: 8, type: 'done', data: { a: 1 } },
  ])
  for (let cut = 1; cut < bytes.length; cut++) {
    const parse = createEventParser()
    expect([...parse(bytes.subarray(0, cut)), ...parse(bytes.subarray(cut))]).toEqual(whole)
  }
})

test('comments and frames without data give nothing', () => {
  expect(createEventParser()(new TextEncoder().encode(': beat\n\nevent: x\n\n'))).toEqual([])
})

test('an event without an id of its own has none, whatever came before it', () => {
  const events = createEventParser()(new TextEncoder().encode('id: 3\ndata: 1\n\ndata: 2\n\n'))
  expect(events.map(({ id }) => id)).toEqual([3, null])
})
