import { EventStreamCodec } from '@smithy/eventstream-codec'
import { expect, test } from 'vitest'
import { createFraming } from './framing.ts'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)
const event = (payload: Uint8Array | string, type = 'event', name = 'contentBlockDelta'): Buffer =>
  Buffer.from(
    codec.encode({
      headers: {
        ':message-type': { type: 'string', value: type },
        [type === 'event' ? ':event-type' : ':exception-type']: { type: 'string', value: name },
        ':when': { type: 'timestamp', value: new Date(0) },
      },
      body: Buffer.from(payload as string),
    }),
  )
const framing = (maxLength?: number) => createFraming('aws-event-stream', maxLength)
const first = event('{"a":1}')
const second = event('{"a":2}')

test.each([1, 2, 11, 50, 10_000])('gives messages as text when they are whole, cut every %i bytes', (size) => {
  const bytes = Buffer.concat([first, second, event('{"message":"no"}', 'exception', 'throttlingException')])
  const open = framing()
  const frames: string[] = []
  for (let at = 0; at < bytes.length; at += size) frames.push(...open.push(bytes.subarray(at, at + size)))
  expect(open.end()).toEqual([])
  expect(frames.map((frame) => JSON.parse(frame))).toEqual([
    { kind: 'event', name: 'contentBlockDelta', payload: { a: 1 } },
    { kind: 'event', name: 'contentBlockDelta', payload: { a: 2 } },
    { kind: 'exception', name: 'throttlingException', payload: { message: 'no' } },
  ])
})

test('a message without a payload has none', () => {
  expect(JSON.parse(framing().push(event(''))[0] ?? '')).toMatchObject({ payload: null })
})

test.each([2, 9, 14, -6, -1])(
  'a byte that is another than its checksum says ends it, after what was whole (%i)',
  (at) => {
    const broken = Buffer.from(second)
    const place = at < 0 ? broken.length + at : at
    broken[place] = (broken[place] ?? 0) ^ 1
    const open = framing()
    const whole = () => [...open.push(Buffer.concat([first, broken, second])), ...open.push(second), ...open.end()]
    expect(whole).toThrow(expect.objectContaining({ kind: expect.stringMatching(/malformed|too_large/) }))
    const again = framing()
    expect(again.push(Buffer.concat([first, broken, second]))).toHaveLength(1)
  },
)

test('bytes that are no UTF-8 become U+FFFD', () => {
  const frames = framing().push(
    event(Buffer.concat([Buffer.from('{"a":"['), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(']"}')])),
  )
  expect(JSON.parse(frames[0] ?? '')).toMatchObject({ payload: { a: '[\ufffd\ufffd(]' } })
})

test('a message that says it is larger than any is refused before it comes', () => {
  const large = Buffer.alloc(12)
  large.writeUInt32BE(10_001)
  expect(() => framing(10_000).push(large)).toThrow(expect.objectContaining({ kind: 'too_large' }))
  const small = Buffer.alloc(16)
  small.writeUInt32BE(15)
  expect(() => framing().push(small)).toThrow(expect.objectContaining({ kind: 'malformed' }))
})

test('an end in the middle of a message is a fault', () => {
  const open = framing()
  open.push(first.subarray(0, 20))
  expect(() => open.end()).toThrow(expect.objectContaining({ kind: 'malformed' }))
})
