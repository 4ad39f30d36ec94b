/** A restore or a move that ended on its way goes on when it is run again, and nobody writes to what is moved. */
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchRoutes } from '@atrium/contract/search'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { type BackupKeys, createBackup, makeBackupKeys } from '../../platform/backups/index.ts'
import { openTableSource } from '../../platform/db/copy/index.ts'
import { type Database, openDatabase } from '../../platform/db/index.ts'
import { holdPlace } from '../../platform/db/hold.ts'
import { loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createClient } from '../../testing/client.ts'
import { createPostgresDatabase, dropPostgresDatabase, usualDialects } from '../../testing/databases.ts'
import { uploadAndRead } from '../../testing/documents.ts'
import { runRecoveryCommand } from '../../testing/recovery-command.ts'
import { createApp } from '../app.ts'
import { configFromEnv, dataPathsIn } from '../config.ts'
import { restoreBackup } from './restore.ts'
import { scratchName } from './target.ts'

const log = { warn: () => undefined, error: () => undefined }
const makeFolder = () => mkdtemp(join(tmpdir(), 'going-on-'))

/** Each database is read once and written once; all four ways where all is tested. */
const ways = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ...(usualDialects.includes('postgres')
    ? ([
        ['sqlite', 'sqlite'],
        ['postgres', 'postgres'],
      ] as const)
    : []),
] as const

describe.each(ways)('a restore from %s to %s', (from, to) => {
  let app: TestApp
  let token: string | undefined
  let instanceKey: Buffer
  let backup: { destination: Destination; keys: BackupKeys; rows: number }
  beforeAll(async () => {
    app = await startTestApp({ dialect: from })
    const admin = await app.signUpAdmin()
    ;({ token } = admin)
    await uploadAndRead(admin, 'The wombat digs.', { name: 'wombat.txt' })
    ;({ key: instanceKey } = await loadInstanceKey({ value: undefined, dataDir: app.dataDir, databaseExists: true }))
    const database = app.databaseUrl
      ? { url: app.databaseUrl }
      : { file: dataPathsIn(app.dataDir).database, key: sqliteKey(instanceKey) }
    const destination = openFolder(await makeFolder())
    const { keys } = await makeBackupKeys()
    const made = await createBackup({ database, destination, keys, instanceKey, appVersion: '1', now: Date.now })
    backup = { destination, keys, rows: made.rows }
  })
  afterAll(() => app?.close())

  const makeTarget = async () => {
    const dataDir = await makeFolder()
    const url = to === 'postgres' ? await createPostgresDatabase() : undefined
    if (url) onTestFinished(() => dropPostgresDatabase(url))
    const told: number[] = []
    const restore = (endAt = Number.POSITIVE_INFINITY, more: object = {}) =>
      restoreBackup({
        from: backup.destination,
        keys: backup.keys,
        instanceKey,
        target: { dataDir, url, keyIsElsewhere: false },
        dryRun: false,
        asCopy: false,
        keepSessions: true,
        now: Date.now,
        onProgress: (step, rows) => {
          if (step !== 'load') return
          told.push(rows)
          if (rows >= endAt) throw new Error('ended here')
        },
        ...more,
      })
    const within = async <R>(work: (database: Database) => Promise<R>): Promise<R> => {
      const place = url ? { url, lock: false } : { file: dataPathsIn(dataDir).database, key: sqliteKey(instanceKey) }
      const database = await openDatabase({ ...place, log })
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    }
    const environment: Record<string, string> = { DATA_DIR: dataDir, ...(url ? { DATABASE_URL: url } : {}) }
    return { dataDir, environment, restore, told, within }
  }
  /** Starts a server on it and looks for what was in the backup. */
  const finds = async (environment: Record<string, string>) => {
    const started = await createApp(
      configFromEnv({ ...environment, PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'silent' }),
    )
    try {
      const person = createClient(await started.listen(), token)
      return (await person.call(searchRoutes.everything, { query: { q: 'wombat' } })).items.map(({ title }) => title)
    } finally {
      await started.stop({ now: true })
    }
  }
  /** Half an instance is neither backed up nor moved, and no backup goes because of what it says. */
  const staysAlone = async (environment: Record<string, string>) => {
    const refused = { code: 1, complaint: expect.stringMatching(/^A restore into .* didn’t finish/) }
    const empty = await makeFolder()
    for (const verb of ['create', 'prune'])
      expect(await runRecoveryCommand(environment, 'backup', verb, '--to', empty)).toMatchObject(refused)
    expect(await runRecoveryCommand(environment, 'move', '--to', join(empty, 'data'))).toMatchObject(refused)
    expect(await readdir(empty)).toEqual([])
    const url = environment['DATABASE_URL']
    if (!url) return
    const source = await openTableSource({ url })
    expect(source.tables.map(({ name }) => name)).not.toContain('restore_unfinished')
    await source.close()
  }
  const foreignKeys = (database: Database) =>
    sql<{ name: string }>`select conname as name from pg_constraint where contype = 'f' order by 1`
      .execute(database.tables())
      .then(({ rows }) => rows)

  test('goes on with the rows that are there, and with those alone that are right', async () => {
    const whole = await makeTarget()
    await whole.restore()
    const { restore, told, within, environment } = await makeTarget()
    const half = Math.floor(backup.rows / 2)
    await expect(restore(half)).rejects.toThrow('ended here')
    await expect(finds(environment)).rejects.toThrow('didn’t finish')
    await staysAlone(environment)
    const written = told.at(-1) ?? 0
    told.length = 0
    await expect(restore(written + 1)).rejects.toThrow('ended here')
    expect(told[0]).toBeGreaterThan(half)
    // Somebody changed a row of what was written.
    await within((database) => sql`update accounts set role = 'user'`.execute(database.tables()))
    await restore()
    if (to === 'postgres') expect(await within(foreignKeys)).toEqual(await whole.within(foreignKeys))
    expect(await finds(environment)).toContain('wombat.txt')
  })

  test('goes on where it ended after the last row, and does not end while it may not', async () => {
    const { restore, environment, dataDir } = await makeTarget()
    const refuse = { beforeEnd: () => Promise.reject(new Error('not yet')) }
    await expect(restore(undefined, refuse)).rejects.toThrow('not yet')
    await expect(finds(environment)).rejects.toThrow('didn’t finish')
    await restore()
    expect(await finds(environment)).toContain('wombat.txt')
    expect((await readdir(dataDir)).filter((name) => name.startsWith('restore'))).toEqual([])
  })

  test('is refused beside another one into the same place, and keeps servers out of it', async () => {
    const { restore, environment, dataDir } = await makeTarget()
    const refused: unknown[] = []
    const note = (error: unknown) => void refused.push(error)
    const beforeEnd = async () => {
      await restore().then(() => undefined, note)
      const url = environment['DATABASE_URL']
      await holdPlace(url ? { url } : { file: dataPathsIn(dataDir).database }).then(({ release }) => release(), note)
    }
    await restore(undefined, { beforeEnd })
    expect(refused).toMatchObject([
      { name: expect.stringMatching(/BackupFailure|DatabaseLockedError/) },
      { name: 'DatabaseLockedError' },
    ])
  })

  test('takes nothing from a server that began there while the backup was read', async () => {
    const { restore, environment, dataDir } = await makeTarget()
    const settings = { ...environment, PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'silent' }
    let begun: Promise<void> | null = null
    const begin = async () => {
      const server = await createApp(configFromEnv(settings))
      await server.stop({ now: true })
    }
    const read: Destination['read'] = async (name, signal) => {
      if (name.includes('/packs/')) await (begun ??= begin())
      return await backup.destination.read(name, signal)
    }
    const from = { ...backup.destination, read }
    await expect(restore(undefined, { from })).rejects.toMatchObject({ name: 'BackupFailure', code: 'occupied' })
    expect(begun).not.toBeNull()
    const own = await loadInstanceKey({ value: undefined, dataDir, databaseExists: true })
    expect(own.key.equals(instanceKey)).toBe(false)
    const again = await createApp(configFromEnv(settings))
    await again.stop({ now: true })
  })
})

