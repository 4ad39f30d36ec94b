/** Memory of buffers: given back at once, and never that of others. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CellRow } from '../db/copy/index.ts'
import type { Destination } from './destinations/destination.ts'
import { deriveBackupKeys, makeBackupKeys } from './keys.ts'
import { freeBehind, freeMemory } from '../memory.ts'
import { createPackWriter } from './packs.ts'
import { digestTable, storeTable } from './tables.ts'

test('bytes that have their memory for themselves are empty afterwards, those that share it stay', () => {
  const own = new Uint8Array(100_000)
  const whole = new Uint8Array(100_000)
  const part = whole.subarray(0, 50_000)
  const pooled = Buffer.from('a few words')
  for (const bytes of [own, part, pooled]) freeMemory(bytes)
  expect([own.byteLength, part.byteLength, pooled.toString()]).toEqual([0, 50_000, 'a few words'])
  for (const bytes of [part, pooled]) freeBehind(bytes)
  expect([whole.byteLength, part.byteLength, pooled.toString()]).toEqual([0, 0, 'a few words'])
})

test('a backup holds no large cell, no chunk and no pack any longer than it needs it', async () => {
  const { keys } = await makeBackupKeys()
  const written: Uint8Array[] = []
  const destination = { write: async (_name: string, bytes: Uint8Array) => void written.push(bytes) } as Destination
  const writer = createPackWriter({ destination, set: keys.set, ...deriveBackupKeys(keys) })
  const chunks: Uint8Array[] = []
  const watched = {
    ...writer,
    add: async (name: string, content: Uint8Array, items: number) => {
      chunks.push(content)
      return await writer.add(name, content, items)
    },
  }
  const table = { name: 'files', columns: [{ name: 'content', type: 'bytes' as const }], key: [] }
  const rows = (): CellRow[] => Array.from({ length: 40 }, () => [new Uint8Array(randomBytes(256 * 1024))])
  const large = rows()
  const { names } = deriveBackupKeys(keys)
  const stored = await storeTable(table, asPages(large), new Map(), {
    names,
    writer: watched,
    lists: writer,
    told: () => undefined,
  })
  await writer.finish()
  const isEmpty = (bytes: unknown) => (bytes as Uint8Array).byteLength === 0
  expect(large.every(([cell]) => isEmpty(cell))).toBe(true)
  expect(chunks.filter((chunk) => !isEmpty(chunk)).every(({ byteLength }) => byteLength < 64 * 1024)).toBe(true)
  expect(stored.table.rows).toBe(40)
  expect(written.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeGreaterThan(10_000_000)

  const compared = rows()
  await digestTable(table, asPages(compared))
  expect(compared.every(([cell]) => isEmpty(cell))).toBe(true)
})

async function* asPages(rows: readonly CellRow[]): AsyncGenerator<readonly CellRow[]> {
  for (const row of rows) yield [row]
}
