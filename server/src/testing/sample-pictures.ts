/** Small pictures for tests, each with a head and an end. */
import { crc32, deflateSync } from 'node:zlib'

const chunk = (kind: string, inside: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), inside])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(inside.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** A PNG of one colour; `says` is what its head says instead of its size, `more` other chunks. */
export const samplePng = (
  width: number,
  height: number,
  { says = { width, height }, more = [] }: { says?: { width: number; height: number }; more?: [string, Buffer][] } = {},
): Uint8Array<ArrayBuffer> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(says.width, 0)
  head.writeUInt32BE(says.height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + width * 3), 0x7f)
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', head),
      ...more.map(([kind, inside]) => chunk(kind, inside)),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}
