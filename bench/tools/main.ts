/**
 * `npm run bench:tools`: what tools, programs and previews take. `npm run bench:tools -- code` measures only that part; all
 * parts together write docs/benchmarks-tools.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { measureCalls } from './calls.ts'
import { measureBeside, measureCode } from './code.ts'
import { measureMany, measureStarts } from './many.ts'
import { measurePreview } from './preview.ts'
import { busy, type Row } from './row.ts'

/** Each gives the rows of its table. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  calls: measureCalls,
  many: measureMany,
  start: measureStarts,
  code: measureCode,
  beside: measureBeside,
  preview: measurePreview,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !parts[name])
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}.`)

const head = ['| Measure | Figure | Aim | Load |', '|---|---|---|---|']
const lines: string[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`${name} …`)
  const before = busy()
  const rows = await measure()
  const told = rows.map((row, at) => `| ${row.join(' | ')} | ${at === 0 ? `${before} → ${busy()}` : ''} |`)
  console.log([...head, ...told, ''].join('\n'))
  lines.push(...told)
}

const file = 'docs/benchmarks-tools.md'
const marks = { begin: '<!-- measured -->', end: '<!-- /measured -->' }
if (wanted.length === 0) {
  const text = readFileSync(file, 'utf8')
  const [before = '', rest = ''] = text.split(marks.begin)
  const after = rest.split(marks.end)[1] ?? ''
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const run = `One run on ${cpus().length} cores, Node ${process.versions.node}, SQLite, that ended on ${when} UTC.`
  const measured = [marks.begin, run, '', ...head, ...lines, marks.end].join('\n')
  writeFileSync(file, before + measured + after)
}
