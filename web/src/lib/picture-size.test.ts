import { describe, expect, test } from 'vitest'
import { readPictureSize } from './picture-size.ts'

const hex = (text: string) => Uint8Array.from(text.replaceAll(' ', '').match(/../g) ?? [], (two) => parseInt(two, 16))
const words = (text: string) => new TextEncoder().encode(text)
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const webp = (kind: string, rest: string) => joined(words('RIFF....WEBP'), words(kind), hex(rest), new Uint8Array(30))

describe('the size of a picture', () => {
  test.each([
    ['png', hex('89504e47 0d0a1a0a 0000000d 49484452 00000102 00000304')],
    ['jpeg', hex('ffd8 ffe0 0004 0000 ffff c0 0011 08 0304 0102 03 000000')],
    ['lossy webp', webp('VP8 ', '00000000 000000 9d012a 0201 0403')],
    ['lossless webp', webp('VP8L', '00000000 2f 01c1c000')],
    ['extended webp', webp('VP8X', '00000000 00000000 010100 030300')],
  ])('%s tells it', (_name, bytes) => {
    expect(readPictureSize(bytes)).toEqual({ width: 258, height: 772 })
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['a png that is cut short', hex('89504e470d0a1a0a')],
    ['a jpeg without a frame', hex('ffd8 ffe0 ffff')],
    ['a gif', words('GIF89a..........')],
    ['a drawing', words('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a png of no width', hex('89504e47 0d0a1a0a 0000000d 49484452 00000000 00000304')],
  ])('%s tells none', (_name, bytes) => {
    expect(readPictureSize(bytes)).toBeNull()
  })
})
