/**
 * What was taken away between the moment of a backup and now does not come back with it: the newest backup at the same
 * place tells what was there last. Accounts that are gone are disabled and not removed, because bringing one back may be
 * what the restore is for; ways into an account, memberships and shares are removed.
 */
import { type RawBuilder, type Transaction, sql } from 'kysely'
import {
  type BackupKeys,
  BackupFailure,
  type Manifest,
  readColumns,
  readNewerManifest,
} from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import type { Database } from '../../platform/db/index.ts'

/** How much of each kind was taken away again. */
export interface RevokedAgain {
  /** The backup that told. */
  readonly toldBy: string
  readonly accounts: number
  readonly administrators: number
  readonly tokens: number
  readonly shares: number
  readonly memberships: number
  readonly signInMethods: number
  /** Accounts whose password was changed since; the one of then is valid again. */
  readonly passwords: number
}

/** `unknown`: there is a newer backup, and it cannot be read; `none`: this is the newest. */
export type Revocations =
  | { readonly state: 'applied'; readonly revoked: RevokedAgain }
  | { readonly state: 'none' }
  | { readonly state: 'unknown'; readonly reason: string }

/** Rows that are there no more are removed; `key` names a row. */
const removable = {
  tokens: [{ table: 'scim_tokens', key: ['id'] }],
  shares: [
    { table: 'access_grants', key: ['id'] },
    { table: 'chat_links', key: ['id'] },
    { table: 'artifact_links', key: ['id'] },
  ],
  memberships: [{ table: 'account_group_members', key: ['group_id', 'account_id'] }],
  signInMethods: [
    { table: 'passkeys', key: ['id'] },
    { table: 'identities', key: ['id'] },
  ],
} as const
const accountColumns = ['id', 'status', 'role', 'credential'] as const

/** Throws what the target throws; a newer backup that cannot be read is an answer. */
export const revokeAgain = async (
  { from, keys, manifest }: { readonly from: Destination; readonly keys: BackupKeys; readonly manifest: Manifest },
  database: Database,
  now: number,
): Promise<Revocations> => {
  let later: LaterState
  let newest: Manifest | null
  try {
    newest = await readNewerManifest(from, keys, manifest)
    if (newest === null) return { state: 'none' }
    later = await readLaterState(from, keys, newest)
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error
    return { state: 'unknown', reason: error.message }
  }
  const toldBy = newest.id
  // A table that came with a later version holds nothing of then.
  const present = new Set((await database.tables<unknown>().introspection.getTables()).map(({ name }) => name))
  return await database.write<unknown, Revocations>(async (trx) => {
    const removeGone = (kind: keyof typeof removable) =>
      removeRows(
        trx,
        removable[kind].filter(({ table }) => present.has(table) && later.keys.has(table)),
        later.keys,
      )
    const accounts = await revokeAccounts(trx, later.accounts, now)
    const tokens = (await revokeTokens(trx, later.tokens, now)) + (await removeGone('tokens'))
    const shares = await removeGone('shares')
    const memberships = await removeGone('memberships')
    const signInMethods = await removeGone('signInMethods')
    return { state: 'applied', revoked: { toldBy, ...accounts, tokens, shares, memberships, signInMethods } }
  })
}

