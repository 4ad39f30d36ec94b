import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onBothDatabases, openerFor, type Place } from '../../testing/databases.ts'
import { type Database, type Migration, migrate, openDatabase } from './index.ts'

const first: Migration = { id: 'a/0001-start', up: (t) => [`create table a (id ${t.text} primary key)`] }
const second: Migration = {
  id: 'a/0002-more',
  up: (t) => [`alter table a add column n ${t.int}`, `create index a_n on a (n)`],
}
const failing: Migration = { id: 'a/0003-broken', up: () => ['create table c (id int)', 'create table broken ('] }

const openAt = async (place: Place): Promise<Database> => {
  const database = await openDatabase(place.options)
  onTestFinished(() => database.close())
  return database
}
const optionsOf = ({ folder }: Place, version = '1.0.0') => ({
  version,
  snapshotFolder: join(folder, 'snapshots'),
  now: () => Date.UTC(2026, 10, 20, 16, 30),
})
const tableNames = async (database: Database): Promise<unknown[]> => {
  const tables = await database.tables().introspection.getTables()
  return tables.map(({ name }) => name).sort()
}

onBothDatabases('migrations', (open, dialect) => {
  it('are applied once, in order, and noted', async () => {
    const place = await open.place()
    const database = await openAt(place)
    const result = await migrate(database, [first, second], optionsOf(place))
    expect(result).toEqual({ applied: [first.id, second.id], snapshot: null })
    expect(await migrate(database, [first, second], optionsOf(place))).toEqual({ applied: [], snapshot: null })
    const { rows } = await sql`select id, applied_at, version from migrations order by id`.execute(database.tables())
    const noted = { applied_at: Date.UTC(2026, 10, 20, 16, 30), version: '1.0.0' }
    expect(rows).toEqual([first, second].map(({ id }) => ({ id, ...noted })))
    await sql`insert into a (id, n) values ('x', 1)`.execute(database.tables())
  })

  it('take what a new version adds, wherever it stands in the list', async () => {
    const place = await open.place()
    const database = await openAt(place)
    await migrate(
      database,
      [second].map(() => first),
      optionsOf(place),
    )
    const other: Migration = { id: 'b/0001-start', up: (t) => [`create table b (id ${t.text} primary key)`] }
    const { applied } = await migrate(database, [other, first, second], optionsOf(place, '2.0.0'))
    expect(applied).toEqual([other.id, second.id])
    expect(await tableNames(database)).toEqual(['a', 'b', 'migrations'])
  })

  it('are applied once when many start at the same time', async () => {
    const place = await open.place()
    const databases = dialect === 'postgres' ? [await openAt(place), await openAt(place)] : [await openAt(place)]
    const starts = [...databases, ...databases].map((database) => migrate(database, [first, second], optionsOf(place)))
    const results = await Promise.all(starts)
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual([first.id, second.id])
  })

  it('leave nothing behind when one fails, and say the way back', async () => {
    const place = await open.place()
    const database = await openAt(place)
    const fresh = migrate(database, [first, second, failing], optionsOf(place))
    await expect(fresh).rejects.toMatchObject({ name: 'MigrationError', message: /"a\/0003-broken" failed: .*syntax/ })
    expect(await tableNames(database)).toEqual([])

    await migrate(database, [first], optionsOf(place))
    const upgrade = migrate(database, [first, second, failing], optionsOf(place, '2.0.0'))
    const wayBack =
      dialect === 'sqlite' ? /put the copy .*20261120T163000.000Z-before-2.0.0.db in the place/ : /pg_dump/
    await expect(upgrade).rejects.toThrow(wayBack)
    expect(await tableNames(database)).toEqual(['a', 'migrations'])
    await migrate(database, [first, second], optionsOf(place, '2.0.1'))
  })

  it('stop when an applied one was changed', async () => {
    const place = await open.place()
    const database = await openAt(place)
    await migrate(database, [first], optionsOf(place))
    const changed = { ...first, up: () => ['create table a (id text)'] }
    await expect(migrate(database, [changed, second], optionsOf(place))).rejects.toMatchObject({
      name: 'MigrationError',
      message: /"a\/0001-start" is not the one that version 1.0.0 applied to this database\. Nothing was changed\./,
    })
    expect(await tableNames(database)).toEqual(['a', 'migrations'])
  })

  it('stop when a newer version was here, and name it', async () => {
    const place = await open.place()
    const database = await openAt(place)
    await migrate(database, [first, second], optionsOf(place, '2.0.0'))
    await expect(migrate(database, [first], optionsOf(place, '1.0.0'))).rejects.toThrow(
      /another version of Atrium \(2\.0\.0\): it has the migration "a\/0002-more".*Start version 2\.0\.0 or a newer one\./,
    )
    // Builds between two releases have one version: its number leads nowhere then.
    await expect(migrate(database, [first], optionsOf(place, '2.0.0'))).rejects.toThrow(
      /a newer build of Atrium 2\.0\.0: .*Start that build or a newer one\./,
    )
  })
})

describe('an upgrade of SQLite', () => {
  const open = openerFor('sqlite')

  it('takes a copy first, which is encrypted, private, and opens with the same key', async () => {
    const place = await open.place()
    const database = await openAt(place)
    await migrate(database, [first], optionsOf(place))
    await sql`insert into a values ('kept')`.execute(database.tables())
    const { snapshot } = await migrate(database, [first, second], optionsOf(place, '2.0.0'))
    expect(snapshot).toBe(join(place.folder, 'snapshots', '20261120T163000.000Z-before-2.0.0.db'))
    expect((await stat(snapshot ?? '')).mode & 0o777).toBe(0o600)
    expect((await stat(join(place.folder, 'snapshots'))).mode & 0o777).toBe(0o700)

    const file = snapshot ?? ''
    await expect(openDatabase({ ...place.options, file, key: undefined })).rejects.toThrow('encryption key')
    const copy = await openAt({ ...place, options: { ...place.options, file } })
    expect((await sql`select * from a`.execute(copy.tables())).rows).toEqual([{ id: 'kept' }])
    expect(await tableNames(copy)).toEqual(['a', 'migrations'])
  })
})
