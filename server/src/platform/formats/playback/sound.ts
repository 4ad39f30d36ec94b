/** Length of sound without pictures: WAV, FLAC, Ogg, MP3 and AAC. */
import { type Measures, type ReadableParts, soundLength, unmeasured } from './parts.ts'

/** A head that says more sound than there is, as of a recording that was cut, is not believed. */
export const measureWav = async (file: ReadableParts): Promise<Measures> => {
  const data = await file.read(0, Math.min(file.size, 64 * 1024))
  let rate = 0
  for (let at = 12; at + 8 <= data.length; ) {
    const kind = data.toString('latin1', at, at + 4)
    const size = data.readUInt32LE(at + 4)
    if (kind === 'fmt ') rate = data.readUInt32LE(at + 16)
    if (kind === 'data') return soundLength(Math.min(size, file.size - at - 8) / rate)
    at += 8 + size + (size % 2)
  }
  return unmeasured
}

/** STREAMINFO stands first (RFC 9639, 8.2): 20 bits of rate, and 36 bits of samples in all. */
export const measureFlac = async (file: ReadableParts): Promise<Measures> => {
  const data = await file.read(0, 42)
  const rate = data.readUIntBE(18, 3) >>> 4
  return soundLength(((data.readUInt8(21) & 0x0f) * 2 ** 32 + data.readUInt32BE(22)) / rate)
}

/** The last page says how many samples came before its end (RFC 3533, 6); Opus counts 48,000 a second. */
export const measureOgg = async (file: ReadableParts): Promise<Measures> => {
  const head = await file.read(0, Math.min(file.size, 512))
  const opus = head.indexOf('OpusHead')
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  if (opus < 0 && vorbis < 0) return unmeasured
  const rate = opus < 0 ? head.readUInt32LE(vorbis + 12) : 48_000
  const skipped = opus < 0 ? 0 : head.readUInt16LE(opus + 10)
  const tail = await file.read(Math.max(0, file.size - 128 * 1024), file.size)
  const last = tail.lastIndexOf('OggS')
  if (last < 0) return unmeasured
  return soundLength((Number(tail.readBigInt64LE(last + 6)) - skipped) / rate)
}

const kilobits = {
  // Layer III of MPEG-1, and of MPEG-2 and 2.5.
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const mp3Rates = [44_100, 48_000, 32_000]

/** By the count of frames where the encoder left one (Xing, Info), else by the rate of the first frame. */
export const measureMp3 = async (file: ReadableParts): Promise<Measures> => {
  const start = await file.read(0, 10)
  const isTagged = start.toString('latin1', 0, 3) === 'ID3'
  const begin = isTagged ? 10 + syncsafe(start, 6) : 0
  const data = await file.read(begin, Math.min(file.size, begin + 8192))
  const frame = findMp3Frame(data)
  if (!frame) return unmeasured
  const { at, version, bitrate, rate } = frame
  const samples = version === 1 ? 1152 : 576
  const mark = data
    .subarray(at, at + 64)
    .toString('latin1')
    .search(/Xing|Info/)
  if (mark >= 0 && (data.readUInt32BE(at + mark + 4) & 1) === 1)
    return soundLength((data.readUInt32BE(at + mark + 8) * samples) / rate)
  return soundLength(((file.size - begin - at) * 8) / bitrate)
}

const syncsafe = (data: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((sum, next) => sum * 128 + (data.readUInt8(at + next) & 0x7f), 0)

const findMp3Frame = (data: Buffer): { at: number; version: 1 | 2; bitrate: number; rate: number } | null => {
  for (let at = data.indexOf(0xff); at >= 0 && at + 4 <= data.length; at = data.indexOf(0xff, at + 1)) {
    const [second = 0, third = 0] = data.subarray(at + 1, at + 3)
    if ((second & 0xe6) !== 0xe2) continue
    const bits = (second >> 3) & 3
    const version = bits === 3 ? 1 : 2
    const bitrate = (kilobits[version][third >> 4] ?? 0) * 1000
    // MPEG-2 halves the rates, MPEG-2.5 does it again.
    const rate = (mp3Rates[(third >> 2) & 3] ?? 0) / (bits === 3 ? 1 : bits === 2 ? 2 : 4)
    if (bits !== 1 && bitrate > 0 && rate > 0) return { at, version, bitrate, rate }
  }
  return null
}

const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]

/** By the frames at the beginning (ADTS, ISO 13818-7, 6.2), of 1024 samples each, as if all were as long. */
export const measureAac = async (file: ReadableParts): Promise<Measures> => {
  const data = await file.read(0, Math.min(file.size, 64 * 1024))
  const rate = aacRates[(data.readUInt8(2) >> 2) & 0x0f] ?? 0
  let frames = 0
  let at = 0
  while (at + 7 <= data.length && data[at] === 0xff) {
    const size = (data.readUIntBE(at + 3, 3) >> 5) & 0x1fff
    if (size < 7) break
    frames += 1
    at += size
  }
  return frames === 0 ? unmeasured : soundLength((frames * 1024 * (file.size / at)) / rate)
}
