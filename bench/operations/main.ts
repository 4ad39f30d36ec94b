/**
 * `npm run bench:operations`: what the operator's side takes, and what it costs everybody else. `-- --megabytes 10000`
 * sets how much there is to back up, `--seconds 20` how long each load lasts, and `--only cluster` measures one
 * part alone. `--only soak --minutes 20` works under faults for so long. The figures are for docs/benchmarks-operations.md.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type BackupFigures, measureBackups } from './backups.ts'
import { type Carried, measureCluster } from './cluster.ts'
import { type DaemonFigures, measureDaemon } from './daemon.ts'
import { measurePostgresBackups, type WorkOfBoth } from './postgres-backups.ts'
import { type Held, measureSoak } from './soak.ts'
import type { Row } from '../row.ts'
import { measureSystem } from './system.ts'

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
})
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`
const megabytes = (value: number): string => `${(value / 1024 / 1024).toFixed(value < 1024 * 1024 ? 2 : 1)} MB`
const times = (value: number): string => `${value.toFixed(2)}×`
const percent = (value: number): string => `${(value * 100).toFixed(2)} %`
const pair = ({ p50, p95 }: { readonly p50: number; readonly p95: number }): string => `${ms(p50)}, ${ms(p95)}`

const parts: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  async system() {
    const { report, reportOfMany, deadEngineMs, lateness, scrape, requests } = await measureSystem()
    const counts = `${Math.round(requests.scraped)} / ${Math.round(requests.without)}`
    return [
      ['`GET /api/system`, an engine with 5 containers: median, 95th percentile', pair(report), '≤ 100 ms'],
      ['… with 10,000 containers', pair(reportOfMany), '≤ 100 ms'],
      ['… with an engine that never answers', ms(deadEngineMs), '≤ 4,500 ms'],
      ['Event loop late meanwhile: 99th percentile, at most', `${ms(lateness.p99)}, ${ms(lateness.max)}`, '≤ 20 ms'],
      ['Metrics read: median, 95th percentile', pair(scrape), '≤ 50 ms'],
      [
        'Requests a second, metrics read every second / not read',
        `${counts} = ${times(requests.scraped / requests.without)}`,
        '≥ 0.99×',
      ],
    ]
  },

  async daemon() {
    const { runs, events, atOnce } = await measureDaemon()
    const compared = ({ alone, through }: DaemonFigures): string =>
      `${ms(through)} / ${ms(alone)} = ${times(through / alone)}, ${ms(through - alone)} more`
    return [
      [
        '`GET /api/harness/runs`, 20 runs, through Atrium / the daemon alone, which takes 20 ms',
        compared(runs),
        '≤ 1.3×, ≤ 5 ms more',
      ],
      ['… `/runs/{id}/events`, 500 events', compared(events), '≤ 1.3×, ≤ 5 ms more'],
      ['… a daemon that answers at once', compared(atOnce), '≤ 5 ms more'],
    ]
  },

  async backups() {
    return rowsOfBackups(await measureBackups(Number(values.megabytes)))
  },

  async postgres() {
    const { first, changed, unchanged } = await measurePostgresBackups(Number(values.megabytes))
    const cpu = ({ cpuMs, serverCpuMs }: WorkOfBoth): string =>
      `${seconds(cpuMs)} + ${seconds(serverCpuMs)} = ${percent((cpuMs + serverCpuMs) / 900_000)} of a core every 15 minutes`
    return [
      [`PostgreSQL: first backup of ${values.megabytes} MB`, seconds(first.ms), ''],
      ['… 1 % changed: processor of Atrium + of PostgreSQL', cpu(changed), ''],
      ['… nothing changed', cpu(unchanged), '≤ 10 % of a core'],
    ]
  },

  async cluster() {
    const figures = await measureCluster(Number(values.seconds))
    const { one, three, lag } = figures
    const both = (of: (carried: Carried) => string): string => `${of(one)} / ${of(three)}`
    return [
      [
        'One process / three: answers started in a second',
        both(({ startedPerSecond }) => startedPerSecond.toFixed(1)),
        '',
      ],
      [
        '… processor for each of them',
        `${both(({ cpuMsPerAnswer }) => ms(cpuMsPerAnswer))} = ${times(three.cpuMsPerAnswer / one.cpuMsPerAnswer)} for three`,
        '≤ 1.25×',
      ],
      [
        '… streams of 50 tokens a second held, and the share of tokens that came',
        both(({ streams, share }) => `${streams}, ${Math.round(share * 100)} %`),
        '',
      ],
      [
        'An event reaches a follower on another process: later by, median, 99th percentile',
        `${ms(lag.p50)}, ${ms(lag.p99)}`,
        '≤ 500 ms',
      ],
      ['A process is killed: its answer is interrupted by another after', seconds(figures.answerTakenOverMs), '≤ 10 s'],
      ['… its job runs on another after', seconds(figures.jobTakenOverMs), '≤ 30 s'],
      ['PostgreSQL was restarted: a chat is saved after', seconds(figures.servedAfterRestartMs), '≤ 5 s'],
    ]
  },
}

/** Takes as long as it is told to, and so runs only where it is named. */
const soak = async (): Promise<readonly Row[]> => {
  const { minutes, faults, answers, complaints, held } = await measureSoak(Number(values.minutes))
  const show: Readonly<Record<Held, (value: number) => string>> = {
    memory: megabytes,
    handles: String,
    threads: String,
    connections: String,
    log: megabytes,
  }
  const names: Readonly<Record<Held, string>> = {
    memory: 'memory of a process that is never killed',
    handles: '… its open files and sockets',
    threads: '… its threads',
    connections: '… connections of all to PostgreSQL',
    log: '… log of PostgreSQL',
  }
  for (const complaint of complaints) console.log(`People were told: ${complaint}`)
  const head = `${minutes} minutes, ${faults} faults, ${answers} answers; second / last quarter, at most:`
  return Object.entries(held).map(([name, { early, late, most }]) => {
    const of = show[name as Held]
    const what = names[name as Held]
    return [name === 'memory' ? `${head} ${what}` : what, `${of(early)} / ${of(late)}, ${of(most)}`, 'flat']
  })
}

