/** One part of a PNG file (W3C 2025, section 5.3). Pure. */
import { crc32 } from 'node:zlib'

/** `kind`: its four letters; gives it with its length before it and its checksum behind it. */
export const pngChunk = (kind: string, inside: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), inside])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(inside.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
