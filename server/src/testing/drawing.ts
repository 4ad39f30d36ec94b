/** Pictures for tests, drawn pixel by pixel and written as PNG. */
import { deflateSync } from 'node:zlib'
import { pngChunk } from '../platform/formats/picture/png-chunk.ts'

/** `paint` gives red, green, blue and opacity of a pixel. */
export const drawPng = (
  width: number,
  height: number,
  paint: (x: number, y: number) => readonly [number, number, number, number],
): Uint8Array<ArrayBuffer> => {
  const rows = Buffer.alloc(height * (1 + width * 4))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(paint(x, y), y * (1 + width * 4) + 1 + x * 4)
  return packPng(width, height, 6, rows)
}

/** `rows` as the format has them: a filter byte, then the pixels; `colour` 0 is grey, 2 RGB, 6 RGBA, of 8 bits each. */
export const packPng = (width: number, height: number, colour: 0 | 2 | 6, rows: Buffer): Uint8Array<ArrayBuffer> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, colour], 8)
  const chunks = [pngChunk('IHDR', head), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]))
}
