/** Whether all of a picture is there, told without decoding it: its format says where it ends. */
import { gifBlocks, type PictureHead } from './head.ts'

/** `mediaType` is what the bytes are, as `readHead` tells. */
export const isWhole = (bytes: Uint8Array, mediaType: PictureHead['mediaType']): boolean => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (mediaType) {
    case 'image/png':
      return isWholePng(data)
    case 'image/jpeg':
      // Of the last scan: previews within have ends of their own.
      return data.indexOf(endOfImage, Math.max(0, data.lastIndexOf(startOfScan))) > 0
    case 'image/webp':
      return data.readUInt32LE(4) + 8 <= data.length
    case 'image/gif': {
      let end = 0
      for (const block of gifBlocks(data)) end = block.end
      return data[end] === 0x3b
    }
  }
}

const startOfScan = Buffer.from([0xff, 0xda])
const endOfImage = Buffer.from([0xff, 0xd9])

const isWholePng = (data: Buffer): boolean => {
  for (let at = 8; at + 12 <= data.length; at += 12 + data.readUInt32BE(at))
    if (data.toString('latin1', at + 4, at + 8) === 'IEND') return true
  return false
}
