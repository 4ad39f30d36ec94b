/** Backups of a small database: what is stored, what is sent, and that nothing but the whole of it is believed. */
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothDatabases, type Place } from '../../testing/databases.ts'
import { type Database, type Migration, migrate, openDatabase } from '../db/index.ts'
import { type DatabasePlace, openTableSource } from '../db/copy/index.ts'
import type { Destination } from './destinations/destination.ts'
import { openFolder } from './destinations/folder.ts'
import {
  chooseBackup,
  compareRows,
  createBackup,
  listBackups,
  loadRows,
  makeBackupKeys,
  openBackupKeys,
  verifyBackup,
  verifyBackupInThread,
} from './index.ts'
import { deriveBackupKeys } from './keys.ts'
import { makeBackupId, type ManifestTable, writeManifest } from './manifest.ts'
import { createPackWriter } from './packs.ts'
import { storeTable } from './tables.ts'

const migrations: Migration[] = [
  {
    id: 'things/0001-start',
    up: (t) => [
      `create table things (id ${t.text} primary key, name ${t.text}, count ${t.int} not null, share ${t.real} not null, bytes ${t.bytes})`,
      `create table parts (thing ${t.text} not null references things (id), number ${t.int} not null, text ${t.text} not null, primary key (number, thing))`,
      `create table counted (number ${t.key}, text ${t.text} not null)`,
    ],
  },
]
const appVersion = '1.0.0'
const instanceKey = randomBytes(32)

const prepare = async (place: Place): Promise<{ database: Database; at: DatabasePlace }> => {
  const { url, file, key } = place.options
  const database = await openDatabase(place.options)
  await migrate(database, migrations, { version: appVersion, snapshotFolder: place.folder, now: () => 1 })
  return { database, at: url === undefined ? { file: file ?? '', key: key ?? Buffer.alloc(0) } : { url } }
}
const fill = async (database: Database): Promise<void> => {
  const db = database.tables()
  await sql`insert into things values ('a', 'Zoë ☂', ${2 ** 52}, 0.1, ${randomBytes(300_000)}), ('B', null, -5, 1, null)`.execute(
    db,
  )
  for (let at = 0; at < 40; at += 1) {
    const rows = Array.from(
      { length: 100 },
      (_, n) => sql`('a', ${at * 100 + n}, ${`text ${at} ${n} ${'x'.repeat(50)}`})`,
    )
    await sql`insert into parts (thing, number, text) values ${sql.join(rows)}`.execute(db)
  }
  await sql`insert into counted (text) values ('one'), ('two')`.execute(db)
}
/** `readBytes` gives how many were read since it was asked last. */
const countReads = (from: Destination) => {
  let count = 0
  const read: Destination['read'] = async (name, signal) => {
    const bytes = await from.read(name, signal)
    count += bytes?.byteLength ?? 0
    return bytes
  }
  const readBytes = () => {
    const bytes = count
    count = 0
    return bytes
  }
  return { destination: { ...from, read }, readBytes }
}
const makeFolder = async () => openFolder(await mkdtemp(join(tmpdir(), 'backups-')))

