/** A SQLite file that is read whole while others write to it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../index.ts'
import { openConnection } from '../sqlite/connection.ts'
import { openTableSource } from './index.ts'

test('a long reading keeps nobody from emptying the log, and leaves it empty', async () => {
  const place = { file: join(await mkdtemp(join(tmpdir(), 'copy-')), 'atrium.db'), key: randomBytes(32) }
  const database = await openDatabase({ ...place, log: { warn: () => undefined, error: () => undefined } })
  const write = (bytes: number) => sql`insert into things values (${randomBytes(bytes)})`.execute(database.tables())
  await sql`create table migrations (id text primary key, applied_at integer not null)`.execute(database.tables())
  await sql`create table things (content blob not null)`.execute(database.tables())
  await write(10)
  const looking = openConnection({ file: place.file, key: place.key.toString('hex'), readonly: false })
  /** Gives how many pages of the log are in the file then. */
  const moveLog = () => {
    const [moved] = looking.pragma('wal_checkpoint(passive)') as { checkpointed: number }[]
    return moved?.checkpointed ?? 0
  }
  moveLog()

  const source = await openTableSource(place)
  const before = (await stat(place.file)).size
  await write(1_000_000)
  // Up to where the reading began; without a page there, it would be none.
  expect(moveLog()).toBeGreaterThan(0)
  const [table] = source.tables.filter(({ name }) => name === 'things')
  if (!table) throw new Error('the table is missing')
  const rows = await Array.fromAsync(source.rows(table))
  expect(rows.flat()).toHaveLength(1)
  expect((await stat(place.file)).size).toBe(before)
  await source.close()
  expect((await stat(place.file)).size).toBeGreaterThan(before + 1_000_000)
  looking.close()
  await database.close()
})
