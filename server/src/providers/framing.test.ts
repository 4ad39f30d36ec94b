import { describe, expect, test } from 'vitest'
import { createFraming } from './framing.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe.each(['sse', 'ndjson'] as const)('framing of %s', (kind) => {
  const frame = (data: string) => (kind === 'sse' ? `data: ${data}\n\n` : `${data}\n`)

  test('gives frames when they are whole', () => {
    const framing = createFraming(kind)
    expect(framing.push(bytes(frame('{"a":1}') + frame('{"a":2}').slice(0, 5)))).toEqual(['{"a":1}'])
    expect(framing.push(bytes(frame('{"a":2}').slice(5)))).toEqual(['{"a":2}'])
    expect(framing.end()).toEqual([])
  })

  test('gives the last frame without its line end', () => {
    const framing = createFraming(kind)
    expect(framing.push(bytes(frame('{"a":1}').trimEnd()))).toEqual([])
    expect(framing.end()).toEqual(['{"a":1}'])
  })

  test('turns bytes that are no UTF-8 into U+FFFD', () => {
    const framing = createFraming(kind)
    const [before = '', after = ''] = frame('[x]').split('x')
    const frames = framing.push(new Uint8Array([...bytes(before), 0xff, 0xc3, 0x28, ...bytes(after)]))
    expect(frames).toEqual(['[\ufffd\ufffd(]'])
  })

  test('refuses a frame that never ends', () => {
    const framing = createFraming(kind, 10_000)
    const piece = bytes(kind === 'sse' ? `data: ${'x'.repeat(994)}` : 'x'.repeat(1000))
    framing.push(piece)
    expect(() => {
      for (let n = 0; n < 20; n += 1) framing.push(bytes('x'.repeat(1000)))
    }).toThrow(expect.objectContaining({ kind: 'too_large' }))
  })

  test('takes Windows line ends', () => {
    const framing = createFraming(kind)
    expect(framing.push(bytes(frame('{"a":1}').replaceAll('\n', '\r\n'))).map((f) => JSON.parse(f))).toEqual([{ a: 1 }])
  })
})
