import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import type { Database } from '../db/types.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createFiles, type Files } from './files.ts'
import type { StorageLimits } from './quota.ts'
import { type FileTables, fileMigrations } from './tables.ts'

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...fileMigrations])
  return { database, ...(await filesOn(database)) }
}
const filesOn = async (database: Database, limits?: StorageLimits) => {
  const clock = testClock()
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
  return { files: createFiles({ database, vault, clock, ...(limits && { limits }) }), clock }
}
/** Of ada's file. */
const partOf = async (files: Files, id: string, start?: number, end?: number): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync((await files.open('ada', id))?.read(start, end) ?? []))
const limitsOf = (quota: number, free: number | null = null, keptFreeBytes = 0): StorageLimits => ({
  quotaBytes: async () => quota,
  freeBytes: async () => free,
  keptFreeBytes,
})

onBothDatabases('files', (open) => {
  test.each([0, 1, 256 * 1024 - 64, 256 * 1024 - 63, 3_000_000])(
    'give back the %i bytes they were given',
    async (length) => {
      const { files } = await begin(open)
      const bytes = new Uint8Array(randomBytes(length))
      const id = await files.save('ada', bytes)
      expect(Buffer.compare((await files.read('ada', id)) ?? randomBytes(3), bytes)).toBe(0)
      expect(await files.size('ada')).toBe(length)
    },
  )

  test('give back any part of their bytes', async () => {
    const { files } = await begin(open)
    const bytes = new Uint8Array(randomBytes(600_000))
    const id = await files.save('ada', bytes)
    const piece = 256 * 1024 - 64
    for (const [start, end] of [
      [0, 1],
      [5, 700_000],
      [piece - 1, piece + 1],
      [piece, 2 * piece],
      [599_999, 600_000],
      [600_000, 600_000],
      [700_000, 800_000],
    ] as const) {
      const part = await partOf(files, id, start, end)
      expect(Buffer.compare(part, bytes.subarray(start, end)), `${start} to ${end}`).toBe(0)
    }
    expect(await files.open('bob', id)).toBe(null)
  })

  test('are given to their own account only', async () => {
    const { files } = await begin(open)
    const id = await files.save('ada', Buffer.from('mine'))
    const shared = await files.save(null, Buffer.from('of the instance'))
    expect(await files.read('bob', id)).toBe(null)
    expect(await files.read(null, id)).toBe(null)
    expect(await files.read('ada', shared)).toBe(null)
    expect(Buffer.from((await files.read(null, shared)) ?? []).toString()).toBe('of the instance')
  })

  test('leave nothing behind when they are removed, alone or with their account', async () => {
    const { files, database } = await begin(open)
    const gone = await files.save('ada', randomBytes(600_000))
    const kept = await files.save('bob', Buffer.from('kept'))
    await files.save('ada', Buffer.from('with the account'))
    await files.remove([gone])
    expect(await files.read('ada', gone)).toBe(null)
    await database.write((trx) => files.removeAccount('ada', trx))
    const chunks = await database.tables<FileTables>().selectFrom('file_chunks').select('file_id').execute()
    expect(chunks.map((chunk) => chunk.file_id)).toEqual([kept])
  })

  test('are sealed in pieces that cannot be read, reordered or cut off unseen', async () => {
    const { files, database } = await begin(open)
    const bytes = Buffer.alloc(700_000, 'planted-word ')
    const id = await files.save('ada', bytes)
    const tables = database.tables<FileTables>()
    const rows = await tables.selectFrom('file_chunks').selectAll().orderBy('number').execute()
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row.content.byteLength).toBeLessThanOrEqual(256 * 1024)
      expect(Buffer.from(row.content).includes('planted')).toBe(false)
    }
    const [first, second] = rows
    if (!first || !second) throw new Error('There are no chunks.')
    await tables.updateTable('file_chunks').set({ content: second.content }).where('number', '=', 0).execute()
    await expect(files.read('ada', id)).rejects.toMatchObject({ kind: 'damaged' })
    await tables.updateTable('file_chunks').set({ content: first.content }).where('number', '=', 0).execute()
    await tables
      .updateTable('files')
      .set({ chunks: 2, size: 2 * (256 * 1024 - 64) })
      .where('id', '=', id)
      .execute()
    await expect(files.read('ada', id)).rejects.toMatchObject({ kind: 'damaged' })
  })

  test('that were only half written are not there, and are swept', async () => {
    const { database } = await begin(open)
    const { files, clock } = await filesOn(database)
    const row = {
      id: 'half',
      account_id: 'ada',
      size: 5,
      chunks: 1,
      complete: 0,
      created_at: clock.now(),
      counted: 1,
      streamed: 0,
      held: 0,
    }
    await database.tables<FileTables>().insertInto('files').values(row).execute()
    expect(await files.read('ada', 'half')).toBe(null)
    await files.sweep(clock.now())
    expect(await database.tables<FileTables>().selectFrom('files').select('id').execute()).toHaveLength(1)
    await files.sweep(clock.now() + 1)
    expect(await database.tables<FileTables>().selectFrom('files').select('id').execute()).toHaveLength(0)
  })

  test('are refused past the quota of their account, with both figures and before anything is stored', async () => {
    const { database } = await begin(open)
    const { files } = await filesOn(database, limitsOf(1000))
    const first = await files.save('ada', new Uint8Array(600))
    await expect(files.save('ada', new Uint8Array(401))).rejects.toMatchObject({
      code: 'quota_full',
      message: expect.stringMatching(/600 bytes of 1\.0 kB.*401 bytes/),
    })
    expect(await files.count('ada')).toBe(1)
    await files.save('ada', new Uint8Array(400))
    expect(await files.used('ada')).toBe(1000)
    // Of another account, and of the instance, nothing is counted against it.
    await files.save('bob', new Uint8Array(900))
    await files.save(null, new Uint8Array(5000))
    await files.save('ada', new Uint8Array(5000), { uncounted: true })
    expect(await files.used('ada')).toBe(1000)
    expect(await files.largestAccounts(1)).toEqual([{ accountId: 'ada', bytes: 1000 }])
    expect(await files.usedBy(['ada', 'eve'])).toEqual(new Map([['ada', 1000]]))
    await files.remove([first])
    await files.save('ada', new Uint8Array(600))
  })

  test('never go past the quota together, however many are saved at the same time', async () => {
    const { database } = await begin(open)
    const { files } = await filesOn(database, limitsOf(1000))
    const saved = await Promise.allSettled(Array.from({ length: 8 }, () => files.save('ada', new Uint8Array(300))))
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await files.used('ada')).toBe(900)
  })

  test('leave no room for what other tables keep, and the other way round, until it is removed', async () => {
    const { database } = await begin(open)
    const { files, clock } = await filesOn(database, limitsOf(1000))
    const hold = async (bytes: number, id = 'page') => {
      const take = await files.prepareHold()
      await database.write((trx) => take(trx, { id, accountId: 'ada', bytes }))
    }
    await hold(300)
    await hold(700)
    await hold(600)
    expect([await files.used('ada'), await files.count('ada'), await files.size('ada')]).toEqual([600, 0, 0])
    expect(await files.read('ada', 'page')).toBe(null)
    await expect(files.save('ada', new Uint8Array(401))).rejects.toMatchObject({ code: 'quota_full' })
    await files.save('ada', new Uint8Array(400))
    await expect(hold(601)).rejects.toMatchObject({ code: 'quota_full' })
    await expect(hold(1, 'another')).rejects.toMatchObject({ code: 'quota_full' })
    await hold(500)
    await files.sweep(clock.now() + 1)
    expect(await files.used('ada')).toBe(900)
    await files.remove(['page'])
    expect(await files.used('ada')).toBe(400)
  })

  test('are refused before the disk is full, and not where nobody can tell', async () => {
    const { database } = await begin(open)
    const { files: tight } = await filesOn(database, limitsOf(0, 1500, 1000))
    await expect(tight.save('ada', new Uint8Array(501))).rejects.toMatchObject({ code: 'storage_full' })
    await expect(tight.save(null, new Uint8Array(501))).rejects.toMatchObject({ code: 'storage_full' })
    expect(await tight.count('ada')).toBe(0)
    await tight.save('ada', new Uint8Array(500))
    const { files: blind } = await filesOn(database, limitsOf(0, null, 1000))
    await blind.save('ada', new Uint8Array(5000))
  })
})
