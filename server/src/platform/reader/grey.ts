/** Pictures in shades of grey, as print is read from them. Pure functions; nothing is changed in place. */
import type { Pixels } from '../pictures/pixels.ts'

/** A byte for each pixel, row by row: 0 is black. */
export interface GreyPicture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** On white paper, where it is transparent. */
export const toGrey = ({ data, width, height }: Pixels): GreyPicture => {
  const grey = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < grey.length; i++, at += 4) {
    const opacity = (data[at + 3] ?? 0) / 255
    const light = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
    grey[i] = light * opacity + 255 * (1 - opacity) + 0.5
  }
  return { data: grey, width, height }
}

/**
 * With `longSide` as its longer side; each pixel is the mean of the area that it stands for. By far less memory than the
 * codec that resizes colours, which takes 500 MB for a page of 300 dpi.
 */
export const shrinkGrey = (grey: GreyPicture, longSide: number): GreyPicture => {
  const step = Math.max(grey.width, grey.height) / longSide
  // A scan of A4 at 300 dpi is some pixels longer: that is not worth a blur.
  if (step <= 1.03) return grey
  const width = Math.max(1, Math.floor(grey.width / step))
  const height = Math.max(1, Math.floor(grey.height / step))
  const data = new Uint8Array(width * height)
  const across = new Float32Array(grey.width)
  for (let y = 0; y < height; y++) {
    const rows = addRows(grey, across, y * step, Math.min(grey.height, (y + 1) * step))
    for (let x = 0; x < width; x++) {
      const [left, right] = [x * step, Math.min(grey.width, (x + 1) * step)]
      let sum = 0
      for (let column = Math.floor(left); column < right; column++)
        sum += (across[column] ?? 0) * (Math.min(right, column + 1) - Math.max(left, column))
      data[y * width + x] = sum / ((right - left) * rows) + 0.5
    }
  }
  return { data, width, height }
}

/** The sum of the rows between two heights, which need not be whole; gives how many that are. */
const addRows = ({ data, width }: GreyPicture, into: Float32Array, top: number, bottom: number): number => {
  into.fill(0)
  for (let row = Math.floor(top); row < bottom; row++) {
    const share = Math.min(bottom, row + 1) - Math.max(top, row)
    for (let x = 0, at = row * width; x < width; x++, at++) into[x] = (into[x] ?? 0) + (data[at] ?? 0) * share
  }
  return bottom - top
}

export const toPixels = ({ data, width, height }: GreyPicture): Pixels => {
  const pixels = new Uint32Array(width * height)
  for (let i = 0; i < pixels.length; i++) {
    const light = data[i] ?? 0
    pixels[i] = 0xff000000 | (light << 16) | (light << 8) | light
  }
  return { data: new Uint8ClampedArray(pixels.buffer), width, height }
}

/** Each pixel is the mean of those around it: single ones that stray are lost in it. */
export const smoothGrey = ({ data, width, height }: GreyPicture): GreyPicture => {
  const across = new Uint16Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const middle = data[at] ?? 0
      across[at] = middle + (x > 0 ? (data[at - 1] ?? 0) : middle) + (x < width - 1 ? (data[at + 1] ?? 0) : middle)
    }
  const smooth = new Uint8Array(width * height)
  for (let at = 0; at < smooth.length; at++) {
    const middle = across[at] ?? 0
    smooth[at] = (middle + (across[at - width] ?? middle) + (across[at + width] ?? middle)) / 9 + 0.5
  }
  return { data: smooth, width, height }
}

/** With the clock by so many quarters of a turn. */
export const turnQuarters = (grey: GreyPicture, quarters: 1 | 2 | 3): GreyPicture => {
  const { data, width, height } = grey
  const across = quarters !== 2
  const turned = new Uint8Array(data.length)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const [column, row] =
        quarters === 1 ? [height - 1 - y, x] : quarters === 2 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x]
      turned[row * (across ? height : width) + column] = data[at] ?? 0
    }
  return across ? { data: turned, width: height, height: width } : { data: turned, width, height }
}

/** With the clock by some degrees, around its middle; what comes in from outside is as light as `paper`. */
export const turnGrey = ({ data, width, height }: GreyPicture, degrees: number, paper: number): GreyPicture => {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const turned = new Uint8Array(data.length).fill(paper)
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2]
  for (let y = 0; y < height; y++) {
    let fromX = -middleX * cos + (y - middleY) * sin + middleX
    let fromY = middleX * sin + (y - middleY) * cos + middleY
    for (let x = 0; x < width; x++, fromX += cos, fromY -= sin) {
      const left = Math.floor(fromX)
      const top = Math.floor(fromY)
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const at = top * width + left
      const [dx, dy] = [fromX - left, fromY - top]
      const upper = (data[at] ?? 0) * (1 - dx) + (data[at + 1] ?? 0) * dx
      const lower = (data[at + width] ?? 0) * (1 - dx) + (data[at + width + 1] ?? 0) * dx
      turned[y * width + x] = upper * (1 - dy) + lower * dy + 0.5
    }
  }
  return { data: turned, width, height }
}
