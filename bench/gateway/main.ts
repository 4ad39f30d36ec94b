/**
 * `npm run bench:gateway`: the same load on the same provider, directly and through each gateway, in one run. Rounds of
 * all peers alternate, so that a machine that slows down slows all of them.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { memory, pause } from '../bed.ts'
import { ask, openStreams, type Rate, type Streams } from './load.ts'
import { type Peer, startAtrium, startNginx, startPipe, startPortkey, startUpstream } from './peers.ts'

const rounds = 3
const forMs = 3000
const levels = [1, 32, 64, 256]
const streamCounts = [200, 1000]

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`
const count = (value: number): string => Math.round(value).toLocaleString('en')

const upstream = await startUpstream()
const nginx = await startNginx(upstream)
const peers: Peer[] = [
  upstream,
  await startPipe(upstream),
  ...(nginx ? [nginx] : []),
  await startPortkey(upstream),
  await startAtrium(upstream),
]
const lines: string[] = []
const say = (line: string): void => {
  lines.push(line)
  console.log(line)
}

try {
  for (const peer of peers) await ask(peer.target, 8, 2000)

  say(`| Whole answers | ${levels.map((n) => `${n} connections: req/s, added p50 / p99`).join(' | ')} |`)
  say(`|---|${'---|'.repeat(levels.length)}`)
  const whole = new Map<string, Rate[]>()
  for (const connections of levels) {
    const found = new Map<string, Rate[]>(peers.map((peer) => [peer.name, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const peer of peers) found.get(peer.name)?.push(await ask(peer.target, connections, forMs))
    }
    for (const [name, rates] of found) {
      const pick = (key: keyof Rate) => middle(rates.map((rate) => rate[key]))
      const rate = { perSecond: pick('perSecond'), p50: pick('p50'), p99: pick('p99') }
      whole.set(name, [...(whole.get(name) ?? []), rate])
    }
  }
  const direct = whole.get('direct') ?? []
  for (const [name, rates] of whole) {
    const cells = rates.map((rate, n) => {
      const added = (key: 'p50' | 'p99') => ms(rate[key] - (direct[n]?.[key] ?? 0))
      return name === 'direct' ? count(rate.perSecond) : `${count(rate.perSecond)}, ${added('p50')} / ${added('p99')}`
    })
    say(`| ${name} | ${cells.join(' | ')} |`)
  }
  const at64 = (name: string) => whole.get(name)?.[levels.indexOf(64)]?.perSecond ?? Number.NaN
  const portkey = peers.find((peer) => peer.name.startsWith('Portkey'))?.name ?? ''
  say('')
  say(
    `At 64 connections Atrium carries ${(at64('Atrium') / at64(portkey)).toFixed(1)}× what Portkey does (aim ≥ 8×) and ` +
      `${(at64('Atrium') / at64('a bare pipe')).toFixed(2)}× what the bare pipe does (aim ≥ 0.7×).`,
  )
  say('')
  say(
    `| Streams of 200 pieces, 20 ms apart | ${streamCounts.map((n) => `${n} streams: first piece p50 / p99, begun, memory per stream`).join(' | ')} |`,
  )
  say(`|---|${'---|'.repeat(streamCounts.length)}`)
  for (const peer of peers) {
    const cells: string[] = []
    for (const streams of streamCounts) {
      const before = peer.pid ? memory(peer.pid) : 0
      let open = before
      const found: Streams = await openStreams(peer.target, streams, 2000, () => {
        if (peer.pid) open = memory(peer.pid)
      })
      const each = Math.max(0, (open - before) / streams / 1024)
      cells.push(`${ms(found.p50)} / ${ms(found.p99)}, ${found.begun}, ${Math.round(each)} KB`)
      await pause(500)
    }
    say(`| ${peer.name} | ${cells.join(' | ')} |`)
  }
  if (!nginx) say('\nnginx is not installed here, and was left out.')
  writeFileSync(
    'docs/benchmarks-gateway.md',
    `# Benchmarks of \`/v1\`

One run of \`npm run bench:gateway\` on ${cpus().length} cores, Node ${process.versions.node}, on ${new Date().toISOString().slice(0, 10)}. Load, provider and gateway share these
cores, so read the ratios. *Added* is against the provider without anything in between. Atrium runs as it ships:
API token, routing, metering and budgets on, SQLite.

${lines.join('\n')}
`,
  )
} finally {
  await Promise.all(peers.map((peer) => peer.close()))
}
