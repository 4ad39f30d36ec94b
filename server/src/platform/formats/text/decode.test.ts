import { describe, expect, test } from 'vitest'
import { cleanText, oneLine } from './clean.ts'
import { decodeText } from './decode.ts'

const utf16be = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16()
const mark = '\ufeff'
const german = 'Grüße aus Köln, wo die Straßen schön und die Häuser älter als anderswo sind. '.repeat(4).trim()

describe('decoding', () => {
  test.each<[string, Uint8Array, string]>([
    ['UTF-8', Buffer.from('naïve 日本語'), 'naïve 日本語'],
    ['UTF-8 with a mark', Buffer.from(`${mark}naïve`), 'naïve'],
    ['UTF-16 LE with a mark', Buffer.from(`${mark}naïve`, 'utf16le'), 'naïve'],
    ['UTF-16 BE with a mark', utf16be(`${mark}naïve`), 'naïve'],
    ['UTF-16 LE without a mark', Buffer.from('plain words, naïve', 'utf16le'), 'plain words, naïve'],
    ['UTF-16 BE without a mark', utf16be('plain words, naïve'), 'plain words, naïve'],
    ['Windows-1252', Buffer.from(german, 'latin1'), german],
    [
      'UTF-8 with one damaged letter',
      Buffer.concat([Buffer.from('naïve 日本語 '.repeat(20)), Buffer.from([0xff])]),
      `${'naïve 日本語 '.repeat(20)}\ufffd`,
    ],
    ['a stray null', Buffer.from('a line of a log\0 and more'), 'a line of a log and more'],
  ])('reads %s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
  })

  test('guesses Shift-JIS, Cyrillic and ISO-2022-JP by their bytes', () => {
    const hex = (value: string) => Buffer.from(value.replaceAll(' ', ''), 'hex')
    const japanese = hex('82b182ea82cd93fa967b8cea82cc95b68fcd82c582b78142').toString('latin1').repeat(10)
    expect(decodeText(Buffer.from(japanese, 'latin1'))).toBe('これは日本語の文章です。'.repeat(10))
    const russian = hex('fdf2ee20f0f3f1f1eae8e920f2e5eaf1f220ef')
    expect(decodeText(Buffer.concat(Array.from({ length: 10 }, () => russian)))).toContain('русский текст')
    const switched = hex('1b2442 2433246c244f467c4b5c386c 1b2842 0a')
    expect(decodeText(Buffer.concat(Array.from({ length: 10 }, () => switched)))).toContain('これは日本語')
  })

  test('believes what a file says of itself before it guesses', () => {
    expect(decodeText(Buffer.from([0x63, 0xe1, 0x62]), 'windows-1251')).toBe('cбb')
    expect(decodeText(Buffer.from('naïve'), 'windows-1251')).toBe('naïve')
    expect(decodeText(Buffer.from([0x63, 0x61, 0xe9]), 'no-such-encoding')).toMatch(/^ca/)
  })

  test.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), 'empty'],
    ['white space', Buffer.from(' \r\n\t\u00a0'), 'empty'],
    ['a mark alone', Buffer.from(mark), 'empty'],
    ['nulls', new Uint8Array(4_001), 'unsupported'],
    ['noise', Uint8Array.from({ length: 4_096 }, (_, i) => (i * 7919 + ((i * i) >> 3)) & 0xff), 'unsupported'],
  ])('refuses %s', (_what, bytes, failure) => {
    expect(() => decodeText(bytes)).toThrow(expect.objectContaining({ failure }))
  })
})

describe('clean text', () => {
  test('has one kind of line end, composed letters and no controls', () => {
    expect(cleanText('a\r\nb\rc\u2028d\fe\u0301\u0000\u009f')).toBe('a\nb\nc\nd\né')
    expect(cleanText('\u001b[1;31mred\u001b[0m')).toBe('red')
    expect(cleanText('a\ud800b')).toBe('a\ufffdb')
  })

  test('has no invisible letters that only a model would read', () => {
    const hidden = Array.from('ignore this', (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
    expect(cleanText(`Hello${hidden.join('')}!`)).toBe('Hello!')
  })

  test('fits on one line without half a character at its end', () => {
    expect(oneLine(' a\n b ')).toBe('a b')
    expect(oneLine('abc😀def', 5)).toBe('abc…')
    expect(oneLine('abcdef', 6)).toBe('abcdef')
  })
})
