/** What may have been taken away from somebody since a backup, table by table, and what then becomes of a row of then. */
import type { CellRow } from '../../platform/db/copy/index.ts'

export type Value = string | number | null
/** Values by column. */
export type Row = Readonly<Record<string, Value>>

/** Under which it is told how much was taken away. */
export const noneRevoked = {
  tokens: 0,
  shares: 0,
  sharesLowered: 0,
  memberships: 0,
  channelMemberships: 0,
  signInMethods: 0,
  recoveryCodes: 0,
  signInProviders: 0,
  supportAccess: 0,
  calendarAddresses: 0,
  calendarGuests: 0,
  webhooks: 0,
  automations: 0,
  toolApprovals: 0,
  toolServers: 0,
  ownershipOffers: 0,
}
export type RevokedKind = keyof typeof noneRevoked

export interface RevocableTable {
  readonly table: string
  /** Columns that name a row; with the digest of a secret among them, a new secret is another row. */
  readonly key: readonly string[]
  /** Further ones that `becomes` looks at. */
  readonly columns?: readonly string[]
  /** A row whose parent was deleted since goes on with it: bringing that back may be what the restore is for. */
  readonly parent?: { readonly table: string; readonly column: string }
  /** What a row becomes: `remove`, or values in the place of others; none: it stays. `later` is null where it is gone. */
  readonly becomes: (row: Row, later: Row | null, now: number) => 'remove' | Row
  readonly kind: (change: 'remove' | Row) => RevokedKind
}

const unchanged: Row = {}
const turnedOff: Row = { enabled: 0 }
const removeGone = (_: Row, later: Row | null): 'remove' | Row => (later === null ? 'remove' : unchanged)

export const revocableTables: readonly RevocableTable[] = [
  {
    table: 'api_tokens',
    key: ['id'],
    columns: ['revoked_at', 'scopes', 'models'],
    kind: () => 'tokens',
    becomes: (row, later, now) =>
      row['revoked_at'] !== null
        ? unchanged
        : later === null || later['revoked_at'] !== null
          ? { revoked_at: now }
          : { scopes: inBoth(row, later, 'scopes'), models: inBoth(row, later, 'models') },
  },
  { table: 'scim_tokens', key: ['id'], kind: () => 'tokens', becomes: removeGone },
  {
    table: 'access_grants',
    key: ['id'],
    columns: ['access_right', 'expires_at'],
    kind: (change) => (change === 'remove' ? 'shares' : 'sharesLowered'),
    becomes: (row, later) =>
      later === null
        ? 'remove'
        : {
            access_right: lesser(['read', 'write', 'admin'], row, later, 'access_right'),
            expires_at: lower(row, later, 'expires_at'),
          },
  },
  {
    table: 'chat_links',
    key: ['id'],
    columns: ['expires_at', 'password'],
    kind: (change) => (change === 'remove' ? 'shares' : 'sharesLowered'),
    becomes: (row, later) => (later === null ? 'remove' : narrowerLink(row, later)),
  },
  {
    table: 'artifact_links',
    key: ['id'],
    columns: ['expires_at', 'password', 'version'],
    kind: (change) => (change === 'remove' ? 'shares' : 'sharesLowered'),
    // Without a version it shows all that are to come.
    becomes: (row, later) =>
      later === null ? 'remove' : { ...narrowerLink(row, later), version: lower(row, later, 'version') },
  },
  { table: 'account_group_members', key: ['group_id', 'account_id'], kind: () => 'memberships', becomes: removeGone },
  {
    table: 'channels',
    key: ['id'],
    columns: ['history'],
    kind: () => 'channelMemberships',
    becomes: (row, later) =>
      later === null ? unchanged : { history: lesser(['since-joining', 'everything'], row, later, 'history') },
  },
  { table: 'passkeys', key: ['id'], kind: () => 'signInMethods', becomes: removeGone },
  { table: 'identities', key: ['id'], kind: () => 'signInMethods', becomes: removeGone },
  { table: 'recovery_codes', key: ['account_id', 'code_index'], kind: () => 'recoveryCodes', becomes: removeGone },
  {
    table: 'identity_providers',
    key: ['id'],
    columns: ['enabled'],
    kind: () => 'signInProviders',
    becomes: (row, later) => ({ enabled: later === null ? 0 : lesser([0, 1], row, later, 'enabled') }),
  },
  {
    table: 'break_glass',
    key: ['id'],
    columns: ['ended_at', 'expires_at'],
    kind: () => 'supportAccess',
    becomes: (row, later, now) =>
      row['ended_at'] === null && Number(row['expires_at']) > now && later?.['ended_at'] !== null
        ? { ended_at: later?.['ended_at'] ?? now }
        : unchanged,
  },
  {
    table: 'calendar_feeds',
    key: ['calendar_id', 'content', 'secret_digest'],
    kind: () => 'calendarAddresses',
    becomes: removeGone,
  },
  {
    table: 'calendar_guests',
    key: ['event_id', 'account_id'],
    parent: { table: 'calendar_events', column: 'event_id' },
    kind: () => 'calendarGuests',
    becomes: removeGone,
  },
  {
    table: 'webhooks',
    key: ['id'],
    columns: ['enabled'],
    kind: () => 'webhooks',
    becomes: (row, later) => (later === null ? 'remove' : { enabled: lesser([0, 1], row, later, 'enabled') }),
  },
  {
    table: 'automations',
    key: ['id'],
    columns: ['status', 'next_run_at'],
    kind: () => 'automations',
    // They may be wanted again, but not begin by themselves.
    becomes: (row, later) =>
      row['status'] === 'active' && (later?.['status'] ?? 'paused') === 'paused'
        ? { status: 'paused', next_run_at: null }
        : unchanged,
  },
  { table: 'tool_standing', key: ['id'], kind: () => 'toolApprovals', becomes: removeGone },
  {
    table: 'tool_policies',
    key: ['account_id', 'tool_id'],
    columns: ['mode'],
    kind: () => 'toolApprovals',
    becomes: (row, later) =>
      later === null
        ? row['mode'] === 'allow'
          ? 'remove'
          : unchanged
        : { mode: lesser(['never', 'ask', 'allow'], row, later, 'mode') },
  },
  {
    table: 'tool_servers',
    key: ['id'],
    columns: ['enabled', 'access_mode'],
    kind: () => 'toolServers',
    becomes: (row, later) =>
      later === null
        ? turnedOff
        : {
            enabled: lesser([0, 1], row, later, 'enabled'),
            access_mode: lesser(['admins-only', 'granted', 'all-users'], row, later, 'access_mode'),
          },
  },
  {
    table: 'ownership_transfers',
    key: ['id'],
    columns: ['state'],
    kind: () => 'ownershipOffers',
    // What is being sealed for its new owner has to be finished.
    becomes: (row, later) => (later === null && row['state'] !== 'sealing' ? 'remove' : unchanged),
  },
]

