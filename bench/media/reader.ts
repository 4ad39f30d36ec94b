/** The built-in reader on pages that are drawn here: how many words it finds, and how long a processor works on a page. */
import { readFileSync } from 'node:fs'
import { decodePicture, encodeWebp } from '../../server/src/platform/pictures/codecs.ts'
import { toGrey, toPixels, turnQuarters } from '../../server/src/platform/reader/grey.ts'
import { readPrintedPage } from '../../server/src/platform/reader/read.ts'
import { countFound, printPage, type PageLook } from '../../server/src/testing/printed-page.ts'
import type { Row } from '../row.ts'

const looks: Readonly<Record<string, PageLook>> = {
  clean: {},
  '110 dpi': { dpi: 110 },
  dark: { paper: 110, ink: 40 },
  noisy: { noise: 80 },
  'turned by 3°': { turned: 3 },
  'turned by 5°': { turned: 5 },
  'turned by 4° and noisy': { turned: 4, noise: 60 },
}

export async function measureReader(): Promise<Row[]> {
  const words = readFileSync('LICENSE', 'utf8').split(/\s+/).filter(Boolean)
  // The first page starts the engine.
  await readPrintedPage({ bytes: printPage(words, { height: 0.2 }).png, languages: ['en'] })
  const rows: Row[] = []
  for (const [name, look] of Object.entries(looks)) {
    const page = printPage(words, look)
    rows.push([`Page of ${page.words.length} words, ${name}`, await measurePage(page.png, page.words), '≥ 97 %'])
  }
  const page = printPage(words)
  const { pixels } = await decodePicture(page.png, 3500)
  const upsideDown = await encodeWebp(toPixels(turnQuarters(toGrey(pixels), 2)))
  rows.push(['… upside down', await measurePage(upsideDown, page.words), '≥ 97 %'])
  const folder = 'server/src/platform/reader/__fixtures__/'
  const arabic = readFileSync(`${folder}arabic.txt`, 'utf8').split(/\s+/).filter(Boolean)
  const picture = new Uint8Array(readFileSync(`${folder}arabic.png`))
  rows.push([`Arabic, ${arabic.length} words`, await measurePage(picture, arabic), ''])
  return rows
}

/** On the processor rather than by the clock: other work on the machine must not tell. */
async function measurePage(bytes: Uint8Array, words: readonly string[]): Promise<string> {
  const begun = process.cpuUsage()
  const print = await readPrintedPage({ bytes, languages: ['en', 'ar'] })
  const { user, system } = process.cpuUsage(begun)
  const found = 'failure' in print ? 0 : countFound(words, print.text) / words.length
  return `${(found * 100).toFixed(1)} %, ${((user + system) / 1e6).toFixed(1)} s`
}
