/** How fast the usage page is over a million calls, and what it takes to write them down. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addUp, type CountedCall } from '../server/src/core/usage/batch.ts'
import { dayMs, rangeUntil } from '../server/src/core/usage/days.ts'
import { readReport } from '../server/src/core/usage/report.ts'
import { createEventStore } from '../server/src/core/usage/stores/events.ts'
import { createReportStore } from '../server/src/core/usage/stores/report.ts'
import { usageMigrations } from '../server/src/core/usage/tables.ts'
import { migrate, openDatabase } from '../server/src/platform/db/index.ts'
import { spread } from './load.ts'

export interface UsageFigures {
  readonly calls: number
  readonly writtenPerSecond: number
  readonly bytesPerCall: number
  /** Medians in ms: the whole answer of the page, for so many days, and for one account. */
  readonly report: { days30: number; days90: number; days365: number; elsewhere: number; own: number }
}

const accounts = 50
const models = 20

/** Writes calls of a year, in sittings of ten, and reads the page's answer. On SQLite, or on a PostgreSQL by `url`. */
export async function measureUsage(calls: number, url?: string): Promise<UsageFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const log = { warn: () => undefined, error: () => undefined }
  const database = await openDatabase(
    url ? { url, log } : { file: join(folder, 'usage.db'), key: randomBytes(32), log },
  )
  try {
    await migrate(database, usageMigrations, { version: '0', snapshotFolder: folder, now: () => 0 })
    const events = createEventStore(database, 'bench')
    const now = Date.now()
    const began = performance.now()
    for (let at = 0; at < calls; at += 2000) {
      await events.write(
        addUp(Array.from({ length: Math.min(2000, calls - at) }, (_, i) => callAt(at + i, calls, now))),
      )
    }
    const seconds = (performance.now() - began) / 1000
    const reports = createReportStore(database)
    const timed = async (days: number, offsetMinutes: number, accountId = ''): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 7; round++) {
        const from = performance.now()
        await readReport(reports, rangeUntil(now, days, offsetMinutes), { accountId })
        times.push(performance.now() - from)
      }
      return spread(times).p50
    }
    return {
      calls,
      writtenPerSecond: calls / seconds,
      bytesPerCall: (await database.size()) / calls,
      report: {
        days30: await timed(30, 0),
        days90: await timed(90, 0),
        days365: await timed(365, 0),
        elsewhere: await timed(90, 330),
        own: await timed(90, 330, 'account-7'),
      },
    }
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The n-th call: every ten belong to one account and one model, some minutes apart from each other. */
const callAt = (n: number, calls: number, now: number): CountedCall => {
  const sitting = Math.floor(n / 10)
  const random = (salt: number): number => (((sitting * 2654435761 + salt * 40503) >>> 0) % 10_007) / 10_007
  const model = Math.floor(random(1) ** 2 * models)
  const failed = n % 37 === 0
  const created_at = Math.floor(now - 365 * dayMs + (sitting * 10 * 365 * dayMs) / calls + (n % 10) * 45_000)
  return {
    event: {
      id: n.toString().padStart(12, '0'),
      plugin_id: `provider-${model % 4}`,
      plugin_name: `Provider ${model % 4}`,
      capability: n % 50 === 0 ? 'embedding' : 'chat',
      model: `model-${model}`,
      status: failed ? 'error' : n % 53 === 0 ? 'cancelled' : 'success',
      prompt_tokens: failed ? null : 500 + (n % 3000),
      completion_tokens: failed ? null : 100 + (n % 900),
      cached_tokens: null,
      reasoning_tokens: null,
      unit_kind: null,
      input_units: null,
      output_units: null,
      duration_ms: Math.floor(400 + random(n % 10) ** 3 * 30_000),
      first_token_ms: failed ? null : Math.floor(100 + random(n % 7) ** 2 * 3000),
      created_at: Math.min(created_at, now - 1),
      user_id: `account-${Math.floor(random(2) * accounts)}`,
      error_class: failed ? 'upstream' : null,
      film_seconds: null,
    },
    listed: true,
    cost: failed ? null : 1_234_567,
  }
}