const chosen = values.only?.split(',') ?? Object.keys(parts)
const rows: Row[] = []
console.log(`${cpus().length} cores, Node ${process.versions.node}`)
for (const name of chosen) {
  const measure = name === 'soak' ? soak : parts[name]
  if (!measure) throw new Error(`There is no part ${name}; there are ${Object.keys(parts).join(', ')}, soak.`)
  console.log(`${name} …`)
  rows.push(...(await measure()))
}
console.log(
  ['\n| Measure | Figure | Aim |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
)

function rowsOfBackups(backups: BackupFigures): Row[] {
  const { changed, unchanged, writes, answers } = backups
  const share = (bytes: number): string => `${megabytes(bytes)} = ${percent(bytes / backups.bytes)}`
  const compared = ({ during, without }: BackupFigures['writes']): string =>
    `${ms(during.p99)} / ${ms(without.p99)} = ${times(during.p99 / without.p99)}`
  return [
    [
      `SQLite: first backup of ${megabytes(backups.bytes)}: copy and hash / backup`,
      `${seconds(backups.baseMs)} / ${seconds(backups.firstMs)} = ${times(backups.baseMs / backups.firstMs)}`,
      '≥ 0.50×',
    ],
    ['1 % changed: time, sent', `${seconds(changed.ms)}, ${share(changed.bytes)}`, '≤ 5 %'],
    ['Nothing changed: time, sent', `${seconds(unchanged.ms)}, ${share(unchanged.bytes)}`, '≤ 0.5 %'],
    ['Processor for one with nothing changed', `${seconds(unchanged.cpuMs)}`, '≤ 90 s every 15 minutes'],
    ['Writes during a backup / without: 99th percentile', compared(writes), '< 2×'],
    ['First token during a backup / without: 99th percentile', compared(answers), '< 1.5×'],
    ['Memory added by a backup', megabytes(backups.memoryBytes), '≤ 128 MB'],
    ['Restored, and every row compared (a drill)', seconds(backups.drillMs), '10 GB ≤ 10 minutes'],
  ]
}
