import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Extract, FileType, Segment } from '../../../platform/formats/types.ts'
import { runInWorker } from '../../../platform/work/work.ts'
import { type Chunk, cutIntoChunks, runCutTask } from './index.ts'

const plain = (text: string, segments: readonly Segment[] = []): Extract => ({ text, segments, title: null })
const section = (label: string, start: number, end: number): Segment => ({
  kind: 'section',
  label,
  number: null,
  start,
  end,
})
const texts = (chunks: readonly Chunk[]): string[] => chunks.map((chunk) => chunk.text)
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What holds of every cut of every text. */
const checkCut = (extract: Extract, chunks: readonly Chunk[], size: number): void => {
  const { text } = extract
  let covered = 0
  for (const [index, chunk] of chunks.entries()) {
    expect(chunk.number).toBe(index)
    expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text)
    expect(chunk.text.trimEnd()).toBe(chunk.text)
    expect(chunk.text.trim()).not.toBe('')
    expect(chunk.text.isWellFormed()).toBe(true)
    if (chunk.text.length > size) expect([...graphemes.segment(chunk.text)]).toHaveLength(1)
    const before = chunks[index - 1]
    if (before) {
      expect(chunk.start).toBeGreaterThan(before.start)
      expect(chunk.end).toBeGreaterThan(before.end)
    }
    if (chunk.start > covered) expect(text.slice(covered, chunk.start).trim()).toBe('')
    covered = chunk.end
  }
  expect(text.slice(covered).trim()).toBe('')
}

const words = fc.constantFrom(
  ...['a ', 'Words of', ' several.', ' Yes! ', 'no? ', '\n', '\n\n', '  \n \n', '- ', '1. ', '\t', 'x'.repeat(70)],
  ...[
    '日本語の文。',
    '猫が好きです',
    'ภาษาไทยไม่มีช่องว่าง',
    'مرحبا بالعالم. ',
    '👩‍👩‍👧‍👦',
    '🇩🇪🇫🇷',
    'e\u0301',
    '𝒳',
    'Dr. No',
    '.',
  ],
)
const anyText = fc
  .oneof(fc.array(words, { maxLength: 120 }), fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 60 }))
  .map((parts) => parts.join('').toWellFormed())
const fileTypes = fc.constantFrom<FileType>('txt', 'md', 'pdf', 'code', 'csv', 'json')
const anyExtract = fc
  .tuple(
    anyText,
    fc.array(fc.nat(2_000), { maxLength: 8 }),
    fc.constantFrom<Segment['kind']>('page', 'section', 'lines'),
  )
  .map(([text, borders, kind]) => {
    // A segment ends where a reader would end it: after a line.
    const ends = borders.map((at) => text.indexOf('\n', at) + 1 || text.length)
    const sorted = [...new Set(ends)].toSorted((a, b) => a - b)
    const segments = sorted.slice(1).map((end, i) => ({ ...section(`S${i}`, sorted[i] ?? 0, end), kind }))
    return plain(text, segments)
  })

