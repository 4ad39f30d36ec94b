/** The first picture of a GIF 89a, on its screen; the rest of a film is not looked at. */
import { gifBlocks, gifExtension, gifFrame } from '../formats/picture/head.ts'
import { PictureFault } from './fault.ts'
import type { Pixels } from './pixels.ts'

const graphicControl = 0xf9

/** Throws PictureFault. */
export const decodeGif = (bytes: Uint8Array): Pixels => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let transparent = -1
  for (const { kind, start, end } of gifBlocks(data)) {
    if (kind === gifExtension && data[start + 1] === graphicControl && start + 7 <= end)
      transparent = (data[start + 3] ?? 0) & 1 ? (data[start + 6] ?? -1) : -1
    if (kind === gifFrame && start + 10 < end) return drawFrame(data, start, end, transparent)
  }
  throw new PictureFault('damaged')
}

const drawFrame = (data: Buffer, start: number, end: number, transparent: number): Pixels => {
  const left = data.readUInt16LE(start + 1)
  const top = data.readUInt16LE(start + 3)
  const frameWidth = data.readUInt16LE(start + 5)
  const frameHeight = data.readUInt16LE(start + 7)
  const width = Math.max(data.readUInt16LE(6), left + frameWidth)
  const height = Math.max(data.readUInt16LE(8), top + frameHeight)
  const packed = data[start + 9] ?? 0
  const own = packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0
  const table = own ? data.subarray(start + 10, start + 10 + own) : data.subarray(13)
  const indices = unpack(data.subarray(start + 10 + own, end), frameWidth * frameHeight)
  const rows = packed & 0x40 ? interlaced(frameHeight) : null
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? 0
    if (index === transparent) continue
    const row = Math.floor(i / frameWidth)
    const at = ((top + (rows?.[row] ?? row)) * width + left + (i % frameWidth)) * 4
    pixels.set([table[index * 3] ?? 0, table[index * 3 + 1] ?? 0, table[index * 3 + 2] ?? 0, 255], at)
  }
  return { data: pixels, width, height }
}

/** Which row of the picture each stored row is. */
const interlaced = (height: number): number[] => {
  const rows: number[] = []
  for (const [from, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let row = from; row < height; row += step) rows.push(row)
  return rows
}

const mostCodes = 4096

/** LZW with codes of growing length (GIF 89a, appendix F). What is cut short gives what there is. */
const unpack = (packed: Buffer, count: number): Uint8Array => {
  const least = packed[0] ?? 0
  if (least < 1 || least > 11) throw new PictureFault('damaged')
  const clear = 2 ** least
  const prefix = new Uint16Array(mostCodes)
  const suffix = new Uint8Array(mostCodes)
  const stack = new Uint8Array(mostCodes + 1)
  const out = new Uint8Array(count)
  let [filled, codeBits, next, before, first] = [0, least + 1, clear + 2, -1, 0]
  for (let code = 0; code < clear; code++) suffix[code] = code
  for (const byte of bitsOf(packed, () => codeBits)) {
    if (byte === clear) {
      ;[codeBits, next, before] = [least + 1, clear + 2, -1]
      continue
    }
    if (byte === clear + 1 || byte > next || (byte === next && before < 0)) break
    let code = byte
    let depth = 0
    if (byte === next) {
      stack[depth++] = first
      code = before
    }
    for (; code > clear; code = prefix[code] ?? 0) stack[depth++] = suffix[code] ?? 0
    first = suffix[code] ?? 0
    stack[depth++] = first
    while (depth > 0 && filled < count) out[filled++] = stack[--depth] ?? 0
    if (filled === count) break
    if (before >= 0 && next < mostCodes) {
      prefix[next] = before
      suffix[next] = first
      next += 1
      if (next === 2 ** codeBits && codeBits < 12) codeBits += 1
    }
    before = byte
  }
  return out.subarray(0, filled)
}

/** Codes out of blocks of up to 255 bytes, the lowest bit first. */
function* bitsOf(packed: Buffer, bits: () => number): Generator<number> {
  let [held, count] = [0, 0]
  for (let at = 1; at < packed.length && packed[at] !== 0; at += 1 + (packed[at] ?? 0))
    for (const byte of packed.subarray(at + 1, at + 1 + (packed[at] ?? 0))) {
      held |= byte << count
      count += 8
      while (count >= bits()) {
        const take = bits()
        yield held & ((1 << take) - 1)
        held >>>= take
        count -= take
      }
    }
}
