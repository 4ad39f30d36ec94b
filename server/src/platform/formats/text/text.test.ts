import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReadFault } from '../fault.ts'
import type { Extract } from '../types.ts'
import { readCode } from './code.ts'
import { readCsv } from './csv.ts'
import { readEml } from './eml.ts'
import { readArticle } from './html/article.ts'
import { readHtml } from './html/html.ts'
import { readIcs } from './ics.ts'
import { readJson } from './json.ts'
import { readMarkdown } from './markdown.ts'
import { readText } from './plain.ts'
import { readRtf } from './rtf.ts'

const about = { name: 'file', mediaType: '' }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What holds of whatever any reader gives. */
const checkExtract = ({ text, segments, title }: Extract): void => {
  expect(text).toMatch(/\S/)
  expect(text.normalize('NFC')).toBe(text)
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toMatch(/[[\p{Cc}\ufeff]--[\t\n]]/v)
  expect(title).not.toBe('')
  expect(segments.length).toBeLessThanOrEqual(5_000)
  let at = 0
  for (const segment of segments) {
    expect(segment.start).toBeGreaterThanOrEqual(at)
    expect(segment.end).toBeGreaterThan(segment.start)
    expect(segment.label).toMatch(/^\S[^\n]*$/)
    at = segment.end
  }
  expect(at).toBeLessThanOrEqual(text.length)
}

const all: Readonly<Record<string, (bytes: Uint8Array) => Extract | Promise<Extract>>> = {
  text: readText,
  markdown: readMarkdown,
  html: readHtml,
  article: (bytes) => readArticle(new TextDecoder().decode(bytes)),
  csv: readCsv,
  json: readJson,
  code: readCode,
  eml: (bytes) => readEml(bytes, about),
  ics: readIcs,
  rtf: readRtf,
}

const pieces: Readonly<Record<string, readonly string[]>> = {
  text: ['word ', '\n', 'é', 'e\u0301', '\u0007', '\ufeff', '\u{E0041}', '日本', '\r\n', '\u001b[31m'],
  markdown: ['# a', '\n', '=', '---\n', '```\n', '> ', '- ', '    ', '<!--', '-->', '**b**', '[x](', '|', '<div>\n'],
  html: [
    '<p>',
    '</p>',
    '<table>',
    '<tr>',
    '<td>',
    '<h1>',
    '</h1>',
    'x',
    ' ',
    '&amp;',
    '&#0;',
    '<b hidden>',
    '<!--',
    '<pre>',
  ],
  article: [
    '<article>',
    '<p>',
    'Long text, with commas, and more. ',
    '<h2>',
    '</h2>',
    '<div style="display:none">',
    '<title>',
  ],
  csv: ['a', ',', ';', '"', '\n', '""', '1', '\t', ' ', 'e\u0301', '|'],
  json: [
    '{',
    '}',
    '[',
    ']',
    '"a"',
    ':',
    ',',
    '1',
    '12345678901234567890',
    'null',
    '"e\\u0301\\u0000"',
    '\n',
    '"\\ud800"',
  ],
  code: ['x', '\n', '}', '  ', '{', '\n\n'],
  eml: [
    'Subject: a\n',
    'From: b <c@d>\n',
    '\n',
    'x',
    'Content-Type: multipart/mixed; boundary=b\n',
    '--b\n',
    '=?utf-8?Q?=C3?=',
  ],
  ics: [
    'BEGIN:VCALENDAR\n',
    'BEGIN:VEVENT\n',
    'END:VEVENT\n',
    'END:VCALENDAR\n',
    'SUMMARY:x\n',
    'DTSTART:2026',
    ' ',
    ';',
    '\n',
  ],
  rtf: [
    '{\\rtf1 ',
    '{',
    '}',
    '\\par ',
    "\\'e9",
    '\\u8364?',
    '\\uc3 ',
    'x',
    '\\*',
    '\\pict ',
    '\\',
    '\\u-10179',
    '\\v ',
  ],
}

test('a heading of Markdown without words is no title', async () => {
  expect((await all.markdown?.(bytesOf('#')))?.title).toBeNull()
  expect((await all.markdown?.(bytesOf('#\n\n# Plan')))?.title).toBe('Plan')
})

describe('whatever a file holds', () => {
  test.each(Object.keys(all))('the reader of %s gives sound text and places, or says why not', async (name) => {
    const read = all[name] as (typeof all)[string]
    const broken = fc.oneof(
      fc.array(fc.constantFrom(...(pieces[name] ?? [])), { maxLength: 60 }).map((parts) => bytesOf(parts.join(''))),
      fc
        .array(fc.constantFrom(...(pieces[name] ?? [])), { maxLength: 60 })
        .map((parts) => bytesOf(`${pieces[name]?.[0] ?? ''}${pieces[name]?.[1] ?? ''}${parts.join('')}`)),
      fc.uint8Array({ maxLength: 200 }),
    )
    await fc.assert(
      fc.asyncProperty(broken, async (bytes) => {
        try {
          checkExtract(await read(bytes))
        } catch (error) {
          if (!(error instanceof ReadFault)) throw error
        }
      }),
      { numRuns: 300 },
    )
  })
})

const mb = (piece: string, size = 3_000_000): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
const numbered = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

