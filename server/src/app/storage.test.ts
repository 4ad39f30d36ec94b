/** A data folder that does not look as it was left starts nothing new. */
import { randomBytes } from 'node:crypto'
import { open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseDamagedError } from '../platform/db/index.ts'
import { createLog } from '../platform/log/log.ts'
import { toRefusal } from '../platform/http/problem.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'
import { realClock } from '../testing/clock.ts'
import { onBothDatabases, openerFor, type Place } from '../testing/databases.ts'
import { readinessChecks } from './checks.ts'
import { configFromEnv, dataPathsIn } from './config.ts'
import { openStorage } from './storage.ts'

const openIn = async ({ folder, options: { url } }: Place) => {
  const log = createLog({ level: 'silent' })
  const config = configFromEnv({ DATA_DIR: folder, ...(url === undefined ? {} : { DATABASE_URL: url }) })
  return await openStorage(config, vaultMigrations, { clock: realClock, log, version: '0', metrics: null })
}
const openAndClose = async (place: Place): Promise<void> => (await openIn(place)).database.close()

onBothDatabases('a data folder that was used', (opener, dialect) => {
  test('is not begun anew when its database is gone, unless that is asked for', async () => {
    const place = await opener.place()
    const places = dataPathsIn(place.folder)
    await openAndClose(place)
    await openAndClose(place)
    const empty = async (): Promise<void> => {
      if (dialect === 'sqlite') return await truncate(places.database, 0)
      const { database } = await openIn(place)
      await sql`drop table vault_keys, vault_former_keys, migrations`.execute(database.tables())
      await database.close()
    }
    await empty()
    const marker = places.markers[dialect]
    await expect(openAndClose(place)).rejects.toThrow(`delete ${marker} and start again`)
    if (dialect === 'sqlite') {
      await expect(openAndClose(place)).rejects.toThrow(`The database file ${places.database} is empty`)
      await rm(places.database)
      await expect(openAndClose(place)).rejects.toThrow(`The database file ${places.database} is missing`)
      await expect(stat(places.database)).rejects.toThrow('ENOENT')
    }
    await rm(marker)
    await openAndClose(place)
  })
})

describe('a data folder with SQLite', () => {
  const opener = openerFor('sqlite')

  test('is begun anew when the first start was killed after it had made the key', async () => {
    const place = await opener.place()
    const key = randomBytes(32).toString('hex')
    await writeFile(join(place.folder, 'encryption.key'), `${key}\n`, { mode: 0o600 })
    await writeFile(dataPathsIn(place.folder).database, '')
    await openAndClose(place)
  })

  test('tells of a damaged database in a sentence with the way back, and is not ready then', async () => {
    const place = await opener.place()
    const { database: file, snapshots } = dataPathsIn(place.folder)
    const before = await openIn(place)
    await sql`create table things (id integer primary key, body blob)`.execute(before.database.tables())
    await sql`with recursive n(i) as (values(1) union all select i + 1 from n where i < 200)
      insert into things select i, randomblob(1000) from n`.execute(before.database.tables())
    await before.database.close()
    await spoil(file, 100_000)
    const { database } = await openIn(place)
    onTestFinished(() => database.close())
    const error = await sql`select sum(length(body)) from things`.execute(database.tables()).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(DatabaseDamagedError)
    expect(String(error)).toContain(`The database file ${file} is damaged.`)
    expect(String(error)).toContain(snapshots)
    expect(toRefusal(error)).toMatchObject({ code: 'unavailable' })
    expect(toRefusal(error)?.message).not.toContain(file)
    const [check] = readinessChecks(database, place.folder)
    await expect(check?.run()).rejects.toThrow('is damaged')
  })

  test('does not take a damaged beginning for a wrong key alone', async () => {
    const place = await opener.place()
    await openAndClose(place)
    await spoil(dataPathsIn(place.folder).database, 200)
    await expect(openAndClose(place)).rejects.toThrow('or its beginning is damaged')
  })
})

/** Overwrites some bytes in the middle of a file. */
const spoil = async (path: string, at: number): Promise<void> => {
  const file = await open(path, 'r+')
  await file.write(randomBytes(64), 0, 64, at)
  await file.close()
}
