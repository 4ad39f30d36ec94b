import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawPng, packPng } from '../../testing/drawing.ts'
import { countFound, printPage } from '../../testing/printed-page.ts'
import { readWell } from './attempts.ts'
import { shrinkGrey, toGrey, turnQuarters, type GreyPicture } from './grey.ts'
import { readPrint } from './index.ts'
import type { PrintLanguage } from './languages.ts'
import { findSkew } from './skew.ts'

const words = readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8')
  .split(/\s+/)
  .filter(Boolean)

test('a page that leans is read almost to the last word', async () => {
  const page = printPage(words, { turned: 3, height: 0.3 })
  const print = await readPrint(page.png)
  if ('failure' in print) throw new Error(print.failure)
  expect(print.language).toBe('en')
  expect(countFound(page.words, print.text) / page.words.length).toBeGreaterThanOrEqual(0.97)
})

test.each([
  ['a picture without print', drawPng(300, 200, (x, y) => [x % 256, y % 256, (x * y) % 256, 255]), 'no_print'],
  ['an empty page', drawPng(400, 400, () => [255, 255, 255, 255]), 'no_print'],
  ['a picture that is too large', packPng(50_000, 50_000, 0, Buffer.alloc(10)), 'too_complex'],
  ['what is no picture', Buffer.from('%PDF-1.7'), 'unsupported'],
])('of %s there is nothing to read', async (_, bytes, failure) => {
  expect(await readPrint(new Uint8Array(bytes))).toEqual({ failure })
})

test.each([0, 1, -3, 5, -5])('lines that lean by %d° are found to lean so', (turned) => {
  const { data, width, height } = drawLines(turned)
  expect(Math.abs(findSkew({ data, width, height }).degrees + turned)).toBeLessThanOrEqual(0.2)
})

/** Black bars on white, against the clock. */
const drawLines = (turned: number): GreyPicture => {
  const [width, height] = [900, 900]
  const slope = Math.tan((turned * Math.PI) / 180)
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const along = y + (x - width / 2) * slope
      const inside = Math.abs(x - 450) < 300 && Math.abs(y - 450) < 300
      data[y * width + x] = inside && Math.abs(along % 30) < 8 ? 0 : 255
    }
  return { data, width, height }
}

/** Which way a picture lies is said by its first pixel; smoothed that is 2. */
const marked = toGrey({
  data: new Uint8ClampedArray([1, 2, 3, 4].flatMap((light) => [light, light, light, 255])),
  width: 2,
  height: 2,
})
const reading = (confidence: number) => ({ text: String(confidence), confidence, letters: 9 })

test.each<[string, Record<string, number>, string[]]>([
  ['is read once where it reads well', { '1 en': 0.9 }, ['1 en']],
  ['is smoothed where it reads not so well', { '1 en': 0.8, '2 en': 0.82 }, ['1 en', '2 en']],
  ['is tried in the other language next', { '1 en': 0.2, '1 ar': 0.9 }, ['1 en', '1 ar']],
  ['is turned where neither can be', { '1 en': 0.3, '1 ar': 0.2, '4 en': 0.95 }, ['1 en', '1 ar', '4 en']],
  [
    'is turned to its sides at last',
    { '1 en': 0.3, '2 en': 0.9 },
    ['1 en', '1 ar', '4 en', '4 ar', '3 en', '3 ar', '2 en'],
  ],
])('a picture %s', async (_, sure, expected) => {
  const tried: string[] = []
  const recognise = async ({ data }: GreyPicture, language: PrintLanguage) => {
    tried.push(`${data[0]} ${language}`)
    return reading(sure[tried.at(-1) ?? ''] ?? 0.1)
  }
  const best = await readWell(marked, ['en', 'ar'], { recognise, hasTime: () => true })
  expect(tried).toEqual(expected)
  expect(best.confidence).toBe(Math.max(...Object.values(sure)))
})

test('a picture that took long is not tried again', async () => {
  let tries = 0
  const recognise = async () => {
    tries += 1
    return reading(0.2)
  }
  await readWell(marked, ['en', 'ar'], { recognise, hasTime: () => false })
  expect(tries).toBe(1)
})

test('four quarters of a turn are none', () => {
  expect(turnQuarters(turnQuarters(marked, 1), 3)).toEqual(marked)
  expect(turnQuarters(turnQuarters(marked, 2), 2)).toEqual(marked)
  expect([...turnQuarters(marked, 1).data]).toEqual([3, 1, 4, 2])
})

test('a large picture is made smaller by areas, and a page that is hardly larger is left as it is', () => {
  const width = 7
  const data = Uint8Array.from({ length: 35 }, (_, at) => (at % width < 3 ? 0 : 210))
  const small = shrinkGrey({ data, width, height: 5 }, 2)
  expect([small.width, small.height]).toEqual([2, 1])
  // Half of a column of ink ends in the middle of the first pixel.
  expect([...small.data]).toEqual([30, 210])
  const page = { data: new Uint8Array(103 * 50), width: 50, height: 103 }
  expect(shrinkGrey(page, 100)).toBe(page)
  const large = shrinkGrey({ data: new Uint8Array(400 * 900).fill(7), width: 400, height: 900 }, 350)
  expect([large.height, Math.max(...large.data), Math.min(...large.data)]).toEqual([350, 7, 7])
})