describe('files made to do harm', () => {
  test.each<[string, keyof typeof all, string]>([
    ['HTML nested 200,000 deep', 'html', '<div>'.repeat(200_000)],
    ['a web page nested 200,000 deep', 'article', '<div>'.repeat(200_000)],
    ['JSON nested 200,000 deep', 'json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['objects nested 200,000 deep', 'json', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    [
      'JSON with long numbers nested 200,000 deep',
      'json',
      `${'['.repeat(200_000)}1234567890123456789${']'.repeat(200_000)}`,
    ],
    ['RTF groups 1,000,000 deep', 'rtf', `{\\rtf1${'{'.repeat(1_000_000)}`],
    ['calendar parts in one another', 'ics', `BEGIN:VCALENDAR\n${'BEGIN:X\n'.repeat(100_000)}`],
    [
      'a property with 200,000 parameters',
      'ics',
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY;${numbered(200_000, (i) => `A${i}=b;`).replaceAll('\n', '')}:x`,
    ],
    [
      'a letter of 200,000 parts',
      'eml',
      `Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(200_000)}`,
    ],
    [
      'a letter with parts in parts',
      'eml',
      numbered(2_000, (i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}`),
    ],
  ])('%s are refused as too complex', async (_what, name, text) => {
    await expect((async () => all[name]?.(bytesOf(text)))()).rejects.toMatchObject({ failure: 'too_complex' })
  })

  test.each<[string, keyof typeof all, string]>([
    ['one line', 'text', mb('a')],
    ['30,000 headings', 'markdown', '# A heading\n\ntext\n\n'.repeat(30_000)],
    ['quotes in quotes', 'markdown', mb('> ')],
    ['open brackets', 'markdown', mb('[')],
    ['headings of open brackets', 'markdown', `# ${'['.repeat(400)}\n`.repeat(100)],
    ['one column', 'csv', `value\n${mb('word\n')}`],
    ['a quote that never closes', 'csv', mb('"a,b\n', 999_999)],
    ['rows that are wider than their head', 'csv', `name,place\n${mb(`${'a,'.repeat(50)}\n`)}`],
    ['paragraphs that never close', 'html', mb('<p>x', 1_000_000)],
    ['formatting that never closes', 'html', `${'<b id=1>'.repeat(500)}${mb('<p>x', 500_000)}`],
    ['ends without a start', 'html', `${'<div>'.repeat(500)}text${mb('</span>', 1_000_000)}`],
    ['tables in cells', 'html', `${'<table><tr><td>'.repeat(600)}x`],
    ['attributes', 'html', `<p ${numbered(100_000, (i) => `a${i}=1`)}>x`],
    ['a long key over many objects', 'json', `{"${'k'.repeat(1_000_000)}":[${mb('{"a":1},', 800_000)}1]}`],
    ['lines that are no JSON', 'json', mb('{"a":\n', 1_000_000)],
    [
      'fonts that change with every letter',
      'rtf',
      `{\\rtf1{\\fonttbl{\\f0\\fcharset128 x;}{\\f1\\fcharset204 y;}}${mb('\\f0 a\\f1 b', 1_000_000)}}`,
    ],
    ['a subject that goes on', 'eml', `Subject: ${mb('a\n ', 300_000)}\n\nbody`],
    ['open brackets among the receivers', 'eml', `To: ${'('.repeat(300_000)}\n\nbody`],
  ])('megabytes of %s are read', async (_what, name, text) => {
    checkExtract((await all[name]?.(bytesOf(text))) as Extract)
  })
})

test('a table is not made many times longer by names that its columns do not have', () => {
  for (const head of ['name,place', 'name,"place']) {
    const source = `${head}\n${`${'a,'.repeat(50)}\n`.repeat(15_000)}`
    expect(readCsv(Buffer.from(source)).text.length).toBeLessThan(source.length * 2 + 5_000_000)
  }
})

// Real files lie beside the project where there are any; without them these tests have nothing to read.
const folder = new URL('../../../../../../shared/data/docs/', import.meta.url)
const describeReal = () =>
  describe('real files', () => {
    const real = (name: string): Uint8Array => readFileSync(new URL(name, folder))

    test('a table of eleven rows answers by row and column', () => {
      const { text, segments } = readCsv(real('csv-01-columns.csv'))
      const rows = text.trimEnd().split('\n')
      expect(rows).toHaveLength(11)
      expect(rows.find((row) => row.startsWith('Record Number: 3;'))).toContain(
        'Percent Done: 30%; Percent Increment: 66.7%',
      )
      expect(rows[3]).toContain('date: 22-03-1960; datetime: 01JAN60:00:16:40; time: 0:00:27')
      expect(segments).toMatchObject([{ label: 'Rows 1–11', head: expect.stringContaining(' | Percent Done | ') }])
    })

    test('a page in UTF-16 has its title and its text', () => {
      expect(readHtml(real('html-01-utf16le.html'))).toMatchObject({
        title: 'Title',
        // What a page is looked up by stands before what it says.
        text: 'Title\n\nThis is a sample text',
      })
    })

    test('a letter has its subject, its text and its attachments', async () => {
      const letter = await readEml(real('eml-01-attachments.eml'), {
        ...about,
        inner: async (bytes) => ({
          fileType: 'txt',
          mediaType: 'text/plain',
          extract: readText(bytes),
          pictures: [],
          sound: false,
          parts: null,
          unread: { waiting: [], lost: [] },
        }),
      })
      expect(letter.title).toBe('EML 1')
      expect(letter.text).toContain('This is test email for EML1')
      expect(
        letter.segments.map(({ kind, label, start, end }) => [kind, label, letter.text.slice(start, end)]),
      ).toEqual([
        ['message', 'EML 1', expect.stringContaining('From: Bugs Bunny <Bugs.Bunny@acme.com>')],
        ['file', 'Test TxtA.txt', 'This is Test TXTA File for parser'],
        ['file', 'Test TxtB.txt', 'This is Test TXTB File for parser'],
      ])
    })
  })

if (existsSync(folder)) describeReal()
