/** Three processes for many minutes, under load and faults: does what they hold stay flat? One of them is never killed. */
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Cluster, startCluster } from '../../e2e/cluster/cluster.ts'
import { startDriver } from '../../e2e/cluster/driver.ts'
import { memory, pause } from '../bed.ts'
import { spread } from '../load.ts'

const model = 'long-40-drip-50'
const people = 3
const lookMs = 5000
const faultMs = 20_000

/** Of one moment. */
type Sample = Readonly<Record<Held, number>>
const held = ['memory', 'handles', 'threads', 'connections', 'log'] as const
export type Held = (typeof held)[number]

export interface SoakFigures {
  readonly minutes: number
  readonly faults: number
  readonly answers: number
  /** What people were told that nobody should be, such as refusals without a reason. */
  readonly complaints: readonly string[]
  /** Medians of the second and of the last quarter: in the first, caches fill. */
  readonly held: Readonly<Record<Held, { readonly early: number; readonly late: number; readonly most: number }>>
}

export async function measureSoak(minutes: number): Promise<SoakFigures> {
  process.env['ATRIUM_TEST_MAIN'] = fileURLToPath(new URL('./process.ts', import.meta.url))
  const cluster = await startCluster(3, [model])
  const driver = startDriver(cluster.admin, people, model)
  const samples: Sample[] = []
  const end = performance.now() + minutes * 60_000
  let faults = 0
  try {
    const looking = (async () => {
      while (performance.now() < end) {
        const sample = await look(cluster)
        if (sample) samples.push(sample)
        await pause(lookMs)
      }
    })()
    while (performance.now() + faultMs < end) {
      await pause(faultMs)
      await fault(cluster, faults)
      faults += 1
    }
    await looking
    await driver.stop()
    const quarter = Math.floor(samples.length / 4)
    const figures = (name: Held) => {
      const all = samples.map((sample) => sample[name])
      const [early, late] = [all.slice(quarter, 2 * quarter), all.slice(-quarter)].map((some) => spread(some).p50)
      return { early: early ?? 0, late: late ?? 0, most: Math.max(...all) }
    }
    return {
      minutes,
      faults,
      answers: driver.ended(),
      complaints: driver.notes.faults,
      held: Object.fromEntries(held.map((name) => [name, figures(name)])) as SoakFigures['held'],
    }
  } finally {
    await driver.stop()
    await cluster.close()
  }
}

/** In turn; the first process is cut off now and then, and never killed. */
async function fault({ members, postgres }: Cluster, turn: number): Promise<void> {
  const [first, second, third] = members
  switch (turn % 6) {
    case 0:
    case 3: {
      const victim = turn % 6 === 0 ? second : third
      await victim?.kill()
      await pause(2000)
      await victim?.start()
      return
    }
    case 1:
      first?.link.cut()
      await pause(800)
      first?.link.restore()
      return
    case 2:
      return await postgres.restart('fast')
    case 4:
      await postgres.freeze()
      await pause(3000)
      return await postgres.thaw()
    default:
      return await postgres.restart('immediate')
  }
}

/** Of the first process and of the database; null while that does not answer. */
async function look({ members: [first], postgres }: Cluster): Promise<Sample | null> {
  const pid = first?.pid() ?? 0
  const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 1000, query_timeout: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where application_name like 'atrium%'`,
    )
    return {
      memory: memory(pid),
      handles: readdirSync(`/proc/${pid}/fd`).length,
      threads: Number(/Threads:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
      connections: rows[0]?.count ?? 0,
      log: await sizeOf(join(postgres.dataFolder, 'pg_wal')),
    }
  } catch {
    // It was just restarted or stands still.
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size
  return bytes
}