onBothDatabases('a backup', (open) => {
  it('reads one of an earlier version, whose lists lie among the rows, and its successor has them apart', async () => {
    const { database, at } = await prepare(await open.place())
    await fill(database)
    const folder = await makeFolder()
    const { keys } = await makeBackupKeys()
    const { objects, names } = deriveBackupKeys(keys)
    const createdAt = Date.UTC(2026, 10, 20)
    const source = await openTableSource(at)
    const writer = createPackWriter({ destination: folder, set: keys.set, objects, names })
    const needed = new Map<string, number>()
    const tables: ManifestTable[] = []
    for (const table of source.tables) {
      const options = { names, writer, lists: writer, told: () => undefined }
      const stored = await storeTable(table, source.rows(table), new Map(), options)
      tables.push(stored.table)
      for (const { pack, length } of stored.chunks) needed.set(pack, (needed.get(pack) ?? 0) + length)
    }
    const { migrations: ids, dialect } = source
    await source.close()
    const { packs, sentBytes } = await writer.finish()
    await writeManifest(folder, objects, {
      format: 'atrium-backup',
      version: 1,
      set: keys.set,
      id: makeBackupId(createdAt),
      createdAt,
      appVersion,
      dialect,
      migrations: [...ids],
      tables,
      packs: [...packs].map(([id, bytes]) => ({ id, bytes, needed: needed.get(id) ?? 0 })),
      totals: { rows: 4004, files: 0, storedBytes: sentBytes, sentBytes },
    })
    const { destination, readBytes } = countReads(folder)
    let time = createdAt
    const backUp = () =>
      createBackup({ database: at, destination, keys, instanceKey, appVersion, now: () => (time += 1000) })
    expect((await backUp()).sentBytes).toBeLessThan(sentBytes / 20)
    expect(readBytes()).toBeGreaterThan(sentBytes / 2)
    expect((await backUp()).sentBytes).toBeLessThan(sentBytes / 50)
    expect(readBytes()).toBeLessThan(sentBytes / 20)
    for (const { id } of await listBackups(folder, keys)) expect(await verifyBackup(folder, keys, id)).toBeTruthy()
    await database.close()
  })

  it('sends what changed alone, and gives every row back to an empty database', async () => {
    const place = await open.place()
    const { database, at } = await prepare(place)
    await fill(database)
    const { destination, readBytes } = countReads(await makeFolder())
    const { keys, recoveryKey } = await makeBackupKeys()
    let time = Date.UTC(2026, 10, 20)
    const backUp = () =>
      createBackup({ database: at, destination, keys, instanceKey, appVersion, now: () => (time += 1000) })
    const first = await backUp()
    readBytes()
    const second = await backUp()
    expect(first).toMatchObject({ rows: 4004, tables: 3, files: 0 })
    expect(second.sentBytes).toBeLessThan(first.sentBytes / 50)
    // Its lists of chunks lie apart from the rows.
    expect(readBytes()).toBeLessThan(first.sentBytes / 20)
    await sql`update parts set text = 'changed' where number = 77`.execute(database.tables())
    const third = await backUp()
    expect(third.sentBytes).toBeLessThan(first.sentBytes / 5)
    expect((await listBackups(destination, keys)).map(({ id }) => id)).toEqual([third.id, second.id, first.id])
    await database.close()

    const opened = await openBackupKeys(destination, { recoveryKey })
    expect(opened).toEqual({ keys, instanceKey })
    const id = await chooseBackup(destination, keys, '2026-11-20T00:00:02Z')
    expect(id).toBe(second.id)
    // A damaged one is in nobody's way who asks for an earlier moment.
    const damaged = makeBackupId(time + 1000)
    await destination.write(`${keys.set}/manifests/${damaged}`, randomBytes(100))
    expect(await chooseBackup(destination, keys, new Date(third.createdAt).toISOString())).toBe(third.id)
    expect(await chooseBackup(destination, keys)).toBe(damaged)
    await destination.remove(`${keys.set}/manifests/${damaged}`)
    const manifest = await verifyBackup(destination, keys, third.id)
    expect(await verifyBackupInThread(destination, keys, third.id)).toMatchObject({ id: third.id, rows: 4004 })
    for (const dialect of [open.place, open.place]) {
      const empty = await dialect()
      const target = await prepare(empty)
      await target.database.close()
      await loadRows({ destination, keys, manifest, database: target.at })
      expect(await compareRows(manifest, target.at)).toEqual({ tables: 3, rows: 4004 })
      const again = await openDatabase(empty.options)
      await sql`insert into counted (text) values ('three')`.execute(again.tables())
      const { rows } = await sql`select * from counted order by number`.execute(again.tables())
      expect(rows.at(-1)).toEqual({ number: 3, text: 'three' })
      await again.close()
    }
  })
})
