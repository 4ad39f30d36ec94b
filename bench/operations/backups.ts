/** Backups of a database with so much in it: how fast they are, how little they send, and what others notice of them. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { accountsRoutes } from '@atrium/contract/accounts'
import { createApp } from '../../server/src/app/app.ts'
import { configFromEnv, dataPathsIn } from '../../server/src/app/config.ts'
import { openDatabase } from '../../server/src/platform/db/index.ts'
import { createFiles } from '../../server/src/platform/files/files.ts'
import { systemClock } from '../../server/src/platform/system-clock.ts'
import { sqliteKey } from '../../server/src/platform/vault/keys.ts'
import { openVault } from '../../server/src/platform/vault/vault.ts'
import { testPassword } from '../../server/src/testing/app.ts'
import { startAppProcess } from '../../server/src/testing/app-process.ts'
import { createClient } from '../../server/src/testing/client.ts'
import { type Bed, callTo, makeBed, memory, pause, processor } from '../bed.ts'
import { spread, stream } from '../load.ts'

export interface Work {
  readonly ms: number
  readonly bytes: number
  readonly cpuMs: number
}
interface Compared {
  readonly without: ReturnType<typeof spread>
  readonly during: ReturnType<typeof spread>
}
export interface BackupFigures {
  /** Of the database. */
  readonly bytes: number
  /** Copying and hashing its file. */
  readonly baseMs: number
  readonly firstMs: number
  readonly changed: Work
  readonly unchanged: Work
  readonly writes: Compared
  readonly answers: Compared
  readonly memoryBytes: number
  /** A drill: read, restored into a scratch database, and compared row by row. */
  readonly drillMs: number
}

export const megabyte = 1024 * 1024
export const kb100 = 100 * 1024

export async function measureBackups(megabytes: number): Promise<BackupFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const copies = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  await fill({ DATA_DIR: dataDir }, megabytes)
  const { database } = dataPathsIn(dataDir)
  const bytes = statSync(database).size
  const base = [await copyAndHash(database, copies), await copyAndHash(database, copies)]
  const memoryBytes = await measureMemory(dataDir)
  const environment = { BACKUP_SCHEDULE: 'off' }
  const bed = await makeBed({ accounts: 2, models: ['echo:latest'], dataDir, environment })
  try {
    await call(bed, 'POST', '/api/recovery/destinations', { name: 'Disk', place: { kind: 'folder', path: copies } })
    const first = await backUp(bed)
    base.push(await copyAndHash(database, copies))
    await write(bed, Math.ceil((megabytes * megabyte) / 100 / kb100))
    const changed = await backUp(bed)
    // The search goes on to learn what was written; once it has, nothing changes.
    await pause(5000)
    await backUp(bed)
    const unchanged = await backUp(bed)
    const others = await measureOthers(bed)
    const drillMs = await runDrill(bed)
    return {
      bytes,
      baseMs: spread(base).p50,
      firstMs: first.ms,
      changed,
      unchanged,
      ...others,
      memoryBytes,
      drillMs,
    }
  } finally {
    await bed.close()
    await rm(copies, { recursive: true, force: true })
  }
}

/**
 * How much more the server has at most while it makes its first backup, in bytes. It runs as it ships: from sources, its
 * thread would also hold what reads TypeScript.
 */
async function measureMemory(dataDir: string): Promise<number> {
  process.env['ATRIUM_TEST_MAIN'] = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
  const copies = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const app = await startAppProcess({ DATA_DIR: dataDir, PORT: '0', BACKUP_SCHEDULE: 'off' })
  try {
    const body = { username: 'memory', password: testPassword }
    const answer = await createClient(app.url).call(accountsRoutes.signup, { body })
    if (!('token' in answer)) throw new Error('The first account has to wait.')
    const server: Server = { pid: app.pid, tokens: [answer.token], call: callTo(app.url) }
    await call(server, 'POST', '/api/recovery/destinations', { name: 'Disk', place: { kind: 'folder', path: copies } })
    const before = memory(app.pid)
    let most = before
    const sampler = setInterval(() => {
      most = Math.max(most, memory(app.pid))
    }, 50)
    await backUp(server)
    clearInterval(sampler)
    const { items } = await call<{ items: readonly { id: string }[] }>(server, 'GET', '/api/recovery/destinations')
    for (const { id } of items) await call(server, 'DELETE', `/api/recovery/destinations/${id}`)
    return most - before
  } finally {
    await app.stop()
    await rm(copies, { recursive: true, force: true })
  }
}

/** A database of so many megabytes of files that do not compress, made before anybody uses it; `place` is its environment. */
export async function fill(
  place: { readonly DATA_DIR: string; readonly DATABASE_URL?: string },
  megabytes: number,
): Promise<void> {
  const app = await createApp(configFromEnv({ ...place, PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'silent' }))
  await app.listen()
  await app.stop({ now: true })
  const log = { warn: () => undefined, error: () => undefined }
  const key = Buffer.from(readFileSync(join(place.DATA_DIR, 'encryption.key'), 'utf8').trim(), 'hex')
  const database = await openDatabase(
    place.DATABASE_URL === undefined
      ? { file: dataPathsIn(place.DATA_DIR).database, key: sqliteKey(key), log }
      : { url: place.DATABASE_URL, log },
  )
  const vault = await openVault({ database, instanceKey: key, clock: systemClock })
  // Sealed as all files are: a drill opens every value.
  const files = createFiles({ database, vault, clock: systemClock })
  for (let n = 0; n < megabytes; n += 4) await files.save(null, randomBytes(4 * megabyte))
  await database.close()
}

