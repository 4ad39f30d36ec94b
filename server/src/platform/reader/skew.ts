/** By how much the lines of a page lean, told by its projection profile: across straight lines ink and paper alternate. */
import type { GreyPicture } from './grey.ts'

const mostDegrees = 6
/** Wide enough that a tenth of a degree moves an end of a line by a pixel. */
const lookWidth = 800
/** More than a page of print has; other pictures have no lines to find. */
const mostInk = 150_000

export interface Skew {
  /** With the clock; 0 where no lines are told. */
  readonly degrees: number
  /** How light the paper is. */
  readonly paper: number
}

export const findSkew = (grey: GreyPicture): Skew => {
  const small = makeSmall(grey)
  const { threshold, paper, inkIsDark } = splitTones(small.data)
  const ink: number[] = []
  for (let at = 0; at < small.data.length; at++) if ((small.data[at] ?? 0) <= threshold === inkIsDark) ink.push(at)
  if (ink.length === 0 || ink.length > mostInk) return { degrees: 0, paper }
  const score = scoreOf(small, ink)
  const flat = score(0)
  let best = bestOf(score, 0, mostDegrees, 0.5)
  best = bestOf(score, best, 0.5, 0.1)
  // Straight already, or nothing that has lines.
  return { degrees: Math.abs(best) < 0.15 || score(best) < flat * 1.05 ? 0 : best, paper }
}

const bestOf = (score: (degrees: number) => number, around: number, reach: number, step: number): number => {
  let [best, most] = [around, Number.NEGATIVE_INFINITY]
  for (let degrees = around - reach; degrees <= around + reach + step / 2; degrees += step) {
    const found = score(degrees)
    if (found > most) [best, most] = [degrees, found]
  }
  return Math.round(best * 10) / 10
}

/** How sharply the ink changes from line to line, were the page turned back by so much. */
const scoreOf = ({ width, height }: GreyPicture, ink: readonly number[]): ((degrees: number) => number) => {
  const margin = Math.ceil(width * Math.tan((mostDegrees + 1) * (Math.PI / 180)))
  return (degrees) => {
    const slope = Math.tan((degrees * Math.PI) / 180)
    const profile = new Float64Array(height + margin * 2)
    for (const at of ink) {
      const y = Math.floor(at / width)
      const row = Math.round(y - (at - y * width - width / 2) * slope) + margin
      profile[row] = (profile[row] ?? 0) + 1
    }
    let sum = 0
    for (let row = 1; row < profile.length; row++) sum += ((profile[row] ?? 0) - (profile[row - 1] ?? 0)) ** 2
    return sum
  }
}

const makeSmall = ({ data, width, height }: GreyPicture): GreyPicture => {
  const factor = Math.max(1, Math.floor(width / lookWidth))
  const small = { width: Math.floor(width / factor), height: Math.floor(height / factor) }
  const out = new Uint8Array(small.width * small.height)
  for (let y = 0, at = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++, at++) {
      let sum = 0
      for (let dy = 0; dy < factor; dy++)
        for (let dx = 0; dx < factor; dx++) sum += data[(y * factor + dy) * width + x * factor + dx] ?? 0
      out[at] = sum / (factor * factor)
    }
  return { data: out, ...small }
}

/** Parts ink from paper where the two differ most (Otsu, 1979); what there is more of is the paper. */
const splitTones = (data: Uint8Array): { threshold: number; paper: number; inkIsDark: boolean } => {
  const counts = new Float64Array(256)
  for (const tone of data) counts[tone] = (counts[tone] ?? 0) + 1
  const total = data.length
  const sum = counts.reduce((all, count, tone) => all + count * tone, 0)
  let [darks, darkSum, threshold, widest] = [0, 0, 0, -1]
  let [dark, light] = [0, 255]
  for (let tone = 0; tone < 256; tone++) {
    darks += counts[tone] ?? 0
    darkSum += (counts[tone] ?? 0) * tone
    if (darks === 0 || darks === total) continue
    const [low, high] = [darkSum / darks, (sum - darkSum) / (total - darks)]
    const between = darks * (total - darks) * (low - high) ** 2
    if (between > widest) [widest, threshold, dark, light] = [between, tone, low, high]
  }
  const below = counts.slice(0, threshold + 1).reduce((all, count) => all + count, 0)
  const inkIsDark = below <= total / 2
  return { threshold, paper: Math.round(inkIsDark ? light : dark), inkIsDark }
}
