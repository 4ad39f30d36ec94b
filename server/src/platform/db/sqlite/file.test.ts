import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../../testing/child.ts'
import { openerFor, type Place } from '../../../testing/databases.ts'
import { type Database, openDatabase } from '../index.ts'

const index = new URL('../index.ts', import.meta.url).href
const open = openerFor('sqlite')

interface Words {
  words: { word: string }
}

const openAt = async (place: Place, changes = {}): Promise<Database> => {
  const database = await openDatabase({ ...place.options, ...changes })
  onTestFinished(() => database.close())
  return database
}

/** Another process that opens the database, writes a word, prints "ready" or the error's name, and stays. */
const holder = ({ options }: Place) =>
  startChild(`
    import { openDatabase } from ${JSON.stringify(index)}
    import { sql } from ${JSON.stringify(import.meta.resolve('kysely'))}
    const key = Buffer.from('${options.key?.toString('hex')}', 'hex')
    try {
      const database = await openDatabase({ file: ${JSON.stringify(options.file)}, key, log: console })
      await sql\`create table words (word text)\`.execute(database.tables())
      await sql\`insert into words values ('xylophone')\`.execute(database.tables())
      console.log('ready')
      setInterval(() => {}, 1000)
    } catch (error) {
      console.log(error.name + ': ' + error.message)
      process.exit()
    }`)

const bytesOf = async ({ folder }: Place): Promise<Record<string, string>> => {
  const names = (await readdir(folder)).filter((name) => /\.db(-wal)?$/.test(name))
  const files = names.map(async (name) => [name, (await readFile(join(folder, name))).toString('latin1')] as const)
  return Object.fromEntries(await Promise.all(files))
}

describe('the database file', () => {
  it('holds no word of what is in it, nor does its log, and only the owner may read it', async () => {
    const place = await open.place()
    const database = await openAt(place)
    const db = database.tables<Words>()
    await sql`create table words (word text)`.execute(db)
    await db.insertInto('words').values({ word: 'xylophone' }).execute()
    const files = await bytesOf(place)
    expect(Object.keys(files).sort()).toEqual(['atrium.db', 'atrium.db-wal'])
    expect(files['atrium.db-wal']?.length).toBeGreaterThan(4096)
    for (const name of await readdir(place.folder)) {
      expect((await stat(join(place.folder, name))).mode & 0o777).toBe(0o600)
    }
    await database.close()
    const closed = await bytesOf(place)
    for (const bytes of [...Object.values(files), ...Object.values(closed)]) {
      expect(bytes).not.toContain('xylophone')
      expect(bytes).not.toContain('create table')
      expect(bytes).not.toContain('SQLite format')
    }
  })

  it('does not open with another key, and is left as it was', async () => {
    const place = await open.place()
    const child = holder(place)
    expect(await child.line()).toBe('ready')
    await child.kill()
    // What was written last is in the log only, as after a crash.
    const before = await bytesOf(place)
    expect(before['atrium.db-wal']?.length).toBeGreaterThan(0)
    for (const key of [randomBytes(32), undefined]) {
      const opening = openDatabase({ ...place.options, key })
      await expect(opening).rejects.toMatchObject({ name: 'DatabaseKeyError', message: /encryption key/ })
      expect(await bytesOf(place)).toEqual(before)
    }
    const db = (await openAt(place)).tables<Words>()
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([{ word: 'xylophone' }])
  })

  it('belongs to one process, until that is killed', async () => {
    const place = await open.place()
    const child = holder(place)
    expect(await child.line()).toBe('ready')
    await expect(openDatabase(place.options)).rejects.toMatchObject({
      name: 'DatabaseLockedError',
      message: 'Another Atrium process is using this data folder. Stop it first, then start again.',
    })
    await child.kill()
    const db = (await openAt(place)).tables<Words>()
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([{ word: 'xylophone' }])
    await expect(openDatabase(place.options)).rejects.toMatchObject({ name: 'DatabaseLockedError' })
  })

  it('is refused with a plain refusal when it cannot grow, and goes on when it can', async () => {
    const database = await openAt(await open.place())
    const db = database.tables<Words>()
    await sql`create table words (word text)`.execute(db)
    await sql`pragma max_page_count = 8`.execute(db)
    const filling = database.write<Words, void>(async (trx) => {
      await trx
        .insertInto('words')
        .values({ word: 'x'.repeat(100_000) })
        .execute()
    })
    await expect(filling).rejects.toMatchObject({ code: 'storage_full', status: 507 })
    await expect(
      db
        .insertInto('words')
        .values({ word: 'x'.repeat(100_000) })
        .execute(),
    ).rejects.toMatchObject({
      code: 'storage_full',
    })
    await sql`pragma max_page_count = 1000000`.execute(db)
    await db
      .insertInto('words')
      .values({ word: 'x'.repeat(100_000) })
      .execute()
    expect(
      await db
        .selectFrom('words')
        .select(({ fn }) => fn.countAll().as('n'))
        .execute(),
    ).toEqual([{ n: 1 }])
  })
})
