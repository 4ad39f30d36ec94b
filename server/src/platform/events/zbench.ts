import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate, openDatabase } from '../db/index.ts'
import { createLog } from '../log/log.ts'
import { systemClock } from '../system-clock.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createEventLog } from './event-log.ts'
import { eventMigrations } from './tables.ts'

const url = process.argv[2]?.startsWith('postgres') ? process.argv[2] : undefined
const streams = Number(process.argv[3] ?? 1000)
const rate = Number(process.argv[4] ?? 50)
const folder = await mkdtemp('/tmp/bench/x')
const database = await openDatabase({ url, file: `${folder}/a.db`, key: randomBytes(32), log: console as never })
await migrate(database, [...vaultMigrations, ...eventMigrations], {
  version: '0',
  snapshotFolder: folder,
  now: () => 0,
})
const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 1), clock: systemClock })
const log = createEventLog({
  database,
  vault,
  clock: systemClock,
  log: createLog({ level: 'info' }),
  processId: systemClock.id(),
})
const run = systemClock.id()
const accounts = Array.from({ length: 100 }, (_, i) => `acc-${run}-${i}`)
for (const a of accounts) await vault.keyring(a)
let got = 0,
  lagSum = 0,
  lagMax = 0
const stop = new AbortController()
const writers = []
const names = []
for (let i = 0; i < streams; i++) {
  const name = { id: `generation:${systemClock.id()}`, accountId: accounts[i % 100]! }
  names.push(name)
  const w = log.open<{ type: string; data: { delta: string; at: number } }>(name)
  writers.push(w)
  void (async () => {
    for await (const e of log.follow<any>(name, 0, stop.signal)) {
      got++
      const l = performance.now() - e.event.data.at
      lagSum += l
      if (l > lagMax) lagMax = l
    }
  })()
}
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const cpu0 = process.cpuUsage(),
  elu0 = performance.eventLoopUtilization(),
  t0 = performance.now()
const seconds = 10
let sent = 0
const per = streams * rate
let cursor = 0
while (performance.now() - t0 < seconds * 1000) {
  const want = Math.floor(((performance.now() - t0) / 1000) * per)
  const burst = Math.min(want - sent, 500)
  for (let k = 0; k < burst; k++) {
    writers[cursor++ % streams]!.append({ type: 'text', data: { delta: ' token', at: performance.now() } })
    sent++
  }
  await sleep(1)
}
const elapsed = performance.now() - t0
const cpu = process.cpuUsage(cpu0),
  elu = performance.eventLoopUtilization(elu0)
delay.disable()
const t1 = performance.now()
await Promise.all(writers.map((w) => w.close()))
console.log({
  sent,
  got,
  perSecond: Math.round((sent / elapsed) * 1000),
  lagAvg: lagSum / got,
  lagMax,
  elu: elu.utilization.toFixed(2),
  cpu: (((cpu.user + cpu.system) / 1e6 / elapsed) * 1000).toFixed(2),
  p50: delay.percentile(50) / 1e6,
  p99: delay.percentile(99) / 1e6,
  p999: delay.percentile(99.9) / 1e6,
  max: delay.max / 1e6,
  closeMs: performance.now() - t1,
  size: await database.size(),
  rss: process.memoryUsage().rss / 1e6,
})
let n = 0
const t2 = performance.now()
for (const name of names) n += (await log.read(name, 0)).length
console.log({ read: n, readMs: performance.now() - t2 })
await log.stop()
await database.close()
