import { describe, expect, test } from 'vitest'
import { isTooLarge, readHead } from './head.ts'

describe('the head of a picture', () => {
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
    expect(readHead(data)).toEqual({ mediaType, width, height })
  })

  test('what is cut short or none is none', () => {
    for (const data of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      bytes('ffd8 ffe0 ffff'),
      Buffer.from('%PDF-1.7 and more'),
      bytes('89504e470d0a1a0a'),
    ]) {
      expect(readHead(data)).toBeNull()
    }
  })
})

test.each([
  ['png', 'image/png', `89504e470d0a1a0a0000000d49484452${'0000c350'.repeat(2)}0806000000`],
  ['png of 2³¹', 'image/png', `89504e470d0a1a0a0000000d49484452${'7fffffff'.repeat(2)}0806000000`],
  ['jpeg', 'image/jpeg', 'ffd8ffc0001108c350c35003012200021101031101'],
  ['gif', 'image/gif', '47494638396150c350c3000000'],
  ['gif with a frame beyond its screen', 'image/gif', `47494638396101000100000000${'2c0000000050c350c3000200003b'}`],
  ['webp', 'image/webp', `52494646ffffffff57454250565038580a00000000000000${'ffff00'.repeat(2)}${'00'.repeat(8)}`],
])('a %s that says it is enormous is too large to show', (_, mediaType, hex) => {
  const head = readHead(Buffer.from(hex, 'hex'))
  expect(head?.mediaType).toBe(mediaType)
  expect(head && isTooLarge(head)).toBe(true)
})
