/** Length and size of WebM (Matroska, RFC 9559): elements that each say what they are and how long (EBML, RFC 8794). */
import { type Measures, type ReadableParts, soundLength, unmeasured } from './parts.ts'

const segment = 0x18538067
const info = 0x1549a966
const tracks = 0x1654ae6b
const cluster = 0x1f43b675
const within = new Set([segment, info, tracks, 0xae, 0xe0])
/** What stands before the first cluster. */
const headBytes = 256 * 1024

export const measureWebm = async (file: ReadableParts): Promise<Measures> => {
  const data = await file.read(0, Math.min(file.size, headBytes))
  const found = { scale: 1_000_000, duration: 0, width: 0, height: 0 }
  for (let at = 0; at < data.length; ) {
    const id = readNumber(data, at, true)
    const size = id && readNumber(data, id.end, false)
    if (!id || !size || id.value === cluster) break
    // What has parts is gone into: they follow at once.
    if (within.has(id.value)) {
      at = size.end
      continue
    }
    const body = data.subarray(size.end, size.end + size.value)
    if (id.value === 0x2ad7b1) found.scale = readUnsigned(body)
    if (id.value === 0x4489) found.duration = body.length === 4 ? body.readFloatBE(0) : body.readDoubleBE(0)
    if (id.value === 0xb0) found.width = readUnsigned(body)
    if (id.value === 0xba) found.height = readUnsigned(body)
    at = size.end + size.value
  }
  const { durationMs } = found.duration > 0 ? soundLength((found.duration * found.scale) / 1e9) : unmeasured
  const pictured = found.width > 0 && found.height > 0
  return { durationMs, width: pictured ? found.width : null, height: pictured ? found.height : null }
}

/** A number of its own length; an id keeps the mark of it. null at the end of the data. */
const readNumber = (data: Buffer, at: number, marked: boolean): { value: number; end: number } | null => {
  const first = data[at] ?? 0
  const length = Math.clz32(first) - 23
  if (first === 0 || length > 8 || at + length > data.length) return null
  let value = marked ? first : first & (0xff >> length)
  for (let next = 1; next < length; next++) value = value * 256 + (data[at + next] ?? 0)
  return { value, end: at + length }
}

const readUnsigned = (body: Buffer): number =>
  body.length === 0 || body.length > 6 ? 0 : body.readUIntBE(0, body.length)
