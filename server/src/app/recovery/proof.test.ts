/** The daily proof over an instance that has one thing of each kind: everything opens, is found, and nothing gets out. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { searchRoutes } from '@atrium/contract/search'
import { resourceKinds } from '@atrium/contract/resources'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { createBackup, makeBackupKeys, proveBackup } from '../../platform/backups/index.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { migrate, openDatabase } from '../../platform/db/index.ts'
import { loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { createPostgresDatabase, dropPostgresDatabase, usualDialects } from '../../testing/databases.ts'
import { uploadAndRead } from '../../testing/documents.ts'
import { readSamples } from '../../testing/samples.ts'
import { migrations, sealed } from '../areas.ts'
import { dataPathsIn } from '../config.ts'

const log = { warn: () => undefined, error: () => undefined }
const samples = await readSamples()

describe.each(['sqlite', 'postgres'] as const)('the proof of a backup (%s)', (dialect) => {
  let app: TestApp
  let place: DatabasePlace
  let instanceKey: Buffer
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    const admin = await app.signUpAdmin()
    for (const kind of resourceKinds) await samples[kind].make(admin, `zyzzyva${kind}`)
    await uploadAndRead(admin, 'The anteater sleeps in the shade of a monkey puzzle.', { name: 'anteater.txt' })
    const found = async () => (await admin.call(searchRoutes.everything, { query: { q: 'zyzzyvamessage' } })).items
    await vi.waitUntil(async () => (await found()).length > 0, { timeout: 120_000, interval: 100 })
    ;({ key: instanceKey } = await loadInstanceKey({ value: undefined, dataDir: app.dataDir, databaseExists: true }))
    place = app.databaseUrl
      ? { url: app.databaseUrl }
      : { file: dataPathsIn(app.dataDir).database, key: sqliteKey(instanceKey) }
  })
  afterAll(() => app?.close())

  const backUp = async (database = place) => {
    const destination = openFolder(await mkdtemp(join(tmpdir(), 'backups-')))
    const { keys } = await makeBackupKeys()
    await createBackup({ database, destination, keys, instanceKey, appVersion: '1.0.0', now: Date.now })
    const scratchFolder = await mkdtemp(join(tmpdir(), 'scratch-'))
    return { destination, keys, instanceKey, migrations, sealed, scratchFolder, instance: place }
  }

  test('opens every value, finds words of them, and leaves nothing', async () => {
    const options = await backUp()
    const proof = await proveBackup(options)
    expect(proof).toMatchObject({ dialect })
    expect(proof.values).toBeGreaterThan(30)
    expect(proof.searches).toBeGreaterThanOrEqual(4)
    expect(await readdir(options.scratchFolder)).toEqual([])
    expect(await scratchDatabases()).toEqual([])
  })

  // The same readers judge the rows of both; what is right is read on both above.
  if (usualDialects.includes(dialect)) {
    test('is refused where a value does not open', async () => {
      const copy = await copyOf(place)
      const database = await openDatabase({ ...copy, log })
      await sql`update chat_folders set name = (select title from chat_sessions limit 1)`.execute(database.tables())
      await database.close()
      const prove = proveBackup(await backUp(copy))
      await expect(prove).rejects.toMatchObject({
        code: 'different',
        message: expect.stringMatching(/^\d+ values? of chat_folders.name cannot be opened/),
      })
    })

    test('is refused where the search index has lost the words of an entry', async () => {
      const copy = await copyOf(place)
      const database = await openDatabase({ ...copy, log })
      await sql`update search_entries set number = number + 1000000 where id like 'name:%'`.execute(database.tables())
      await database.close()
      await expect(proveBackup(await backUp(copy))).rejects.toMatchObject({
        code: 'different',
        message: expect.stringContaining('own words'),
      })
    })
  }

  /** A copy by way of a backup, to be spoilt. */
  const copyOf = async (from: DatabasePlace): Promise<DatabasePlace> => {
    const { restoreBackup } = await import('./restore.ts')
    const { destination, keys } = await backUp(from)
    const dataDir = await mkdtemp(join(tmpdir(), 'copy-'))
    const url = dialect === 'postgres' ? await createPostgresDatabase() : undefined
    if (url) copies.push(url)
    const target = { dataDir, url, keyIsElsewhere: false }
    const options = { from: destination, keys, instanceKey, target, dryRun: false, asCopy: false, keepSessions: true }
    await restoreBackup({ ...options, now: Date.now })
    return url ? { url } : { file: dataPathsIn(dataDir).database, key: sqliteKey(instanceKey) }
  }
  const copies: string[] = []
  afterAll(async () => {
    for (const url of copies) await dropPostgresDatabase(url)
  })
})

