/**
 * `npm run bench:operations`: what the operator's side takes, and what it costs everybody else. `-- --megabytes 10000`
 * sets how much there is to back up. The figures are for docs/benchmarks-operations.md.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { measureBackups } from './backups.ts'
import { type DaemonFigures, measureDaemon } from './daemon.ts'
import { measureSystem } from './system.ts'

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '400' } } })
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`
const megabytes = (value: number): string => `${(value / 1024 / 1024).toFixed(value < 1024 * 1024 ? 2 : 1)} MB`
const times = (value: number): string => `${value.toFixed(2)}×`

console.log(`${cpus().length} cores, Node ${process.versions.node}, SQLite\n\nSystem …`)
const system = await measureSystem()
console.log('Agent daemon …')
const daemon = await measureDaemon()
console.log('Backups …')
const backups = await measureBackups(Number(values.megabytes))

const { requests } = system
const speed = backups.baseMs / backups.firstMs
const rows: [string, string, string][] = [
  ['`GET /api/system`, an engine with 5 containers: median, 95th percentile', pair(system.report), '≤ 100 ms'],
  ['… with 10,000 containers', pair(system.reportOfMany), '≤ 100 ms'],
  ['… with an engine that never answers', ms(system.deadEngineMs), '≤ 4,500 ms'],
  [
    'Event loop late meanwhile: 99th percentile, at most',
    `${ms(system.lateness.p99)}, ${ms(system.lateness.max)}`,
    '≤ 20 ms',
  ],
  ['Metrics read: median, 95th percentile', pair(system.scrape), '≤ 50 ms'],
  [
    'Requests a second, metrics read every second / not read',
    `${Math.round(requests.scraped)} / ${Math.round(requests.without)} = ${times(requests.scraped / requests.without)}`,
    '≥ 0.99×',
  ],
  [
    '`GET /api/harness/runs`, 20 runs, through Atrium / the daemon alone, which takes 20 ms',
    compared(daemon.runs),
    '≤ 1.3×, ≤ 5 ms more',
  ],
  ['… `/runs/{id}/events`, 500 events', compared(daemon.events), '≤ 1.3×, ≤ 5 ms more'],
  ['… a daemon that answers at once', compared(daemon.atOnce), '≤ 5 ms more'],
  [
    `First backup of ${megabytes(backups.bytes)}: copy and hash / backup`,
    `${seconds(backups.baseMs)} / ${seconds(backups.firstMs)} = ${times(speed)}`,
    '≥ 0.50×',
  ],
  ['1 % changed: time, sent', `${seconds(backups.changed.ms)}, ${share(backups.changed.bytes)}`, '≤ 5 %'],
  ['Nothing changed: time, sent', `${seconds(backups.unchanged.ms)}, ${share(backups.unchanged.bytes)}`, '≤ 0.5 %'],
  ['Processor for one with nothing changed', `${seconds(backups.unchanged.cpuMs)}`, '≤ 90 s every 15 minutes'],
  [
    'Writes during a backup / without: 99th percentile',
    `${ms(backups.writes.during.p99)} / ${ms(backups.writes.without.p99)} = ${times(backups.writes.during.p99 / backups.writes.without.p99)}`,
    '< 2×',
  ],
  [
    'First token during a backup / without: 99th percentile',
    `${ms(backups.answers.during.p99)} / ${ms(backups.answers.without.p99)} = ${times(backups.answers.during.p99 / backups.answers.without.p99)}`,
    '< 1.5×',
  ],
  ['Memory added by a backup', megabytes(backups.memoryBytes), '≤ 128 MB'],
  ['Restored, and every row compared (a drill)', seconds(backups.drillMs), ''],
]
console.log(
  ['\n| Measure | Figure | Aim |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
)

function pair({ p50, p95 }: { readonly p50: number; readonly p95: number }): string {
  return `${ms(p50)}, ${ms(p95)}`
}

function compared({ alone, through }: DaemonFigures): string {
  return `${ms(through)} / ${ms(alone)} = ${times(through / alone)}, ${ms(through - alone)} more`
}

function share(bytes: number): string {
  return `${megabytes(bytes)} = ${((bytes / backups.bytes) * 100).toFixed(2)} %`
}
