/** `npm run bench`: all figures in one run, as a table here and in docs/benchmarks.md. */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { ColdVisit } from '../e2e/harness/cold.ts'
import { measureChats } from './chats.ts'
import { measureList, measurePage } from './page.ts'
import { measureStart } from './start.ts'
import type { Lateness } from './bed.ts'
import { type Both, measureStreams, type Spread } from './streams.ts'
import { measureUsage } from './usage.ts'

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mb = (value: number): string => `${(value / 1024 / 1024).toFixed(1)} MB`
const kb = (value: number): string => `${Math.round(value / 1024)} KB`
const cold = ({ asked, ms: until }: ColdVisit): string => `${(until / 1000).toFixed(1)} s, ${asked.length} requests`
const count = (value: number): string => Math.round(value).toLocaleString('en')

console.log('Starts …')
const start = await measureStart()
console.log('Page …')
const page = await measurePage()
const listMs = await measureList(1000)
console.log('Chats (ten thousand messages are written first) …')
const chats = await measureChats(10_000)
console.log('Usage (a million calls are written first) …')
const usage = await measureUsage(1_000_000)
console.log('Streams …')
const streams = await measureStreams(1000, (words) => console.log(words))

const rows: [string, string, string][] = [
  ['Start to ready, new folder', ms(start.firstMs), ''],
  ['Start to ready, again (median of 5)', ms(start.againMs), '≤ 600 ms'],
  ['Idle memory', mb(start.idleBytes), '≤ 90 MB'],
  ['Script before the composer takes text, compressed', `${kb(page.scriptBytes)} in ${page.scripts} files`, '≤ 180 KB'],
  ['Styles, compressed', kb(page.styleBytes), ''],
  ['Empty cache to a composer that takes text, on this machine', ms(page.interactiveMs), ''],
  ['… over a line of 100 kB/s and 300 ms (median of 3)', cold(page.slow.start), '≤ 2.5 s, ≤ 12 requests'],
  ['… to a chat that can be read, over that line', cold(page.slow.chat), '≤ 20 requests'],
  ['A list of 1,000 models, from the key to the frame that shows it (median of 10)', ms(listMs), '≤ 50 ms'],
  [
    `Open a chat: ${count(chats.messages)} messages against 10`,
    `${ms(chats.open.long)} / ${ms(chats.open.short)} = ${(chats.open.long / chats.open.short).toFixed(2)}×`,
    '≤ 1.2×',
  ],
  [
    `Send in it, to the first token`,
    `${ms(chats.send.long)} / ${ms(chats.send.short)} = ${(chats.send.long / chats.send.short).toFixed(2)}×`,
    '≤ 1.2×',
  ],
]
rows.push(
  [
    `Usage of ${count(usage.calls)} calls: the page's answer for 30 / 90 / 365 days`,
    `${ms(usage.report.days30)} / ${ms(usage.report.days90)} / ${ms(usage.report.days365)}`,
    '',
  ],
  ['… 90 days in another time zone', ms(usage.report.elsewhere), ''],
  ['… of one account', ms(usage.report.own), ''],
  ['Calls written down in a second', count(usage.writtenPerSecond), ''],
)
const { alone, steady, burst, carried, hasty } = streams
const added = (name: string, { direct, through }: Both<Spread>, aims: [string, string]): void => {
  for (const [at, of, aim] of [
    ['p50', 'median', aims[0]],
    ['p99', '99th percentile', aims[1]],
  ] as const)
    rows.push([
      `First token, ${name}: ${of} through Atrium / direct`,
      `${ms(through[at])} / ${ms(direct[at])}, adds ${ms(through[at] - direct[at])}`,
      aim,
    ])
}
const late = ({ p99, max }: Lateness): string => `${ms(p99)}, at most ${ms(max)}`
added('one question alone', alone, ['', ''])
added('200 streams open, 100 beginning each second', steady, ['≤ 10 ms', '≤ 30 ms'])
added('200 questions in one instant', burst, ['', ''])
rows.push(
  ['Event loop late, 200 streams open: 99th percentile', late(steady.lateness), '≤ 10 ms'],
  [
    `${count(carried.streams)} streams of 50 tokens/s: tokens/s through Atrium / direct`,
    `${count(carried.rate.through)} / ${count(carried.rate.direct)} = ${(carried.rate.through / carried.rate.direct).toFixed(2)}×`,
    `all ${count(carried.offered)} carried`,
  ],
  ['… of these, begun within 20 s', count(carried.begun), 'all'],
  ['… processor of the Atrium process meanwhile', `${(carried.cpuShare * 100).toFixed(0)} % of one core`, ''],
  ['… its event loop late: 99th percentile', late(carried.lateness), ''],
  ['… memory per open stream', kb(carried.bytesPerStream), ''],
  [
    'Unpaced, 8 streams of 2,000 tokens: tokens/s through Atrium / direct',
    `${count(hasty.through)} / ${count(hasty.direct)} = ${(hasty.through / hasty.direct).toFixed(2)}×`,
    '',
  ],
)

const table = ['| Measure | Figure | Aim |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
console.log(`\n${table}\n`)
writeFileSync(
  'docs/benchmarks.md',
  `# Benchmarks

One run of \`npm run bench\` on ${cpus().length} cores, Node ${process.versions.node}, SQLite, on ${new Date().toISOString().slice(0, 10)}. The model server, the load
and Atrium share these cores, so read the ratios; the absolute figures move with the machine. Accounts are made
beforehand and rates are out of the way, because one account may not ask a thousand things at once; all else is as shipped.

${table}

*Direct* is the same load on the same model server without Atrium in between (its own NDJSON); *through* is a question in a
chat: stored, sealed, planned, asked, logged and followed.

The slow line is Chromium's own emulation (\`Network.emulateNetworkConditions\`), with a browser that has never been there, signed
in by its cookie. On it, the scripts and styles of the start page alone take two seconds to arrive.
`,
)