/** The same bytes by hand: read, hashed, and written elsewhere. In ms. */
async function copyAndHash(file: string, folder: string): Promise<number> {
  const hash = createHash('sha256')
  const begun = performance.now()
  const hashed = new Transform({
    transform(part: Buffer, _encoding, next) {
      hash.update(part)
      next(null, part)
    },
  })
  const copy = join(folder, 'copy')
  await pipeline(createReadStream(file), hashed, createWriteStream(copy, { flush: true }))
  hash.digest()
  const took = performance.now() - begun
  await rm(copy)
  return took
}

/** What is asked to back up. */
type Server = Pick<Bed, 'call' | 'pid' | 'tokens'>

export const call = <T>(bed: Server, method: string, path: string, body?: unknown): Promise<T> =>
  bed.call<T>(bed.tokens[0] ?? '', method, path, body)

interface ListedBackups {
  readonly items: readonly { readonly id: string; readonly sentBytes: number; readonly createdAt: string }[]
  readonly lastFailure: { readonly detail: string } | null
}

/** Makes one by hand, as the page does. */
export async function backUp(bed: Server): Promise<Work> {
  const listed = () => call<ListedBackups>(bed, 'GET', '/api/recovery/backups')
  const before = newestOf(await listed())
  const cpu = processor(bed.pid)
  const begun = performance.now()
  const { id } = await call<{ id: string }>(bed, 'POST', '/api/recovery/backups')
  await jobEnd(bed, id)
  const ms = performance.now() - begun
  const cpuMs = processor(bed.pid) - cpu
  const after = await listed()
  const made = newestOf(after)
  // Older ones go by the retention, so that there need not be more of them.
  if (!made || made.id === before?.id) throw new Error(`no backup was made: ${after.lastFailure?.detail}`)
  return { ms, bytes: made.sentBytes, cpuMs }
}

const newestOf = ({ items }: ListedBackups) => items.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]

async function runDrill(bed: Bed): Promise<number> {
  const begun = performance.now()
  const { id } = await call<{ id: string }>(bed, 'POST', '/api/recovery/drills/run', {})
  await jobEnd(bed, id).catch(async (error: Error) => {
    const { items } = await call<{ items: readonly { readonly error: string | null }[] }>(
      bed,
      'GET',
      '/api/recovery/drills',
    )
    throw new Error(`${error.message}: ${items[0]?.error}`)
  })
  return performance.now() - begun
}

async function jobEnd(bed: Server, id: string): Promise<void> {
  // Seldom: while others are measured, these questions would be a load of their own.
  for (;;) {
    const { state } = await call<{ state: string }>(bed, 'GET', `/api/jobs/${id}`)
    if (state === 'succeeded') return
    if (state === 'failed' || state === 'cancelled') throw new Error(`the job ${state}`)
    await pause(100)
  }
}

/** So many messages of 100 kB, as people write them. */
export async function write(bed: Bed, count: number): Promise<void> {
  const chat = await bed.chat(bed.tokens[0] ?? '', 'echo:latest')
  for (let n = 0; n < count; n += 1)
    await call(bed, 'POST', `/api/chat/sessions/${chat}/messages`, {
      role: 'user',
      content: randomBytes(kb100 / 2).toString('hex'),
    })
}

/** What writes and first tokens take with and without a backup; in turn, on the same data. */
async function measureOthers(bed: Bed): Promise<Pick<BackupFigures, 'writes' | 'answers'>> {
  const writes = { without: [] as number[], during: [] as number[] }
  const answers = { without: [] as number[], during: [] as number[] }
  for (let turn = 0; turn < 3; turn += 1)
    for (const when of ['without', 'during'] as const) {
      let over = false
      const others = [takeWrites(bed, writes[when], () => over), takeAnswers(bed, answers[when], () => over)]
      await (when === 'during' ? backUp(bed) : pause(3000))
      over = true
      await Promise.all(others)
    }
  const compared = ({ without, during }: typeof writes): Compared => ({
    without: spread(without),
    during: spread(during),
  })
  return { writes: compared(writes), answers: compared(answers) }
}

async function takeWrites(bed: Bed, taken: number[], isOver: () => boolean): Promise<void> {
  const token = bed.tokens[1] ?? ''
  const chat = await bed.chat(token, 'echo:latest')
  while (!isOver()) {
    const begun = performance.now()
    const message = { role: 'user', content: 'a word or two' }
    await bed.call(token, 'POST', `/api/chat/sessions/${chat}/messages`, message)
    taken.push(performance.now() - begun)
    await pause(5)
  }
}

async function takeAnswers(bed: Bed, taken: number[], isOver: () => boolean): Promise<void> {
  const token = bed.tokens[0] ?? ''
  const chat = await bed.chat(token, 'echo:latest')
  while (!isOver()) {
    const url = `${bed.url}/api/chat/sessions/${chat}/generate/stream`
    const { firstMs } = await stream({ url, token, body: { message: 'Hello there' }, mark: 'event: text' })
    if (firstMs > 0) taken.push(firstMs)
    await pause(20)
  }
}