test('a backup of a server is proved in SQLite where the role may make no database', async () => {
  const url = await createPostgresDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `drop role if exists humble; create role humble login password 'humble'; grant all on schema public to humble`,
  )
  const humble = new URL(url)
  ;[humble.username, humble.password] = ['humble', 'humble']
  const place = { url: humble.href }
  const instanceKey = Buffer.alloc(32, 7)
  const database = await openDatabase({ ...place, log })
  try {
    await migrate(database, migrations, { version: '1.0.0', snapshotFolder: '', now: () => 1 })
    const destination = openFolder(await mkdtemp(join(tmpdir(), 'backups-')))
    const { keys } = await makeBackupKeys()
    await createBackup({ database: place, destination, keys, instanceKey, appVersion: '1.0.0', now: Date.now })
    const scratchFolder = await mkdtemp(join(tmpdir(), 'scratch-'))
    const options = { destination, keys, instanceKey, migrations, sealed, scratchFolder, instance: place }
    expect(await proveBackup(options)).toMatchObject({ dialect: 'sqlite' })
  } finally {
    await database.close()
    await client.query('drop owned by humble; drop role humble')
    await client.end()
    await dropPostgresDatabase(url)
  }
})

test('every column that can hold sealed values is in the list of its area', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'))
  const database = await openDatabase({ file: join(folder, 'atrium.db'), log })
  try {
    await migrate(database, migrations, { version: '1.0.0', snapshotFolder: folder, now: () => 1 })
    const tables = await database.tables<unknown>().introspection.getTables()
    const columns = tables.flatMap(({ name, columns: all }) =>
      all.filter(({ dataType }) => dataType.toLowerCase() === 'blob').map((column) => `${name}.${column.name}`),
    )
    // Keys that are wrapped and not sealed, and vectors.
    const others = ['vault_keys.wrapped', 'search_vectors.vector', 'search_bits.bits']
    const own = columns.filter((column) => !column.startsWith('search_words') && !others.includes(column))
    expect(sealed.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(own.toSorted())
  } finally {
    await database.close()
  }
})

test('a process whose network is closed connects to nothing but the address that is open, and listens to nobody', async () => {
  const module = new URL('../../platform/work/closed-network.ts', import.meta.url).href
  const { host, port } = new pg.Client({ connectionString: inject('postgresUrl') })
  const program = `
    import net from 'node:net'; import dgram from 'node:dgram'; import dns from 'node:dns'
    import { closeNetwork } from ${JSON.stringify(module)}
    closeNetwork(${JSON.stringify({ host, port })})
    const tries = {
      open: () => new Promise((done, failed) => net.connect(${port}, ${JSON.stringify(host)}).on('connect', function () { this.destroy(); done() }).on('error', failed)),
      port: () => net.connect(${port + 1}, ${JSON.stringify(host)}),
      host: () => net.connect({ port: ${port}, host: 'example.com' }),
      path: () => net.connect('/var/run/docker.sock'),
      fetch: () => fetch('http://127.0.0.1:8009'),
      listen: () => net.createServer().listen(0),
      datagram: () => dgram.createSocket('udp4').send('x', 53, '127.0.0.1'),
      name: () => new Promise((done) => dns.lookup('example.com', done)),
    }
    const said = {}
    for (const [name, go] of Object.entries(tries)) try { await go(); said[name] = 'passed' } catch (error) { said[name] = (error.cause ?? error).message }
    console.log(JSON.stringify(said))
    process.exit(0)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--input-type=module',
    '-e',
    program,
  ])
  const { open, ...others } = JSON.parse(stdout) as Record<string, string>
  expect(open).toBe('passed')
  expect(new Set(Object.values(others))).toEqual(new Set(['This process has no network.']))
})

const scratchDatabases = async (): Promise<string[]> => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>(
      String.raw`select datname from pg_database where datname like 'atrium\_scratch\_%'`,
    )
    return rows.map(({ datname }) => datname)
  } finally {
    await client.end()
  }
}