describe('npm run move', () => {
  test('keeps its copy in the folder it goes to, and goes on with it', async () => {
    const source = await startTestApp()
    onTestFinished(() => source.close())
    await source.signUpAdmin()
    await source.stop()
    const environment = { DATA_DIR: source.dataDir }
    const to = await makeFolder()
    // The restore cannot begin, because somebody has the target.
    await mkdir(to, { recursive: true })
    const held = await holdPlace({ file: join(to, 'restore') })
    const stopped = await runRecoveryCommand(environment, 'move', '--to', to)
    expect(stopped).toMatchObject({ code: 1, complaint: expect.stringContaining('Another restore') })
    await held.release()
    const kept = await readdir(join(to, scratchName), { recursive: true })
    expect(kept.filter((name) => name.includes('/packs/')).length).toBeGreaterThan(0)
    expect(await runRecoveryCommand(environment, 'move', '--to', to)).toMatchObject({ code: 0, complaint: '' })
    expect(await readdir(to)).not.toContain(scratchName)
    const again = await makeFolder()
    expect(await runRecoveryCommand(environment, 'move', '--to', join(again, 'data'), '--dry-run')).toMatchObject({
      code: 0,
    })
    expect(await readdir(again)).toEqual([])
  })

  test('lets nobody write to a PostgreSQL database that is moved, and no server begin on it', async () => {
    const source = await startTestApp({ dialect: 'postgres' })
    onTestFinished(() => source.close())
    await source.signUpAdmin()
    const url = source.databaseUrl ?? ''
    await expect(holdPlace({ url }, { frozen: true })).rejects.toMatchObject({ name: 'DatabaseLockedError' })
    await source.stop()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const hold = await holdPlace({ url }, { frozen: true })
    try {
      await client.query("set lock_timeout = '200ms'")
      await expect(client.query(`update accounts set role = 'user'`)).rejects.toThrow('lock timeout')
      await expect(openDatabase({ url, log })).rejects.toThrow('has this database for itself')
      await expect(source.restart()).rejects.toThrow('has this database for itself')
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atrium-hold'
        and datname = current_database()`)
      await expect(hold.requireHeld()).rejects.toThrow('was lost')
    } finally {
      await hold.release()
      await client.query(`update accounts set role = 'admin'`)
      await client.end()
    }
    const to = join(await makeFolder(), 'data')
    const environment = { DATA_DIR: source.dataDir, DATABASE_URL: url }
    expect(await runRecoveryCommand(environment, 'move', '--to', to)).toMatchObject({ code: 0, complaint: '' })
  })

  test('says where there is nothing to move', async () => {
    const empty = await makeFolder()
    await writeFile(join(empty, 'encryption.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    const moved = await runRecoveryCommand({ DATA_DIR: empty }, 'move', '--to', join(empty, 'data'))
    expect(moved).toMatchObject({ code: 1, complaint: expect.stringContaining('no database') })
  })
})
