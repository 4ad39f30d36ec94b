import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../platform/db/index.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { connectionMigrations } from './tables.ts'

onBothDatabases('an instance of before', (open) => {
  test('keeps its connections, with keys, activations and catalogues', async () => {
    const [first] = connectionMigrations
    if (!first) throw new Error('there are migrations')
    const accounts = {
      id: 'test/0001-accounts',
      up: ({ text }: { text: string }) => [
        `create table accounts (id ${text} primary key)`,
        `insert into accounts values ('ann')`,
      ],
    }
    const database = await open([accounts, first])
    const bytes = new Uint8Array(randomBytes(40))
    const own = { account_id: 'ann', connection_id: 'box' }
    const tables = database.tables<Record<string, Record<string, unknown>>>()
    await tables
      .insertInto('connection_definitions')
      .values({ id: 'box', document: bytes, route: 'r', created_at: 1, updated_at: 2 })
      .execute()
    await tables
      .insertInto('connection_activations')
      .values({ ...own, activated_at: 3 })
      .execute()
    await tables
      .insertInto('connection_credentials')
      .values({ ...own, secret: bytes, route: 'r', saved_at: 4 })
      .execute()
    await tables
      .insertInto('connection_catalogues')
      .values({ ...own, models: null, route: 'r', discovered_at: null, checked_at: 5, outcome: '{}' })
      .execute()

    const snapshotFolder = await mkdtemp(join(tmpdir(), 'atrium-snapshots-'))
    const about = { version: '0.0.0', snapshotFolder, now: () => 0 }
    await migrate(database, [accounts, ...connectionMigrations], about)
    await rm(snapshotFolder, { recursive: true })
    const all = async (table: string) => await tables.selectFrom(table).selectAll().execute()
    expect(await all('connection_definitions')).toMatchObject([{ id: 'box', created_at: 1, updated_at: 2 }])
    expect(await all('connection_activations')).toEqual([{ ...own, activated_at: 3, active: 1 }])
    expect(await all('connection_credentials')).toMatchObject([{ ...own, route: 'r', saved_at: 4 }])
    expect(await all('connection_catalogues')).toMatchObject([{ ...own, route: 'r', checked_at: 5, outcome: '{}' }])
    await tables.deleteFrom('accounts').where('id', '=', 'ann').execute()
    expect(await all('connection_credentials')).toEqual([])
  })
})
