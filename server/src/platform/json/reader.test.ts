import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonReader, JsonFault, readJsonText } from './index.ts'

const wide = { maxValues: 1_000_000 }

/** Reads bytes in pieces of the sizes told, again and again. */
const readInPieces = (bytes: Buffer, sizes: readonly number[], bounds = wide): unknown => {
  const reader = createJsonReader(bounds)
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    reader.push(bytes.subarray(at, at + size))
    at += size
  }
  return reader.end()
}

const kindOf = (read: () => unknown): string => {
  try {
    return `read: ${JSON.stringify(read())}`
  } catch (error) {
    if (error instanceof JsonFault) return error.kind
    throw error
  }
}

describe('reading JSON piece by piece', () => {
  test('gives what JSON.parse gives, wherever the bytes are cut', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
    const texts = fc.json({ stringUnit: 'binary', maxDepth: 3 })
    fc.assert(
      fc.property(texts, sizes, fc.boolean(), (text, cuts, escaped) => {
        fc.pre(!/__proto__|\\u0000/.test(text))
        const written = escaped
          ? text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : text.toWellFormed()
        expect(readInPieces(Buffer.from(written), cuts)).toEqual(JSON.parse(written))
      }),
      { numRuns: 60 },
    )
  })

  test('takes and refuses the same small texts as JSON.parse', () => {
    const unit = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'a',
      'u',
      '1',
      '-',
      '0',
      '.',
      'e',
      ' ',
      'null',
    )
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (units) => {
        const text = units.join('')
        let wanted: string
        try {
          wanted = `read: ${JSON.stringify(JSON.parse(text))}`
        } catch {
          wanted = 'syntax'
        }
        expect(kindOf(() => readInPieces(Buffer.from(text), [1]))).toBe(wanted)
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['[01]', 'syntax'],
    ['[1.]', 'syntax'],
    ['[+1]', 'syntax'],
    ['[.5]', 'syntax'],
    ['[NaN]', 'syntax'],
    ['[1,]', 'syntax'],
    ['{"a":1,}', 'syntax'],
    ['{"a"}', 'syntax'],
    ['[}', 'syntax'],
    ['[1', 'syntax'],
    ['"a', 'syntax'],
    ['"a\\', 'syntax'],
    ['"\\x41"', 'syntax'],
    ['"\\u12"', 'syntax'],
    ['"a\nb"', 'syntax'],
    ['1 2', 'syntax'],
    [' ', 'syntax'],
    ['nul', 'syntax'],
    ['["a\\u0000"]', 'nul'],
    ['["a\\\\u0000"]', 'read: ["a\\\\u0000"]'],
    ['{"__proto__":{}}', 'prototype'],
    ['{"\\u005f_proto__":{}}', 'prototype'],
    ['{"constructor":{"prototype":{}}}', 'prototype'],
    ['{"prototype":1,"constructor":"x"}', 'read: {"prototype":1,"constructor":"x"}'],
    ['{"a":1,"a":2}', 'read: {"a":2}'],
    ['[1e400]', 'number'],
    [`[${'1'.repeat(65)}]`, 'number'],
    [`{"${'n'.repeat(1025)}":1}`, 'name'],
    ['\uFEFF[true]', 'read: [true]'],
  ])('%s: %s', (text, outcome) => {
    expect(kindOf(() => readJsonText(text))).toBe(outcome)
    expect(kindOf(() => readInPieces(Buffer.from(text), [1]))).toBe(outcome)
  })

  test('bytes that are no UTF-8 are told apart from broken JSON', () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0x80], [0xf0, 0x9f, 0x98]]) {
      const body = Buffer.concat([Buffer.from('["'), Buffer.from(bytes), Buffer.from('x"]')])
      expect(kindOf(() => readJsonText(body))).toBe('text')
      expect(kindOf(() => readInPieces(body, [1]))).toBe('text')
    }
  })

  test('64 levels are read, and one more is refused as soon as it opens', () => {
    expect(kindOf(() => readJsonText(`${'['.repeat(64)}${']'.repeat(64)}`))).toMatch(/^read/)
    expect(kindOf(() => createJsonReader(wide).push(Buffer.from('['.repeat(65))))).toBe('depth')
    expect(kindOf(() => createJsonReader(wide).push(Buffer.from('{"a":'.repeat(65))))).toBe('depth')
  })

  test('values are counted while they arrive, whatever they are', () => {
    const bounds = { maxValues: 100 }
    for (const item of ['{}', '[]', '1', '""', 'null', '{"a":[1]}']) {
      const reader = createJsonReader(bounds)
      let pieces = 0
      expect(() => {
        for (reader.push(Buffer.from('[0')); pieces < 1000; pieces += 1) reader.push(Buffer.from(`,${item}`))
      }).toThrow('more than 100 values')
      expect(pieces).toBeLessThanOrEqual(100)
    }
    expect(readJsonText(`[${Array(99).fill('{}').join()}]`, bounds)).toHaveLength(99)
  })

  test('no piece is worked on longer than the largest part of a long text', () => {
    const reader = createJsonReader(wide)
    const piece = Buffer.from('word \\"quoted\\" \\u4e2d é '.repeat(2500))
    reader.push(Buffer.from('{"text":"'))
    for (let sent = 0; sent < 200; sent += 1) reader.push(piece)
    reader.push(Buffer.from('"}'))
    const { text } = reader.end() as { text: string }
    expect(text).toBe('word "quoted" 中 é '.repeat(2500 * 200))
  })
})
