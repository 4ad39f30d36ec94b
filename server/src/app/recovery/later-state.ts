/** What was there last, as far as it tells what was taken away since an earlier backup. */
import {
  BackupFailure,
  type BackupKeys,
  listNewerBackups,
  type Manifest,
  readBackup,
  readColumns,
} from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { keyOf, revocableTables, type Row, toRow } from './revocable.ts'

export interface LaterState {
  /** The backup that tells. */
  readonly id: string
  /** By table, then by key. A table that this backup doesn't have is not in it: nothing is known of it. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Row>>
}

/** A younger backup that could not be read, and why. */
export interface UnreadableBackup {
  readonly id: string
  readonly reason: string
}

/** What is looked at besides `revocableTables`. */
const furtherTables = [
  { table: 'accounts', key: ['id'], columns: ['status', 'role', 'credential'] },
  { table: 'second_factors', key: ['account_id'], columns: ['secret'] },
  { table: 'channel_members', key: ['channel_id', 'account_id'], columns: ['role'] },
  { table: 'instance_settings', key: ['name'], columns: ['updated_at'] },
] as const

/**
 * Of the newest backup that is younger than `than` and can be read; null where there is none. `unreadable`: those that are
 * newer than it.
 */
export const findLaterState = async (
  from: Destination,
  keys: BackupKeys,
  than: Manifest,
): Promise<{ later: LaterState | null; unreadable: readonly UnreadableBackup[] }> => {
  const unreadable: UnreadableBackup[] = []
  for (const id of await listNewerBackups(from, keys, than))
    try {
      return { later: await readLaterState(from, keys, await readBackup(from, keys, id)), unreadable }
    } catch (error) {
      if (!(error instanceof BackupFailure)) throw error
      unreadable.push({ id, reason: error.message })
    }
  return { later: null, unreadable }
}

const readLaterState = async (from: Destination, keys: BackupKeys, manifest: Manifest): Promise<LaterState> => {
  const rows = new Map<string, ReadonlyMap<string, Row>>()
  const parents = revocableTables.flatMap(({ parent }) =>
    parent ? [{ table: parent.table, key: ['id'], columns: [] }] : [],
  )
  for (const { table, key, columns = [] } of [...furtherTables, ...revocableTables, ...parents]) {
    const all = [...key, ...columns]
    // A version from before them made this backup.
    if (!hasColumns(manifest, table, all)) continue
    const found = new Map<string, Row>()
    for await (const cells of readColumns(from, keys, manifest, table, all)) {
      const row = toRow(all, cells)
      found.set(keyOf(key, row), row)
    }
    rows.set(table, found)
  }
  return { id: manifest.id, rows }
}

/** Whether a backup has them: it may be from a version before. */
export const hasColumns = ({ tables }: Manifest, table: string, columns: readonly string[]): boolean => {
  const stored = tables.find(({ name }) => name === table)
  return stored !== undefined && columns.every((column) => stored.columns.some(({ name }) => name === column))
}
