/**
 * What was taken away between the moment of a backup and now does not come back with it: the newest backup at the same
 * place that can be read tells what was there last. Accounts that are gone are disabled and not removed, because bringing
 * one back may be what the restore is for; ways into an account, memberships and shares are removed.
 */
import { type RawBuilder, type Transaction, sql } from 'kysely'
import type { BackupKeys, Manifest } from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import type { Database } from '../../platform/db/index.ts'
import { revokeMembers } from './channel-members.ts'
import { findLaterState, hasColumns, type LaterState, type UnreadableBackup } from './later-state.ts'
import {
  keyOf,
  noneRevoked,
  type RevocableTable,
  revocableTables,
  type RevokedKind,
  type Row,
  toValue,
} from './revocable.ts'

/** How much of each kind was taken away again. */
export interface RevokedAgain extends Readonly<Record<RevokedKind, number>> {
  /** The backup that told. */
  readonly toldBy: string
  /** Newer ones, which could not be read: what was revoked after `toldBy` is there again. */
  readonly unreadable: readonly UnreadableBackup[]
  readonly accounts: number
  readonly administrators: number
  /** Accounts whose password was changed since; the one of then is valid again. */
  readonly passwords: number
  /** Accounts whose one-time codes were set up anew or removed since; those of then are asked for again. */
  readonly oneTimeCodes: number
  /** Names of settings that were changed since; they are as they were then. */
  readonly settings: readonly string[]
}

/** `unknown`: there are newer backups, and none of them can be read; `none`: this is the newest. */
export type Revocations =
  | { readonly state: 'applied'; readonly revoked: RevokedAgain }
  | { readonly state: 'none' }
  | { readonly state: 'unknown'; readonly reason: string }

/** Throws what the target throws; newer backups that cannot be read are an answer. */
export const revokeAgain = async (
  { from, keys, manifest }: { readonly from: Destination; readonly keys: BackupKeys; readonly manifest: Manifest },
  database: Database,
  now: number,
): Promise<Revocations> => {
  const { later, unreadable } = await findLaterState(from, keys, manifest)
  if (later === null) {
    const [newest] = unreadable
    return newest ? { state: 'unknown', reason: newest.reason } : { state: 'none' }
  }
  // A table that came with a later version holds nothing of then.
  const isThere = (table: string, columns: readonly string[] = []) => hasColumns(manifest, table, columns)
  return await database.write<unknown, Revocations>(async (trx) => {
    const counts = { ...noneRevoked }
    const accounts = await revokeAccounts(trx, later, now)
    for (const revocable of revocableTables)
      if (isThere(revocable.table, [...revocable.key, ...(revocable.columns ?? [])]))
        for (const kind of await revokeRows(trx, revocable, later, now)) counts[kind] += 1
    if (isThere('channel_members')) counts.channelMemberships += await revokeMembers(trx, later, isThere)
    if (isThere('automation_watches'))
      await sql`delete from automation_watches where automation_id in
        (select id from automations where status = 'paused')`.execute(trx)
    const oneTimeCodes = isThere('second_factors') ? await countChangedCodes(trx, later) : 0
    const settings = await listChangedSettings(trx, later)
    return {
      state: 'applied',
      revoked: { toldBy: later.id, unreadable, ...accounts, ...counts, oneTimeCodes, settings },
    }
  })
}

type Trx = Transaction<unknown>

/** Gives the kind of each row that was removed or changed. */
const revokeRows = async (
  trx: Trx,
  { table, key, columns = [], parent, becomes, kind }: RevocableTable,
  later: LaterState,
  now: number,
): Promise<RevokedKind[]> => {
  const known = later.rows.get(table)
  const parents = parent && later.rows.get(parent.table)
  if (!known || (parent && !parents)) return []
  const kinds: RevokedKind[] = []
  const gone: Row[] = []
  for (const row of await readRows(trx, table, [...key, ...columns])) {
    const last = known.get(keyOf(key, row)) ?? null
    if (last === null && parent && !parents?.has(JSON.stringify([row[parent.column]]))) continue
    const change = becomes(row, last, now)
    if (change !== 'remove' && Object.entries(change).every(([column, value]) => row[column] === value)) continue
    kinds.push(kind(change))
    if (change === 'remove') gone.push(row)
    else await setValues(trx, table, isRow(key, row), change)
  }
  await inParts(gone, (some) => {
    const matches = some.map((row) => sql`(${isRow(key, row)})`)
    return sql`delete from ${sql.table(table)} where ${sql.join(matches, sql` or `)}`.execute(trx)
  })
  return kinds
}

