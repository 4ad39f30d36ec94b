import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countFound, printPage, type PageLook } from '../../testing/printed-page.ts'
import { decodePicture, encodeWebp } from '../pictures/codecs.ts'
import { toGrey, toPixels, turnQuarters } from './grey.ts'
import { readPrint } from './index.ts'

const words = readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8')
  .split(/\s+/)
  .filter(Boolean)
const share = async (bytes: Uint8Array, printed: readonly string[], language = 'en') => {
  const print = await readPrint(bytes, { language })
  if ('failure' in print) throw new Error(print.failure)
  return { found: countFound(printed, print.text) / printed.length, language: print.language }
}

test.each<[string, PageLook]>([
  ['clean', {}],
  ['of 110 dpi', { dpi: 110 }],
  ['of 300 dpi', { dpi: 300 }],
  ['of 600 dpi', { dpi: 600 }],
  ['dark', { paper: 110, ink: 40 }],
  ['light on dark', { paper: 30, ink: 230 }],
  ['noisy', { noise: 80 }],
  ['turned by 1°', { turned: 1 }],
  ['turned by 3°', { turned: 3 }],
  ['turned by 5°', { turned: 5 }],
  ['turned by 5° the other way', { turned: -5 }],
  ['noisy and turned', { turned: 4, noise: 60 }],
])('of a page that is %s 97 of 100 words are read', async (_, look) => {
  const page = printPage(words, look)
  expect((await share(page.png, page.words)).found).toBeGreaterThanOrEqual(0.97)
})

test.each([1, 2, 3] as const)('a page that lies turned by %i quarters is read', async (quarters) => {
  const page = printPage(words, { height: 0.4 })
  const { pixels } = await decodePicture(page.png, 3500)
  const turned = await encodeWebp(toPixels(turnQuarters(toGrey(pixels), quarters)))
  expect((await share(turned, page.words, 'ar')).found).toBeGreaterThanOrEqual(0.97)
})

test('Arabic print is read, whichever language is tried first', async () => {
  const file = (name: string) => readFileSync(new URL(`__fixtures__/${name}`, import.meta.url))
  const printed = file('arabic.txt').toString('utf8').split(/\s+/).filter(Boolean)
  for (const first of ['ar', 'en', 'de']) {
    const { found, language } = await share(new Uint8Array(file('arabic.png')), printed, first)
    expect(language).toBe('ar')
    expect(found).toBeGreaterThanOrEqual(0.8)
  }
})
