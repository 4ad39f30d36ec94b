import { expect, test } from 'vitest'
import { testClock } from '../../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../../testing/databases.ts'
import { createFiles } from '../../../platform/files/files.ts'
import { fileMigrations } from '../../../platform/files/tables.ts'
import { createSearchIndexes, searchMigrations } from '../../../platform/db/search/index.ts'
import { vaultMigrations } from '../../../platform/vault/tables.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { mediaMigrations, type MediaItemRow } from '../tables.ts'
import { createItemStore } from './items.ts'
import { createListing, type ItemFilter, placeOf } from './listing.ts'

const itemRow = (at: number, changes: Partial<MediaItemRow> = {}): MediaItemRow => ({
  id: `item-${String(at).padStart(3, '0')}`,
  account_id: 'ada',
  kind: at % 5 === 0 ? 'audio' : 'image',
  title: new Uint8Array(1),
  prompt: new Uint8Array(1),
  alt: new Uint8Array(1),
  options: new Uint8Array(1),
  metadata: new Uint8Array(1),
  model: null,
  plugin_id: null,
  mime_type: 'image/png',
  size_bytes: 1,
  width: 1,
  height: 1,
  duration_ms: null,
  favourite: 0,
  file_id: 'file',
  thumbnail_file_id: null,
  thumbnail_type: null,
  job_id: null,
  chat_id: null,
  created_at: at,
  updated_at: at,
  deleted_at: null,
  ...changes,
})

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...fileMigrations, ...searchMigrations, ...mediaMigrations])
  const clock = testClock()
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
  const files = createFiles({ database, vault, clock })
  const items = createItemStore({ database, files, indexes: createSearchIndexes({ database, vault }) })
  return { items, listing: createListing(database) }
}

onBothDatabases('a list of what holds words', (open) => {
  test('comes in the order of time, page by page, however many hold them and whenever they were put there', async () => {
    const { items, listing } = await begin(open)
    // The newest fifty hold another word. One is newer than those that came after it, one older than those before.
    const rows = [itemRow(500), ...[...Array(130).keys()].map((at) => itemRow(at)), itemRow(200, { created_at: -1 })]
    const holds = ({ created_at: at }: MediaItemRow) => at < 80 || at === 500
    for (const row of rows) await items.insert(row, { title: holds(row) ? 'Kites' : 'Boats', prompt: 'at sea' }, [])
    const renamed = rows.find(({ created_at: at }) => at === 5) ?? itemRow(5)
    await items.change(renamed, { favourite: 1 }, { title: 'Kites again', prompt: 'at sea' })

    const page = async (limit: number, only: Partial<ItemFilter> = {}) => {
      const matching = await items.matching({ account_id: 'ada', deleted_at: null }, 'kite')
      const filter = { accountId: 'ada', among: { matching, albumIds: [] }, ...only }
      const found: MediaItemRow[] = []
      for (;;) {
        const last = found.at(-1)
        const some = await listing.list(filter, last ? placeOf(last) : null, limit)
        found.push(...some)
        if (some.length < limit) return found.map(({ id }) => id)
      }
    }
    const held = rows.filter(holds).toSorted((a, b) => b.created_at - a.created_at)
    const idsOf = (some: readonly MediaItemRow[]) => some.map(({ id }) => id)
    // Of two at a time forty are tried first, of four at a time eighty.
    expect(await page(2)).toEqual(idsOf(held))
    expect(await page(4)).toEqual(idsOf(held))
    expect(await page(100)).toEqual(idsOf(held))
    expect(await page(3, { kind: 'audio' })).toEqual(idsOf(held.filter(({ kind }) => kind === 'audio')))
    expect(await page(3, { favourite: true })).toEqual([renamed.id])
    expect(await page(4, { oldestFirst: true })).toEqual(idsOf(held.toReversed()))
  })
})
