/** AVIF: what is told about a picture is taken out of it. Nothing is decoded (ISO 23008-12, ISO 14496-12). */
import { holdsPlace } from './exif.ts'

const mostBoxes = 1000
/** Those of no size take no room in the list. */
const mostExtents = 10_000

/** Whether all that the boxes say is there. */
export const isWholeAvif = (bytes: Uint8Array): boolean => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let reached = 0
  for (const { end } of boxesOf(data, 0, data.length)) reached = end
  return reached === data.length
}

/**
 * Overwrites Exif and XMP with zeros, where they lie in the file. How a picture is turned is a property of its own here.
 * null: its parts do not lie where it says, so that nobody knows what is told of it.
 */
export const withoutAvifMetadata = (bytes: Uint8Array): { bytes: Uint8Array; located: boolean } | null => {
  try {
    return strip(Buffer.from(bytes))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const strip = (data: Buffer): { bytes: Uint8Array; located: boolean } => {
  const told = new Set(toldItems(data))
  let located = false
  for (const { item, start, end } of extentsOf(data)) {
    if (!told.has(item)) continue
    located ||= holdsPlace(data.subarray(start, end))
    data.fill(0, start, end)
  }
  return { bytes: data, located }
}

/** The items that tell about the picture rather than draw it. */
const toldItems = (data: Buffer): number[] => {
  const list = findBox(data, ['meta', 'iinf'])
  if (!list) return []
  const items: number[] = []
  const first = list.start + (data[list.start] === 0 ? 6 : 8)
  for (const { type, start, end } of boxesOf(data, first, list.end)) {
    const version = data[start] ?? 0
    if (type !== 'infe' || version < 2 || end - start < 12) continue
    const idBytes = version === 2 ? 2 : 4
    const kind = data.toString('latin1', start + 6 + idBytes, start + 10 + idBytes)
    if (kind === 'Exif' || kind === 'mime') items.push(data.readUIntBE(start + 4, idBytes))
  }
  return items
}

/** Where the items lie: in the file itself, or in a box of the description. */
function* extentsOf(data: Buffer): Generator<{ item: number; start: number; end: number }> {
  const box = findBox(data, ['meta', 'iloc'])
  if (!box) return
  const version = data[box.start] ?? 0
  let at = box.start + 4
  const take = (length: number): number => {
    const end = at + length
    if (end > box.end) throw new RangeError('The list of places is cut off.')
    if (length > 8 || length === 7) throw new RangeError('No number is as long.')
    const value = length === 0 ? 0 : length === 8 ? Number(data.readBigUInt64BE(at)) : data.readUIntBE(at, length)
    at = end
    return value
  }
  const sizes = take(2)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  const within = findBox(data, ['meta', 'idat'])
  let given = 0
  for (let items = take(version < 2 ? 2 : 4); items > 0; items--) {
    const item = take(version < 2 ? 2 : 4)
    const inBox = version > 0 && (take(2) & 15) === 1
    take(2)
    const base = take(baseSize) + (inBox ? (within?.start ?? 0) : 0)
    for (let extents = take(2); extents > 0; extents--) {
      if (++given > mostExtents) throw new RangeError('No picture lies in so many pieces.')
      take(indexSize)
      const start = base + take(offsetSize)
      yield { item, start, end: Math.min(data.length, start + take(lengthSize)) }
    }
  }
}

interface Box {
  readonly type: string
  /** Of what is in it. */
  readonly start: number
  readonly end: number
}

/** The first box at the end of a path. */
const findBox = (data: Buffer, path: readonly string[]): Box | null => {
  let place: Box = { type: '', start: 0, end: data.length }
  for (const wanted of path) {
    const found = [...boxesOf(data, place.start, place.end)].find(({ type }) => type === wanted)
    if (!found) return null
    // A `meta` has a version before its boxes.
    place = wanted === 'meta' ? { type: wanted, start: found.start + 4, end: found.end } : found
  }
  return place
}

function* boxesOf(data: Buffer, from: number, to: number): Generator<Box> {
  let at = from
  for (let boxes = 0; boxes < mostBoxes && at + 8 <= to; boxes++) {
    const said = data.readUInt32BE(at)
    const isLong = said === 1 && at + 16 <= to
    const size = isLong ? Number(data.readBigUInt64BE(at + 8)) : said === 0 ? to - at : said
    const head = isLong ? 16 : 8
    if (size < head || at + size > to) return
    yield { type: data.toString('latin1', at + 4, at + 8), start: at + head, end: at + size }
    at += size
  }
}
