/** What a backup survives: damage, exchange, and an end at any step. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openerFor } from '../../testing/databases.ts'
import type { DatabasePlace } from '../db/copy/index.ts'
import { type Database, type Migration, migrate, openDatabase } from '../db/index.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { type Destination, DestinationFailure } from './destinations/destination.ts'
import { openFolder } from './destinations/folder.ts'
import {
  type BackupKeys,
  createBackup,
  createBackupInThread,
  deleteBackup,
  listBackups,
  makeBackupKeys,
  openBackupKeys,
  proveBackup,
  pruneBackups,
  usualRetention,
  verifyBackup,
} from './index.ts'

const migrations: Migration[] = [
  ...vaultMigrations,
  { id: 'notes/0001-start', up: (t) => [`create table notes (id ${t.text} primary key, text ${t.text} not null)`] },
]
const instanceKey = randomBytes(32)
const dayMs = 24 * 3_600_000
let time = Date.UTC(2026, 10, 20)

const namesIn = async (destination: Destination) =>
  (await Array.fromAsync(destination.list(''))).map(({ name }) => name)
const makeFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'faults-'))
  return { path, destination: openFolder(path) }
}

describe('a backup', () => {
  const open = openerFor('sqlite')
  let database: Database
  let at: DatabasePlace
  let keys: BackupKeys
  let recoveryKey: string
  const backUp = (destination: Destination, own = keys) =>
    createBackup({
      database: at,
      destination,
      keys: own,
      instanceKey,
      appVersion: '1.0.0',
      now: () => (time += 60_000),
    })
  const write = (id: string) =>
    sql`insert into notes values (${id}, ${randomBytes(40).toString('hex')})`.execute(database.tables())

  beforeAll(async () => {
    const { options, folder } = await open.place()
    database = await openDatabase(options)
    await migrate(database, migrations, { version: '1.0.0', snapshotFolder: folder, now: () => 1 })
    at = { file: options.file ?? '', key: options.key ?? Buffer.alloc(0) }
    await write('first')
    ;({ keys, recoveryKey } = await makeBackupKeys())
    return () => database.close()
  })

  it('is refused when any one of its bytes was flipped', async () => {
    const { path, destination } = await makeFolder()
    const { id } = await backUp(destination)
    let flipped = 0
    for (const name of await namesIn(destination)) {
      const bytes = await readFile(join(path, name))
      for (let place = 0; place < bytes.length; place += 1) {
        const changed = Buffer.from(bytes)
        changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8))
        await writeFile(join(path, name), changed)
        flipped += 1
        if (name.endsWith('/keys')) {
          // A sign that base64 does not need may change; a key that is another one may not come out.
          if (place % 16 === 0)
            await expect(
              openBackupKeys(destination, { recoveryKey }).then((opened) => opened.keys.root.equals(keys.root)),
            )
              .resolves.toBe(true)
              .catch((error: unknown) => expect(String(error)).toContain('doesn’t open'))
        } else await expect(verifyBackup(destination, keys, id)).rejects.toMatchObject({ name: 'BackupFailure' })
      }
      await writeFile(join(path, name), bytes)
    }
    expect(flipped).toBeGreaterThan(1000)
    await verifyBackup(destination, keys, id)
  })

  it('is refused when it was cut, lengthened, exchanged, or stands under the name of another', async () => {
    const { path, destination } = await makeFolder()
    const packs = async () => (await namesIn(destination)).filter((name) => name.includes('/packs/'))
    const first = await backUp(destination)
    const [other = '', ...rest] = await packs()
    await write('second')
    const second = await backUp(destination)
    const one = (await packs()).find((name) => name !== other && !rest.includes(name)) ?? ''
    const manifestOf = (id: string) => `${keys.set}/manifests/${id}`
    const tampered = async (name: string, bytes: Uint8Array, id: string): Promise<void> => {
      const before = await readFile(join(path, name))
      await writeFile(join(path, name), bytes)
      await expect(verifyBackup(destination, keys, id)).rejects.toMatchObject({ name: 'BackupFailure' })
      await writeFile(join(path, name), before)
    }
    const newest = await readFile(join(path, manifestOf(second.id)))
    await tampered(manifestOf(second.id), newest.subarray(0, -1), second.id)
    await tampered(manifestOf(second.id), Buffer.concat([newest, Buffer.from([0])]), second.id)
    await tampered(manifestOf(second.id), await readFile(join(path, manifestOf(first.id))), second.id)
    await tampered(one, await readFile(join(path, other)), second.id)
    await tampered(one, new Uint8Array(), second.id)
    const foreign = await makeFolder()
    const stranger = await makeBackupKeys()
    const theirs = await backUp(foreign.destination, { ...stranger.keys, set: keys.set })
    await destination.write(manifestOf(theirs.id), await readFile(join(foreign.path, manifestOf(theirs.id))))
    expect(await listBackups(destination, keys)).toMatchObject([
      { problem: expect.stringContaining('cannot be opened') },
      {},
      {},
    ])
    // What cannot be read is no reason to take anything away, nor to make none.
    const pruned = await pruneBackups(destination, keys, usualRetention, {
      now: time + 3 * dayMs,
      dryRun: false,
      graceMs: 0,
    })
    expect(pruned).toMatchObject({ freedBytes: 0 })
    await verifyBackup(destination, keys, (await backUp(destination)).id)
    await verifyBackup(destination, keys, second.id)
  })

  it('that ends at any step leaves the earlier ones whole, and what it left is swept', async () => {
    const { destination } = await makeFolder()
    const first = await backUp(destination)
    await write(`more ${time}`)
    for (let step = 0; ; step += 1) {
      const ended = await backUp(endingAt(destination, step)).then(
        () => false,
        (error: unknown) => String(error).includes('ended here'),
      )
      await verifyBackup(destination, keys, first.id)
      if (!ended) {
        expect(step).toBe(3)
        break
      }
      expect(await listBackups(destination, keys)).toMatchObject([{ id: first.id }])
    }
    const [second] = await listBackups(destination, keys)
    const packs = async () => (await namesIn(destination)).filter((name) => name.includes('/packs/')).length
    expect(await packs()).toBeGreaterThan(2)
    const prune = (now: number) =>
      pruneBackups(destination, keys, usualRetention, { now, proved: first.id, dryRun: false })
    expect(await prune(time)).toMatchObject({ freedBytes: 0 })
    expect((await prune(time + 2 * dayMs)).freedBytes).toBeGreaterThan(0)
    await verifyBackup(destination, keys, first.id)
    await verifyBackup(destination, keys, second?.id ?? '')
  })

  it('that finds a destination full gives back what it took there, unless it may have been made', async () => {
    const { destination } = await makeFolder()
    await backUp(destination)
    const before = await namesIn(destination)
    // More than a pack, so that one is stored before there is no more room.
    await sql`insert into notes values (${`large ${time}`}, ${randomBytes(10_000_000).toString('hex')})`.execute(
      database.tables(),
    )
    await write(`after ${time}`)
    const fullAt = (part: string, count: number): Destination => {
      let left = count
      const writeUntil: Destination['write'] = async (name, bytes) => {
        if (name.includes(part)) left -= 1
        if (left < 0) throw new DestinationFailure('full', 'The destination is full.')
        await destination.write(name, bytes)
      }
      return { ...destination, write: writeUntil }
    }
    await expect(backUp(fullAt('/packs/', 1))).rejects.toMatchObject({ kind: 'full' })
    expect(await namesIn(destination)).toEqual(before)
    await expect(backUp(fullAt('/manifests/', 0))).rejects.toMatchObject({ kind: 'full' })
    expect((await namesIn(destination)).length).toBeGreaterThan(before.length)
    await sql`delete from notes where id like 'large%'`.execute(database.tables())
  })

  it('that is taken away takes nothing that others need, and pruning that ends at any step does not either', async () => {
    const { destination } = await makeFolder()
    const ids: string[] = []
    for (const note of ['a', 'b', 'c', 'd']) {
      await write(`${note} ${time}`)
      ids.push((await backUp(destination)).id)
    }
    const [, second = '', third = '', fourth = ''] = ids
    const few = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }
    const options = { proved: second, dryRun: true }
    const told = await pruneBackups(destination, keys, few, { ...options, now: time })
    expect(told.backups.filter(({ reasons }) => reasons.length === 0)).toHaveLength(2)
    expect(await listBackups(destination, keys)).toHaveLength(4)
    for (let day = 0; day < 3; day += 1)
      for (let step = 1; step < 12; step += 1) {
        const now = time + day * 2 * dayMs
        await pruneBackups(endingAt(destination, step), keys, few, { now, proved: second, dryRun: false }).catch(
          (error: unknown) => expect(String(error)).toContain('ended here'),
        )
        await verifyBackup(destination, keys, second)
        await verifyBackup(destination, keys, fourth)
      }
    expect((await listBackups(destination, keys)).map(({ id }) => id)).toEqual([fourth, second])
    await deleteBackup(destination, keys, second)
    await expect(verifyBackup(destination, keys, third)).rejects.toMatchObject({ code: 'missing' })
    await verifyBackup(destination, keys, fourth)
  })

  it('was not made where the destination says that it stored the manifest or the keys, and did not', async () => {
    const options = { database: at, keys, instanceKey, appVersion: '1.0.0', now: () => (time += 60_000) }
    for (const lost of ['/manifests/', '/keys']) {
      const { destination } = await makeFolder()
      const lying: Destination = {
        ...destination,
        write: async (name, bytes) => {
          if (!name.includes(lost)) await destination.write(name, bytes)
        },
      }
      await expect(createBackup({ ...options, destination: lying })).rejects.toMatchObject({
        code: 'missing',
        message: expect.stringContaining('although it said so'),
      })
      expect(await listBackups(destination, keys)).toEqual([])
    }
  })

  it('is made on a thread and proved in a process, and a proof of what is damaged fails', async () => {
    const { path, destination } = await makeFolder()
    const options = { database: at, destination, keys, instanceKey, appVersion: '1.0.0', now: () => (time += 60_000) }
    const made = await createBackupInThread(options)
    const scratchFolder = join(path, '..', `scratch-${made.id}`)
    const prove = () => proveBackup({ destination, keys, instanceKey, migrations, sealed: [], scratchFolder })
    expect(await prove()).toMatchObject({ id: made.id, rows: made.rows })
    const pack = (await namesIn(destination)).find((name) => name.includes('/packs/')) ?? ''
    await destination.remove(pack)
    await expect(prove()).rejects.toMatchObject({ name: 'BackupFailure', code: 'missing' })
    await expect(createBackupInThread({ ...options, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    )
    // What was lost is noticed, and sent anew.
    await verifyBackup(destination, keys, (await createBackupInThread(options)).id)
  })
})

/** Does so many writes and removals, and nothing more: as if the process had ended there. */
const endingAt = (destination: Destination, step: number): Destination => {
  let left = step
  const count = (): void => {
    left -= 1
    if (left < 0) throw new Error('ended here')
  }
  return {
    read: (name) => destination.read(name),
    list: (prefix) => destination.list(prefix),
    write: async (name, bytes) => {
      count()
      await destination.write(name, bytes)
    },
    remove: async (name) => {
      count()
      await destination.remove(name)
    },
  }
}