/** A cell of a backup or of a database as a value that can be compared. */
export const toValue = (cell: unknown): Value =>
  cell === null || cell === undefined
    ? null
    : cell instanceof Uint8Array
      ? Buffer.from(cell).toString('base64')
      : typeof cell === 'string'
        ? cell
        : Number(cell)

export const toRow = (columns: readonly string[], cells: CellRow): Row =>
  Object.fromEntries(columns.map((column, at) => [column, toValue(cells[at])]))

export const keyOf = (key: readonly string[], row: Row): string => JSON.stringify(key.map((column) => row[column]))

/** `order` begins with the least. What it doesn't name stays as it was. */
const lesser = (order: readonly Value[], row: Row, later: Row, column: string): Value => {
  const [was, is] = [row[column] ?? null, later[column] ?? null]
  const [wasPlace, isPlace] = [order.indexOf(was), order.indexOf(is)]
  return wasPlace >= 0 && isPlace >= 0 && isPlace < wasPlace ? is : was
}

/** Of two ends or the like; null is no limit. */
const lower = (row: Row, later: Row, column: string): Value => {
  const limits = [row[column], later[column]].flatMap((limit) => (typeof limit === 'number' ? [limit] : []))
  return limits.length === 0 ? null : Math.min(...limits)
}

/** The earlier end, and the password of the later one, where it has one. */
const narrowerLink = (row: Row, later: Row): Row => ({
  expires_at: lower(row, later, 'expires_at'),
  password: later['password'] ?? row['password'] ?? null,
})

/** Of two lists as JSON, what is in both; null is a list of everything. */
const inBoth = (row: Row, later: Row, column: string): Value => {
  const [was, is] = [row[column] ?? null, later[column] ?? null]
  if (is === null || was === is) return was
  if (was === null) return is
  const kept = new Set(JSON.parse(String(is)) as unknown[])
  const all = JSON.parse(String(was)) as unknown[]
  const both = all.filter((each) => kept.has(each))
  return both.length === all.length ? was : JSON.stringify(both)
}
