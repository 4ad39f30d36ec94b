/**
 * `npm run bench:team`: what channels, calendars and automations carry. `npm run bench:team -- channels` measures only that
 * part. The figures are for docs/benchmarks-team.md.
 */
import { cpus } from 'node:os'
import { measureChannels } from './channels.ts'
import { measureHistory } from './history.ts'
import type { Row } from './row.ts'

/** Each gives the rows of its table. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  channels: measureChannels,
  history: measureHistory,
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
