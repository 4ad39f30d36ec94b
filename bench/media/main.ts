/**
 * `npm run bench:media`: what pictures, films and sound take. `npm run bench:media -- stream` measures only that part.
 * The figures are for docs/benchmarks-media.md.
 */
import { printParts } from '../parts.ts'
import type { Row } from '../row.ts'
import { measureReader } from './reader.ts'
import { measureGallery } from './gallery.ts'
import { measureStream } from './stream.ts'
import { measureTalk } from './talk.ts'
import { measureVoice } from './voice.ts'

/** Each gives the rows of its table. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  stream: measureStream,
  reader: measureReader,
  voice: measureVoice,
  talk: measureTalk,
  gallery: measureGallery,
}

await printParts(parts)