describe('cutting', () => {
  test('covers every character in order, within the size, with exact places, whatever the text', () => {
    fc.assert(
      fc.property(
        anyExtract,
        fileTypes,
        fc.integer({ min: 1, max: 400 }),
        fc.nat(400),
        (extract, type, size, overlap) => {
          checkCut(extract, cutIntoChunks(extract, type, { size, overlap }), size)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('never cuts inside of what people see as one character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), fc.nat(30), (text, size, overlap) => {
        const borders = new Set([text.length, ...Array.from(graphemes.segment(text), ({ index }) => index)])
        for (const { start, end } of cutIntoChunks(plain(text), 'txt', { size, overlap })) {
          expect(borders.has(start) && borders.has(end)).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('keeps flags whole in a long row of them', () => {
    for (const chunk of runCutTask({ extract: plain(`x${'🇩🇪'.repeat(5_000)}`), fileType: 'txt' })) {
      expect(chunk.text.replace(/^x/, '')).toMatch(/^(?:🇩🇪)+$/u)
    }
  })

  test('never joins what stands on two pages', () => {
    fc.assert(
      fc.property(anyExtract, (extract) => {
        const pages = extract.segments.filter((segment) => segment.kind === 'page')
        for (const chunk of cutIntoChunks(extract, 'pdf', { size: 200, overlap: 40 })) {
          const touched = pages.filter((page) => page.start < chunk.end && chunk.start < page.end)
          expect(touched.length).toBeLessThanOrEqual(1)
          if (touched[0]) expect(chunk.location?.label).toBe(touched[0].label)
        }
      }),
    )
  })

  test('leaves a short text whole, and of white space nothing', () => {
    expect(texts(runCutTask({ extract: plain('  One line.\n'), fileType: 'txt' }))).toEqual(['One line.'])
    expect(runCutTask({ extract: plain(' \n\t '), fileType: 'txt' })).toEqual([])
    expect(runCutTask({ extract: plain(''), fileType: 'code' })).toEqual([])
  })

  test('cuts after a paragraph before it cuts after a sentence', () => {
    const text = `${'One. '.repeat(12)}\n\n${'Two. '.repeat(12)}`
    expect(texts(cutIntoChunks(plain(text), 'txt', { size: 100, overlap: 0 }))).toEqual([
      'One. '.repeat(12).trim(),
      'Two. '.repeat(12).trim(),
    ])
  })

  test('splits a paragraph that is too long after its sentences, also when its lines wrap', () => {
    const text = 'The first sentence\nwraps here. The second one\ndoes so too. And the third one is\nthe last of them.'
    expect(texts(cutIntoChunks(plain(text), 'txt', { size: 70, overlap: 0 }))).toEqual([
      'The first sentence\nwraps here. The second one\ndoes so too.',
      'And the third one is\nthe last of them.',
    ])
  })

  test('keeps the items of a list whole', () => {
    const text = '- apples are red and round\n- pears are green\n- plums are blue and small\n- figs are soft'
    expect(texts(cutIntoChunks(plain(text), 'md', { size: 60, overlap: 0 }))).toEqual([
      '- apples are red and round\n- pears are green',
      '- plums are blue and small\n- figs are soft',
    ])
  })

  test.each([
    ['Chinese', '这是第一句话。这是第二句话。这是第三句话。这是第四句话。', 16, '这是第一句话。这是第二句话。'],
    ['Japanese', '私は猫が好きです。彼は犬が好きです。', 12, '私は猫が好きです。'],
    ['Arabic', 'هذه جملة أولى. هذه جملة ثانية. هذه جملة ثالثة.', 20, 'هذه جملة أولى.'],
    ['Hindi', 'यह पहला वाक्य है। यह दूसरा वाक्य है।', 24, 'यह पहला वाक्य है।'],
  ])('finds the ends of sentences in %s', (_language, text, size, first) => {
    expect(texts(cutIntoChunks(plain(text), 'txt', { size, overlap: 0 }))[0]).toBe(first)
  })

  test('cuts between words where no sentence ends, also in scripts without spaces', () => {
    const first = texts(cutIntoChunks(plain('alpha beta gamma delta epsilon'), 'txt', { size: 13, overlap: 0 }))
    expect(first).toEqual(['alpha beta', 'gamma delta', 'epsilon'])
    const thai = texts(cutIntoChunks(plain('ภาษาไทยเป็นภาษาที่ไม่มีช่องว่างระหว่างคำ'), 'txt', { size: 20, overlap: 0 }))
    const known = new Set(
      Array.from(new Intl.Segmenter('th', { granularity: 'word' }).segment(thai.join('')), ({ index }) => index),
    )
    expect(thai.length).toBeGreaterThan(1)
    expect(known.has(thai[0]?.length ?? 0)).toBe(true)
  })

  test('says whole sentences again at the start of the next passage', () => {
    const text = 'Alpha is first. Beta is second. Gamma is third. Delta is fourth. Epsilon is fifth.'
    expect(texts(cutIntoChunks(plain(text), 'txt', { size: 50, overlap: 20 }))).toEqual([
      'Alpha is first. Beta is second. Gamma is third.',
      'Gamma is third. Delta is fourth. Epsilon is fifth.',
    ])
  })

  test('cuts code between lines, keeps indentation and names the lines', () => {
    const lines = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? '' : `    call(${i})`))
    const extract = plain(lines.join('\n'), [
      { kind: 'lines', label: 'Lines 1–40', number: null, start: 0, end: lines.join('\n').length },
    ])
    const chunks = cutIntoChunks(extract, 'code', { size: 120, overlap: 30 })
    checkCut(extract, chunks, 120)
    for (const chunk of chunks) {
      expect(chunk.text).toMatch(/^ {4}call\(\d+\)/)
      expect(chunk.text).toMatch(/call\(\d+\)$/)
      const first = Number(/call\((\d+)/.exec(chunk.text)?.[1]) + 1
      expect(chunk.location?.label).toMatch(new RegExp(`^Lines? ${first}\\b`))
    }
  })

  test('gives the names of the columns to every piece of a table, and repeats no row', () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i} | name ${i}`).join('\n')
    const sheet: Segment = { kind: 'sheet', label: 'Staff', number: 2, start: 0, end: rows.length, head: 'Id | Name' }
    const chunks = cutIntoChunks(plain(rows, [sheet]), 'xlsx', { size: 60, overlap: 30 })
    expect(chunks.length).toBeGreaterThan(3)
    expect(texts(chunks).join('\n')).toBe(rows)
    for (const chunk of chunks) {
      expect(chunk.head).toBe('Id | Name')
      expect(chunk.location).toEqual({ kind: 'sheet', label: 'Staff', number: 2 })
    }
  })

  test('joins a heading that stands alone with the first section inside it, and with nothing else', () => {
    const text = '# Guide\n\n## Install\n\nRun it.\n\n# Other\n\nText.'
    const install = text.indexOf('##')
    const other = text.indexOf('# Other')
    const chunks = runCutTask({
      extract: plain(text, [
        section('Guide', 0, install),
        section('Guide › Install', install, other),
        section('Other', other, text.length),
      ]),
      fileType: 'md',
    })
    expect(chunks.map((chunk) => [chunk.location?.label, chunk.text])).toEqual([
      ['Guide', '# Guide\n\n## Install\n\nRun it.'],
      ['Other', '# Other\n\nText.'],
    ])
  })

  test('gives no place to what stands before the first section', () => {
    const chunks = runCutTask({ extract: plain('Intro.\nTitle\nText.', [section('Title', 7, 18)]), fileType: 'md' })
    expect(chunks.map((chunk) => chunk.location?.label ?? null)).toEqual([null, 'Title'])
  })

  test.each([
    ['one letter', 'a'.repeat(3_000_000)],
    ['words', 'lorem ipsum '.repeat(200_000)],
    ['sentences', 'Here is one more. '.repeat(100_000)],
    ['Chinese', '这是一句很长的话没有空格'.repeat(80_000)],
    ['spaces', `x${' '.repeat(3_000_000)}x`],
    ['line ends', 'x\n'.repeat(300_000)],
    ['flags', `x${'🇩🇪'.repeat(150_000)}`],
    ['marks on one letter', `e${'\u0302'.repeat(600_000)}`],
  ])('is done with megabytes of %s', (_what, text) => {
    for (const type of ['txt', 'code'] as const) {
      const chunks = runCutTask({ extract: plain(text), fileType: type })
      expect(chunks.at(-1)?.end).toBe(text.trimEnd().length)
    }
  })

  test('runs in a worker', async () => {
    const module = new URL('./cut.ts', import.meta.url)
    const input = { extract: plain('One. Two.'), fileType: 'txt' as const, size: 6, overlap: 0 }
    expect(texts(await runInWorker<typeof input, Chunk[]>(module, runCutTask.name, input))).toEqual(['One.', 'Two.'])
  })
})

// Real texts lie beside the project where there are any; without them this list is empty.
const folder = new URL('../../../../../../shared/data/docs/', import.meta.url)
const real = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:csv|md)$/.test(name)) : []

test('cuts real files', () => {
  for (const name of real) {
    const extract = plain(readFileSync(new URL(name, folder), 'utf8'))
    checkCut(extract, cutIntoChunks(extract, 'csv', { size: 300, overlap: 60 }), 300)
  }
})