const readRows = async (trx: Trx, table: string, columns: readonly string[]): Promise<Row[]> => {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<Record<string, unknown>>`select ${list} from ${sql.table(table)}`.execute(trx)
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, toValue(row[column])])))
}

const setValues = async (trx: Trx, table: string, where: RawBuilder<unknown>, values: Row): Promise<void> => {
  const parts = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update ${sql.table(table)} set ${sql.join(parts)} where ${where}`.execute(trx)
}

const isRow = (key: readonly string[], row: Row): RawBuilder<unknown> =>
  sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  )

const revokeAccounts = async (
  trx: Trx,
  { rows: tables }: LaterState,
  now: number,
): Promise<Pick<RevokedAgain, 'accounts' | 'administrators' | 'passwords'>> => {
  const known = tables.get('accounts')
  const rows = (await readRows(trx, 'accounts', ['id', 'status', 'role', 'credential'])).map((then) => ({
    id: String(then['id']),
    then,
    last: known?.get(keyOf(['id'], then)),
  }))
  const isOut = (last: Row | undefined): boolean => (last?.['status'] ?? 'disabled') === 'disabled'
  const isAdmin = (row: Row | undefined): boolean => row?.['role'] === 'admin'
  // Somebody has to be able to let the others in.
  const staysAdministered = rows.some(
    ({ then, last }) => isAdmin(then) && then['status'] === 'active' && !isOut(last) && isAdmin(last),
  )
  const out = rows.filter(
    ({ then, last }) => then['status'] !== 'disabled' && isOut(last) && (staysAdministered || !isAdmin(then)),
  )
  const lowered = staysAdministered ? rows.filter(({ then, last }) => isAdmin(then) && last?.['role'] === 'user') : []
  await inParts(idsOf(out), (ids) =>
    sql`update accounts set status = 'disabled', updated_at = ${now} where id in (${sql.join(ids)})`.execute(trx),
  )
  await inParts(idsOf(lowered), (ids) =>
    sql`update accounts set role = 'user', updated_at = ${now} where id in (${sql.join(ids)})`.execute(trx),
  )
  const passwords = rows.filter(({ then, last }) => last && last['credential'] !== then['credential']).length
  return { accounts: out.length, administrators: lowered.length, passwords }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

const countChangedCodes = async (trx: Trx, { rows: tables }: LaterState): Promise<number> => {
  const known = tables.get('second_factors')
  if (!known) return 0
  const active = (await readRows(trx, 'second_factors', ['account_id', 'secret'])).filter(
    ({ secret }) => secret !== null,
  )
  return active.filter((row) => known.get(keyOf(['account_id'], row))?.['secret'] !== row['secret']).length
}

/** Documents that the server keeps for itself, and does not read as wishes of anybody. */
const ownDocuments = [
  'alerts',
  'backup-keys',
  'backup-state',
  'encryption-key-revealed',
  'own-origins',
  'pause',
  'push-keys',
  'recovery-drills',
]

const listChangedSettings = async (trx: Trx, { rows: tables }: LaterState): Promise<string[]> => {
  const known = tables.get('instance_settings')
  if (!known) return []
  const then = new Map(
    (await readRows(trx, 'instance_settings', ['name', 'updated_at'])).map((row) => [keyOf(['name'], row), row]),
  )
  const changed = [...new Set([...then.keys(), ...known.keys()])].filter(
    (key) => then.get(key)?.['updated_at'] !== known.get(key)?.['updated_at'],
  )
  return changed
    .map((key) => String((JSON.parse(key) as unknown[])[0]))
    .filter((name) => !ownDocuments.includes(name))
    .toSorted()
}

/** A statement takes only so many values. */
const inParts = async <T>(all: readonly T[], run: (some: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < all.length; at += 400) await run(all.slice(at, at + 400))
}
