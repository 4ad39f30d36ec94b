/**
 * `npm run bench:tools`: what tools, programs and previews take. `npm run bench:tools -- code` measures only that part; all
 * parts together write docs/benchmarks-tools.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { chooseParts } from '../parts.ts'
import type { Row } from '../row.ts'
import { measureCalls } from './calls.ts'
import { measureBeside, measureCode } from './code.ts'
import { measureMany, measureStarts } from './many.ts'
import { measurePreview } from './preview.ts'
import { busy } from './row.ts'

/** Each gives the rows of its table. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  calls: measureCalls,
  many: measureMany,
  start: measureStarts,
  code: measureCode,
  beside: measureBeside,
  preview: measurePreview,
}

const chosen = chooseParts(parts)

const head = ['| Measure | Figure | Aim | Load |', '|---|---|---|---|']
const lines: string[] = []
for (const name of chosen) {
  console.log(`${name} …`)
  const before = busy()
  const rows = (await parts[name]?.()) ?? []
  const printed = rows.map((row, at) => `| ${row.join(' | ')} | ${at === 0 ? `${before} → ${busy()}` : ''} |`)
  console.log([...head, ...printed, ''].join('\n'))
  lines.push(...printed)
}

const file = 'docs/benchmarks-tools.md'
const marks = { begin: '<!-- measured -->', end: '<!-- /measured -->' }
if (chosen.length === Object.keys(parts).length) {
  const text = readFileSync(file, 'utf8')
  const [before = '', rest = ''] = text.split(marks.begin)
  const after = rest.split(marks.end)[1] ?? ''
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const run = `One run on ${cpus().length} cores, Node ${process.versions.node}, SQLite, that ended on ${when} UTC.`
  const measured = [marks.begin, run, '', ...head, ...lines, marks.end].join('\n')
  writeFileSync(file, before + measured + after)
}
