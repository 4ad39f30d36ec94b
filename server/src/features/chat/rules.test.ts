import { describe, expect, test } from 'vitest'
import { readImage } from './images.ts'
import { attachmentBlock, cleanFollowups, cleanTitle, firstWords, isContinuable, summaryPrompt } from './rules.ts'

test.each([
  ['A title', 'A title'],
  ['"Quoted title."', 'Quoted title'],
  ['Title: **Bold** words', 'Bold words'],
  ['\n\n# Heading\nmore', 'Heading'],
  ['“عنوان جميل”', 'عنوان جميل'],
  ['   ', null],
  ['one two three four five six seven eight nine ten eleven', 'one two three four five six seven eight nine ten'],
])('the title %j becomes %j', (answer, title) => {
  expect(cleanTitle(answer)).toBe(title)
})

test('first words end at a word, with an ellipsis', () => {
  expect(firstWords('short\n  text')).toBe('short text')
  const long = firstWords('a word '.repeat(30))
  expect(long.length).toBeLessThanOrEqual(50)
  expect(long).toMatch(/word…$/)
  expect(firstWords('x'.repeat(100))).toHaveLength(50)
})

test('follow-ups are read from lists of any kind, four at most', () => {
  const answer =
    'Here are some:\n1. What next?\n- And why?\n* What next?\n“How so?”\nWhen is it?\nWho is it?\n' + 'x'.repeat(121)
  expect(cleanFollowups(answer)).toEqual(['What next?', 'And why?', 'How so?', 'When is it?'])
})

test('an attachment is fenced by more than it holds', () => {
  expect(attachmentBlock('a.md', 'text')).toBe('Attached file "a.md":\n```\ntext\n```')
  expect(attachmentBlock('a.md', '````js\n````\n')).toBe('Attached file "a.md":\n`````\n````js\n````\n`````')
})

test('a summary prompt holds the transcript, whatever its template', () => {
  expect(summaryPrompt('Short: {{MESSAGES}} after {{PREVIOUS_SUMMARY}}', 'old $&', 'new $1')).toBe(
    'Short: new $1 after The summary so far:\nold $&',
  )
  expect(summaryPrompt('Just do it', null, 'text')).toContain('text')
  expect(summaryPrompt('', null, 'text')).toContain('You condense')
})

test.each([
  ['complete', 'stop', false],
  ['complete', 'length', true],
  ['cancelled', null, true],
  ['interrupted', null, true],
  ['failed', null, true],
  ['running', null, false],
])('an answer that is %s (%s) can be gone on with: %s', (status, reason, can) => {
  expect(isContinuable(status, reason)).toBe(can)
})

describe('images', () => {
  const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
  const webp = (kind: string, rest: string) =>
    Buffer.concat([Buffer.from('RIFF....WEBP'), Buffer.from(kind), bytes(rest), Buffer.alloc(30)])
  test.each([
    ['png', bytes('89504e47 0d0a1a0a 0000000d 49484452 00000102 00000304'), 'image/png', 258, 772],
    ['gif', Buffer.concat([Buffer.from('GIF89a'), bytes('0201 0403')]), 'image/gif', 258, 772],
    ['jpeg', bytes('ffd8 ffe0 0004 0000 ffc0 0011 08 0304 0102 03 000000'), 'image/jpeg', 258, 772],
    ['lossy webp', webp('VP8 ', '00000000 000000 9d012a 0201 0403'), 'image/webp', 258, 772],
    ['lossless webp', webp('VP8L', '00000000 2f 01c1c000'), 'image/webp', 258, 772],
    ['extended webp', webp('VP8X', '00000000 00000000 010100 030300'), 'image/webp', 258, 772],
  ])('%s tells its size', (_name, data, mediaType, width, height) => {
    expect(readImage(data)).toEqual({ mediaType, width, height })
  })

  test('what is cut short or none is none', () => {
    for (const data of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      bytes('ffd8 ffe0 ffff'),
      Buffer.from('%PDF-1.7 and more'),
      bytes('89504e470d0a1a0a'),
    ]) {
      expect(readImage(data)).toBeNull()
    }
  })
})