interface LaterAccount {
  readonly status: string
  readonly role: string
  readonly credential: string
}
interface LaterState {
  readonly accounts: ReadonlyMap<string, LaterAccount>
  /** By their ids: whether they were revoked. */
  readonly tokens: ReadonlyMap<string, boolean>
  /** Keys of rows, by table. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>
}

const readLaterState = async (from: Destination, keys: BackupKeys, newest: Manifest): Promise<LaterState> => {
  const accounts = new Map<string, LaterAccount>()
  for await (const [id, status, role, credential] of readColumns(from, keys, newest, 'accounts', accountColumns))
    accounts.set(String(id), { status: String(status), role: String(role), credential: digestOf(credential) })
  const tokens = new Map<string, boolean>()
  for await (const [id, revokedAt] of readColumns(from, keys, newest, 'api_tokens', ['id', 'revoked_at']))
    tokens.set(String(id), revokedAt !== null)
  const rows = new Map<string, Set<string>>()
  for (const { table, key } of Object.values(removable).flat()) {
    // A version from before it made the later backup: nothing is known of it.
    if (!newest.tables.some(({ name }) => name === table)) continue
    const found = new Set<string>()
    for await (const cells of readColumns(from, keys, newest, table, key)) found.add(keyOf(cells))
    rows.set(table, found)
  }
  return { accounts, tokens, keys: rows }
}

type Trx = Transaction<unknown>

const revokeAccounts = async (
  trx: Trx,
  later: LaterState['accounts'],
  now: number,
): Promise<Pick<RevokedAgain, 'accounts' | 'administrators' | 'passwords'>> => {
  const { rows } = await sql<{ id: string; status: string; role: string; credential: Uint8Array }>`
    select id, status, role, credential from accounts`.execute(trx)
  const isOut = (id: string): boolean => (later.get(id)?.status ?? 'disabled') === 'disabled'
  const demoted = rows.filter(({ id, role }) => role === 'admin' && later.get(id)?.role === 'user')
  const disabled = rows.filter(({ id, status }) => status !== 'disabled' && isOut(id))
  // Somebody has to be able to let the others in.
  const staysAdministered = rows.some(
    ({ id, status, role }) => role === 'admin' && status === 'active' && !isOut(id) && later.get(id)?.role === 'admin',
  )
  const spared = (account: { role: string }): boolean => !staysAdministered && account.role === 'admin'
  const out = disabled.filter((account) => !spared(account)).map(({ id }) => id)
  const lowered = staysAdministered ? demoted.map(({ id }) => id) : []
  await inParts(out, (ids) =>
    sql`update accounts set status = 'disabled', updated_at = ${now} where id in (${sql.join(ids)})`.execute(trx),
  )
  await inParts(lowered, (ids) =>
    sql`update accounts set role = 'user', updated_at = ${now} where id in (${sql.join(ids)})`.execute(trx),
  )
  const passwords = rows.filter(({ id, credential }) => {
    const known = later.get(id)
    return known !== undefined && known.credential !== digestOf(credential)
  }).length
  return { accounts: out.length, administrators: lowered.length, passwords }
}

const revokeTokens = async (trx: Trx, later: LaterState['tokens'], now: number): Promise<number> => {
  const { rows } = await sql<{ id: string }>`select id from api_tokens where revoked_at is null`.execute(trx)
  const gone = rows.map(({ id }) => id).filter((id) => later.get(id) !== false)
  await inParts(gone, (ids) =>
    sql`update api_tokens set revoked_at = ${now} where id in (${sql.join(ids)})`.execute(trx),
  )
  return gone.length
}

const removeRows = async (
  trx: Trx,
  tables: readonly { readonly table: string; readonly key: readonly string[] }[],
  later: LaterState['keys'],
): Promise<number> => {
  let count = 0
  for (const { table, key } of tables) {
    const columns = sql.join(key.map((column) => sql.ref(column)))
    const { rows } = await sql<Record<string, string>>`select ${columns} from ${sql.table(table)}`.execute(trx)
    const gone = rows.filter((row) => !later.get(table)?.has(keyOf(key.map((column) => row[column] ?? null))))
    count += gone.length
    await inParts(gone, (some) => {
      const matches = some.map((row): RawBuilder<unknown> => {
        const parts = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`)
        return sql`(${sql.join(parts, sql` and `)})`
      })
      return sql`delete from ${sql.table(table)} where ${sql.join(matches, sql` or `)}`.execute(trx)
    })
  }
  return count
}

/** A statement takes only so many values. */
const inParts = async <T>(all: readonly T[], run: (some: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < all.length; at += 400) await run(all.slice(at, at + 400))
}

const keyOf = (cells: readonly unknown[]): string => JSON.stringify(cells.map(String))
const digestOf = (cell: unknown): string =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : String(cell)
