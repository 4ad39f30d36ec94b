/** Length and size of MP4, M4A and QuickTime (ISO 14496-12). */
import { type Measures, type ReadableParts, soundLength, unmeasured } from './parts.ts'

const mostBoxes = 200
/** What describes a film of hours. */
const longestMovieBox = 16 * 1024 * 1024

export const measureMp4 = async (file: ReadableParts): Promise<Measures> => {
  let at = 0
  for (let box = 0; box < mostBoxes && at + 8 <= file.size; box++) {
    const head = await file.read(at, at + 16)
    const { size, headSize, type } = readBox(head, 0, file.size - at)
    if (size < headSize) return unmeasured
    if (type === 'moov')
      return size > longestMovieBox ? unmeasured : measureMovie(await file.read(at + headSize, at + size))
    at += size
  }
  return unmeasured
}

const measureMovie = (movie: Buffer): Measures => {
  let measures = unmeasured
  let pixels: Pick<Measures, 'width' | 'height'> = { width: null, height: null }
  for (const { type, body } of boxesOf(movie)) {
    if (type === 'mvhd') measures = soundLength(lengthOf(body))
    if (type === 'trak' && pixels.width === null) pixels = trackSize(body)
  }
  return { durationMs: measures.durationMs, width: pixels.width, height: pixels.height }
}

/** Of a movie header: in version 1 its times have 64 bits. */
const lengthOf = (body: Buffer): number =>
  body[0] === 1
    ? Number(body.readBigUInt64BE(24)) / body.readUInt32BE(20)
    : body.readUInt32BE(16) / body.readUInt32BE(12)

/** What a track fills of the picture: nothing where it is sound. A quarter turn swaps the sides. */
const trackSize = (track: Buffer): Pick<Measures, 'width' | 'height'> => {
  const [head] = [...boxesOf(track)].filter(({ type }) => type === 'tkhd')
  if (!head) return { width: null, height: null }
  const matrix = head.body[0] === 1 ? 52 : 40
  const width = head.body.readUInt32BE(matrix + 36) >>> 16
  const height = head.body.readUInt32BE(matrix + 40) >>> 16
  if (width === 0 || height === 0) return { width: null, height: null }
  const turned = head.body.readInt32BE(matrix) === 0 && head.body.readInt32BE(matrix + 4) !== 0
  return turned ? { width: height, height: width } : { width, height }
}

function* boxesOf(data: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0; at + 8 <= data.length; ) {
    const { size, headSize, type } = readBox(data, at, data.length - at)
    if (size < headSize) return
    yield { type, body: data.subarray(at + headSize, at + size) }
    at += size
  }
}

/** Size 0: to the end; size 1: the size follows in 64 bits. */
const readBox = (data: Buffer, at: number, left: number): { size: number; headSize: number; type: string } => {
  const said = data.readUInt32BE(at)
  const type = data.toString('latin1', at + 4, at + 8)
  if (said === 1) return { size: Number(data.readBigUInt64BE(at + 8)), headSize: 16, type }
  return { size: said === 0 ? left : said, headSize: 8, type }
}
