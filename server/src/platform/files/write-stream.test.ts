import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import type { Database } from '../db/types.ts'
import { readSealedRows } from '../vault/sealed-rows.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createFiles, type Files } from './files.ts'
import type { StorageLimits } from './quota.ts'
import { fileMigrations, fileSealed, type FileTables } from './tables.ts'

const chunk = 256 * 1024 - 64
const mostBytes = 50_000_000

const begin = async (open: Open, limits?: StorageLimits) => {
  const database = await open([...vaultMigrations, ...fileMigrations])
  const clock = testClock()
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
  return { database, vault, clock, files: createFiles({ database, vault, clock, ...(limits && { limits }) }) }
}
const quotaOf = (quota: number, free: number | null = null, keptFreeBytes = 0): StorageLimits => ({
  quotaBytes: async () => quota,
  freeBytes: async () => free,
  keptFreeBytes,
})

async function* cut(bytes: Uint8Array, pieceBytes: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
const saveStream = async (files: Files, bytes: Uint8Array, pieceBytes = 64 * 1024): Promise<string> =>
  (await files.saveStream('ada', cut(bytes, pieceBytes), { maxBytes: mostBytes })).id
const rowsIn = async (database: Database): Promise<number> =>
  (await database.tables<FileTables>().selectFrom('files').select('id').execute()).length +
  (await database.tables<FileTables>().selectFrom('file_chunks').select('file_id').execute()).length

onBothDatabases('files that are written as they arrive', (open) => {
  test.each([0, 1, chunk - 1, chunk, chunk + 1, 4 * chunk, 5 * chunk, 9 * chunk + 7])(
    'give back the %i bytes that came, whatever the pieces were',
    async (length) => {
      const { files } = await begin(open)
      const bytes = new Uint8Array(randomBytes(length))
      for (const pieceBytes of [4099, chunk, 3_000_000]) {
        const { id, size } = await files.saveStream('ada', cut(bytes, pieceBytes), { maxBytes: length })
        expect(size).toBe(length)
        expect(Buffer.compare((await files.read('ada', id)) ?? randomBytes(3), bytes)).toBe(0)
        expect((await files.open('ada', id))?.size).toBe(length)
      }
      expect(await files.size('ada')).toBe(3 * length)
      expect(await files.open('bob', 'x')).toBe(null)
    },
  )

  test('give back any range of their bytes', async () => {
    const { files } = await begin(open)
    const bytes = new Uint8Array(randomBytes(3 * chunk + 1234))
    const file = await files.open('ada', await saveStream(files, bytes))
    const place = fc.oneof(fc.nat(bytes.length + 10), fc.constantFrom(0, chunk - 1, chunk, chunk + 1, 3 * chunk))
    await fc.assert(
      fc.asyncProperty(place, place, async (start, end) => {
        const given = Buffer.concat(await Array.fromAsync(file?.read(start, end) ?? []))
        expect(Buffer.compare(given, bytes.subarray(start, Math.max(start, end)))).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  test('open only the chunks of a range, one when it is asked for', async () => {
    const { files, database } = await begin(open)
    const id = await saveStream(files, randomBytes(6 * chunk))
    await database.tables<FileTables>().deleteFrom('file_chunks').where('number', 'in', [0, 1, 5]).execute()
    const file = await files.open('ada', id)
    const pieces = await Array.fromAsync(file?.read(2 * chunk + 5, 5 * chunk) ?? [])
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual([chunk - 5, chunk, chunk])
    const reading = file?.read(4 * chunk)[Symbol.asyncIterator]()
    expect((await reading?.next())?.value?.byteLength).toBe(chunk)
    await expect(reading?.next()).rejects.toMatchObject({ code: 'route_not_found' })
  })

  test('are opened by whoever goes through all sealed values, finished or not', async () => {
    const { files, database, vault } = await begin(open)
    const [column] = fileSealed
    if (!column) throw new Error('Nothing is sealed.')
    const openAll = async (): Promise<number> => {
      const keyring = await vault.keyring('ada')
      let count = 0
      for await (const rows of readSealedRows(database, column))
        for (const { row, sealed } of rows)
          count += (await keyring.openBytes('file_chunks.content', row, sealed)).byteLength > 0 ? 1 : 0
      return count
    }
    await saveStream(files, randomBytes(2 * chunk + 1))
    await files.save('ada', randomBytes(2 * chunk))
    expect(await openAll()).toBe(5)
    const seen = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const writing = files.saveStream(
      'ada',
      (async function* () {
        yield randomBytes(5 * chunk + 1)
        seen.resolve()
        await goOn.promise
      })(),
      { maxBytes: mostBytes },
    )
    await seen.promise
    await expect.poll(openAll).toBe(9)
    goOn.resolve()
    await writing
    expect(await openAll()).toBe(11)
  })

  test('cannot be cut short, lengthened or reordered unseen', async () => {
    const { files, database } = await begin(open)
    const id = await saveStream(files, randomBytes(3 * chunk))
    const tables = database.tables<FileTables>()
    const set = (values: { chunks: number; size: number; streamed?: number }) =>
      tables.updateTable('files').set(values).where('id', '=', id).execute()
    const whole = { chunks: 3, size: 3 * chunk }
    for (const changed of [
      { chunks: 2, size: 2 * chunk },
      { chunks: 1, size: chunk },
      { ...whole, streamed: 0 },
    ]) {
      await set(changed)
      await expect(files.read('ada', id), JSON.stringify(changed)).rejects.toMatchObject({ kind: 'damaged' })
      await set({ ...whole, streamed: 1 })
    }
    await set({ chunks: 4, size: 4 * chunk })
    await expect(files.read('ada', id)).rejects.toMatchObject({ kind: 'damaged' })
    await set(whole)
    expect((await files.read('ada', id))?.byteLength).toBe(3 * chunk)
  })

  test('leave nothing behind when they are too large, fail, or are given up', async () => {
    const { files, database } = await begin(open)
    const write = (pieces: AsyncIterable<Uint8Array>, signal?: AbortSignal) =>
      files.saveStream('ada', pieces, { maxBytes: 6 * chunk, ...(signal && { signal }) })
    await expect(write(cut(new Uint8Array(6 * chunk + 1), 65_536))).rejects.toMatchObject({ code: 'too_large' })
    expect(await rowsIn(database)).toBe(0)

    const broken = (async function* () {
      yield new Uint8Array(5 * chunk + 1)
      throw new Error('the connection broke')
    })()
    await expect(write(broken)).rejects.toThrow('the connection broke')
    expect(await rowsIn(database)).toBe(0)

    // A source that brings nothing more, and never ends by itself.
    const giveUp = new AbortController()
    const hangs = (async function* () {
      yield new Uint8Array(5 * chunk + 1)
      giveUp.abort(new Error('given up'))
      await new Promise(() => undefined)
    })()
    await expect(write(hangs, giveUp.signal)).rejects.toThrow('given up')
    await expect(write(cut(new Uint8Array(9), 9), giveUp.signal)).rejects.toThrow('given up')
    expect(await rowsIn(database)).toBe(0)
  })

  test('are not there while they are written, and not afterwards when they were removed or swept meanwhile', async () => {
    const { files, database, clock } = await begin(open)
    const writeAnd = (length: number, then: () => Promise<void>) =>
      files.saveStream(
        'ada',
        (async function* () {
          yield new Uint8Array(length)
          await then()
        })(),
        { maxBytes: mostBytes },
      )
    await expect(writeAnd(5 * chunk, () => files.sweep(clock.now() + 1))).rejects.toThrow()
    await expect(writeAnd(0, () => files.removeAccount('ada'))).rejects.toThrow('was removed')
    expect(await rowsIn(database)).toBe(0)
    await writeAnd(5 * chunk, async () => {
      const row = await database.tables<FileTables>().selectFrom('files').select('id').executeTakeFirstOrThrow()
      expect(await files.open('ada', row.id)).toBe(null)
    })
  })

  test('take their place in the quota as they grow, and no more than they need', async () => {
    const { files, database } = await begin(open, quotaOf(6 * chunk))
    expect(await saveStream(files, new Uint8Array(5 * chunk))).toBeTruthy()
    expect(await files.used('ada')).toBe(5 * chunk)
    await expect(saveStream(files, new Uint8Array(chunk + 1))).rejects.toMatchObject({ code: 'quota_full' })
    expect(await files.used('ada')).toBe(5 * chunk)
    await saveStream(files, new Uint8Array(chunk))
    await files.saveStream('ada', cut(new Uint8Array(9), 9), { maxBytes: 9, uncounted: true })
    expect(await files.used('ada')).toBe(6 * chunk)
    expect(await rowsIn(database)).toBe(3 + 5 + 1 + 1)
  })

  test('are refused before the disk is full', async () => {
    const { files, database } = await begin(open, quotaOf(0, 3 * chunk, chunk))
    await expect(saveStream(files, new Uint8Array(4 * chunk + 1))).rejects.toMatchObject({ code: 'storage_full' })
    expect(await rowsIn(database)).toBe(0)
  })

  test('never go past the quota together, however many come at the same time', async () => {
    const { files } = await begin(open, quotaOf(10 * chunk))
    const saved = await Promise.allSettled(
      Array.from({ length: 6 }, () => saveStream(files, new Uint8Array(3 * chunk))),
    )
    expect(saved.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(await files.used('ada')).toBeLessThanOrEqual(10 * chunk)
  })

  test('keep what differs apart: the same bytes twice are two files, sealed differently', async () => {
    const { files, database } = await begin(open)
    const bytes = randomBytes(1000)
    await saveStream(files, bytes)
    await saveStream(files, bytes)
    const rows = await database.tables<FileTables>().selectFrom('file_chunks').select('content').execute()
    expect(new Set(rows.map(({ content }) => createHash('sha256').update(content).digest('hex'))).size).toBe(2)
  })
})
