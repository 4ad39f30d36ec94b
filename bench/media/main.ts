/**
 * `npm run bench:media`: what pictures, films and sound take. `npm run bench:media -- stream` measures only that part.
 * The figures are for docs/benchmarks-media.md.
 */
import { cpus } from 'node:os'
import { measureReader } from './reader.ts'
import { measureGallery } from './gallery.ts'
import { measureStream } from './stream.ts'
import { measureTalk } from './talk.ts'
import { measureVoice } from './voice.ts'

/** Name of a measure, its figure, what it aims at. */
export type Row = readonly [string, string, string]

/** Each gives the rows of its table. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  stream: measureStream,
  reader: measureReader,
  voice: measureVoice,
  talk: measureTalk,
  gallery: measureGallery,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !parts[name])
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}.`)

console.log(`${cpus().length} cores, Node ${process.versions.node}`)
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name} …`)
  const rows = await measure()
  console.log(
    ['\n| Measure | Figure | Aim |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  )
}
