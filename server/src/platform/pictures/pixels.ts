/** Pixels in memory: made smaller, turned. Pure functions over arrays of bytes. */
import type { Size } from './head.ts'

/** Red, green, blue and opacity, a byte each, row by row from the top. */
export interface Pixels extends Size {
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** The size with `longSide` as its longer side, or the same where it is no longer. */
export const fitInto = ({ width, height }: Size, longSide: number): Size => {
  const scale = Math.min(1, longSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Every square of `factor` × `factor` pixels becomes its mean; the rest at the right and the lower edge makes squares of
 * its own. What is transparent lends no colour.
 */
export const shrinkPixels = (pixels: Pixels, factor: number): Pixels => {
  if (factor <= 1) return pixels
  const width = Math.ceil(pixels.width / factor)
  const height = Math.ceil(pixels.height / factor)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) meanInto(data, (y * width + x) * 4, pixels, x * factor, y * factor, factor)
  return { data, width, height }
}

const meanInto = (
  into: Uint8ClampedArray,
  at: number,
  { data, width, height }: Pixels,
  left: number,
  top: number,
  factor: number,
): void => {
  const right = Math.min(width, left + factor)
  const bottom = Math.min(height, top + factor)
  let red = 0
  let green = 0
  let blue = 0
  let opacity = 0
  for (let y = top; y < bottom; y++)
    for (let i = (y * width + left) * 4; i < (y * width + right) * 4; i += 4) {
      const weight = data[i + 3] ?? 0
      red += (data[i] ?? 0) * weight
      green += (data[i + 1] ?? 0) * weight
      blue += (data[i + 2] ?? 0) * weight
      opacity += weight
    }
  if (opacity === 0) return
  into[at] = red / opacity
  into[at + 1] = green / opacity
  into[at + 2] = blue / opacity
  into[at + 3] = opacity / ((right - left) * (bottom - top))
}

/** As Exif says it is to be turned: 1 as it is, to 8 (CIPA DC-008, 4.6.4 A). */
export const orientPixels = (pixels: Pixels, orientation: number): Pixels => {
  if (orientation <= 1 || orientation > 8) return pixels
  const { width, height } = pixels
  const across = orientation >= 5
  const size = across ? { width: height, height: width } : { width, height }
  const source = new Uint32Array(pixels.data.buffer, pixels.data.byteOffset, width * height)
  const target = new Uint32Array(width * height)
  const fromRight = [2, 3, 7, 8].includes(orientation)
  const fromBelow = [3, 4, 6, 7].includes(orientation)
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const column = across ? y : x
      const row = across ? x : y
      const from = (fromBelow ? height - 1 - row : row) * width + (fromRight ? width - 1 - column : column)
      target[y * size.width + x] = source[from] ?? 0
    }
  return { ...size, data: new Uint8ClampedArray(target.buffer) }
}
