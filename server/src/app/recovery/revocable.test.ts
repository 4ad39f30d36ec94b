/** What was taken away from somebody since a backup, table by table, is taken away again on either database. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import {
  type BackupKeys,
  createBackup,
  type Manifest,
  makeBackupKeys,
  readBackup,
} from '../../platform/backups/index.ts'
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { migrations } from '../areas.ts'
import { revocableTables } from './revocable.ts'
import { revokeAgain } from './revocations.ts'

type Values = Readonly<Record<string, string | number | null>>
type Rows = Readonly<Record<string, readonly Values[]>>

const now = 1_900_000_000_000
const people = ['ann', 'bea', 'cid', 'dan'].map((id) => ({ id, username_index: id, role: 'admin', status: 'active' }))
const member = (channel: string, account: string, role = 'member', at = 1) => ({
  channel_id: channel,
  account_id: account,
  role,
  joined_at: at,
})
const grant = (id: string, right: string, end: number | null) => ({
  id,
  resource_id: id,
  principal_type: 'account',
  access_right: right,
  expires_at: end,
})

const link = (id: string, end: number, password: string | null, more: Values = {}) => ({
  id,
  secret_digest: id,
  expires_at: end,
  password,
  ...more,
})
const inChat = { chat_id: 'plans' }
const pinned = (version: number | null) => ({ artifact_id: 'page', version })

/** What the server keeps for itself, and changes by itself. */
const ownDocuments = ['alerts', 'backup-state', 'pause', 'push-keys']

/** Parents stand before what belongs to them. */
const then: Rows = {
  accounts: people,
  calendars: [{ id: 'work' }],
  calendar_events: [{ id: 'lunch' }, { id: 'deleted' }],
  channels: [
    { id: 'board', member_count: 4, history: 'everything' },
    { id: 'club', member_count: 2, history: 'since-joining' },
    { id: 'empty', member_count: 1, history: 'everything' },
    { id: 'deleted', member_count: 1, history: 'everything' },
  ],
  channel_members: [
    ...[member('board', 'ann', 'owner'), member('board', 'bea', 'moderator'), member('board', 'cid', 'member', 2)],
    ...[member('board', 'dan', 'moderator', 3), member('club', 'ann', 'owner'), member('club', 'bea')],
    ...[member('empty', 'cid', 'owner'), member('deleted', 'dan', 'owner')],
  ],
  channel_drafts: [{ channel_id: 'board', account_id: 'cid', thread_id: 'x' }],
  access_grants: [grant('right', 'write', null), grant('end', 'read', 9000), grant('more', 'read', 9000)],
  chat_sessions: [{ id: 'plans', account_id: 'ann' }],
  chat_links: [
    link('gone', 9000, null, inChat),
    link('locked', 9000, null, inChat),
    link('longer', 5000, 'old', inChat),
  ],
  artifacts: [{ id: 'page' }],
  artifact_links: [link('end', 9000, 'old', pinned(null)), link('newer', 9000, null, pinned(2))],
  api_tokens: [
    { id: 'scopes', account_id: 'ann', token_digest: 'a', scopes: '["chat:read","chat:write"]', models: null },
    { id: 'revoked', account_id: 'ann', token_digest: 'b', scopes: '[]', models: null },
  ],
  recovery_codes: [
    { account_id: 'ann', code_index: 'used' },
    { account_id: 'ann', code_index: 'left' },
  ],
  identity_providers: [
    { id: 'off', kind: 'oidc', enabled: 1 },
    { id: 'gone', kind: 'oidc', enabled: 1 },
  ],
  break_glass: [
    { id: 'ended', expires_at: now + 1, ended_at: null },
    { id: 'open', expires_at: now + 1, ended_at: null },
  ],
  calendar_feeds: [
    { calendar_id: 'work', content: 'full', secret_digest: 'first' },
    { calendar_id: 'work', content: 'busy', secret_digest: 'busy' },
  ],
  calendar_guests: [
    { event_id: 'lunch', account_id: 'bea' },
    { event_id: 'lunch', account_id: 'cid' },
    { event_id: 'deleted', account_id: 'cid' },
  ],
  webhooks: [
    { id: 'gone', enabled: 1 },
    { id: 'off', enabled: 1 },
    { id: 'on', enabled: 1 },
  ],
  automations: [
    { id: 'paused', status: 'active', next_run_at: 5 },
    { id: 'gone', status: 'active', next_run_at: 5 },
    { id: 'runs', status: 'active', next_run_at: 5 },
  ],
  automation_watches: [
    { automation_id: 'paused', kind: 'k', place_id: 'p' },
    { automation_id: 'runs', kind: 'k', place_id: 'p' },
  ],
  tool_standing: [
    { id: 'gone', account_id: 'ann', tool_id: 'one' },
    { id: 'stays', account_id: 'ann', tool_id: 'two' },
  ],
  tool_policies: [{ account_id: 'ann', tool_id: 'one', mode: 'ask' }],
  tool_servers: [
    { id: 'off', enabled: 1, access_mode: 'all-users' },
    { id: 'fewer', enabled: 1, access_mode: 'all-users' },
  ],
  ownership_transfers: [
    { id: 'withdrawn', resource_id: 'one', state: 'offered' },
    { id: 'sealing', resource_id: 'two', state: 'sealing' },
  ],
  instance_settings: [
    { name: 'mail', updated_at: 1 },
    { name: 'push', updated_at: 1 },
    ...ownDocuments.map((name) => ({ name, updated_at: 1 })),
  ],
}

const later: Rows = {
  ...then,
  calendar_events: [{ id: 'lunch' }],
  channels: [
    { id: 'board', member_count: 2, history: 'since-joining' },
    { id: 'club', member_count: 1, history: 'everything' },
    { id: 'empty', member_count: 1, history: 'everything' },
  ],
  // Of the board, ann left and bea became its owner; of the club, ann left before bea was made one.
  channel_members: [
    ...[member('board', 'bea', 'owner'), member('board', 'dan', 'member')],
    ...[member('club', 'bea', 'member'), member('empty', 'dan', 'owner')],
  ],
  channel_drafts: [],
  access_grants: [grant('right', 'read', null), grant('end', 'read', 5000), grant('more', 'admin', null)],
  chat_links: [link('locked', 9000, 'new', inChat), link('longer', 9000, null, inChat)],
  artifact_links: [link('end', 5000, 'new', pinned(3)), link('newer', 9000, null, pinned(null))],
  api_tokens: [{ id: 'scopes', account_id: 'ann', token_digest: 'a', scopes: '["chat:read"]', models: '["m"]' }],
  recovery_codes: [{ account_id: 'ann', code_index: 'left' }],
  identity_providers: [{ id: 'off', kind: 'oidc', enabled: 0 }],
  break_glass: [
    { id: 'ended', expires_at: now + 1, ended_at: 7 },
    { id: 'open', expires_at: now + 1, ended_at: null },
  ],
  calendar_feeds: [{ calendar_id: 'work', content: 'full', secret_digest: 'second' }],
  calendar_guests: [{ event_id: 'lunch', account_id: 'bea' }],
  webhooks: [
    { id: 'off', enabled: 0 },
    { id: 'on', enabled: 1 },
  ],
  automations: [
    { id: 'paused', status: 'paused', next_run_at: null },
    { id: 'runs', status: 'active', next_run_at: 9 },
  ],
  automation_watches: [],
  tool_standing: [{ id: 'stays', account_id: 'ann', tool_id: 'two' }],
  tool_policies: [{ account_id: 'ann', tool_id: 'one', mode: 'never' }],
  tool_servers: [
    { id: 'off', enabled: 0, access_mode: 'all-users' },
    { id: 'fewer', enabled: 1, access_mode: 'granted' },
  ],
  ownership_transfers: [],
  instance_settings: [
    { name: 'mail', updated_at: 2 },
    { name: 'push', updated_at: 1 },
    ...ownDocuments.map((name) => ({ name, updated_at: 2 })),
  ],
}

const expected: Rows = {
  channels: [
    { id: 'board', member_count: 2, history: 'since-joining' },
    { id: 'club', member_count: 1, history: 'since-joining' },
    { id: 'deleted', member_count: 1, history: 'everything' },
    { id: 'empty', member_count: 1, history: 'everything' },
  ],
  channel_members: [
    ...[member('board', 'bea', 'owner'), member('board', 'dan', 'member', 3), member('club', 'bea', 'owner')],
    ...[member('deleted', 'dan', 'owner'), member('empty', 'cid', 'owner')],
  ],
  channel_drafts: [],
  access_grants: [grant('end', 'read', 5000), grant('more', 'read', 9000), grant('right', 'read', null)],
  chat_links: [link('locked', 9000, 'new'), link('longer', 5000, 'old')],
  artifact_links: [link('end', 5000, 'new', pinned(3)), link('newer', 9000, null, pinned(2))],
  api_tokens: [
    { id: 'revoked', scopes: '[]', revoked_at: now },
    { id: 'scopes', scopes: '["chat:read"]', models: '["m"]', revoked_at: null },
  ],
  recovery_codes: [{ code_index: 'left' }],
  identity_providers: [
    { id: 'gone', enabled: 0 },
    { id: 'off', enabled: 0 },
  ],
  break_glass: [
    { id: 'ended', ended_at: 7 },
    { id: 'open', ended_at: null },
  ],
  calendar_feeds: [],
  calendar_guests: [
    { event_id: 'deleted', account_id: 'cid' },
    { event_id: 'lunch', account_id: 'bea' },
  ],
  webhooks: [
    { id: 'off', enabled: 0 },
    { id: 'on', enabled: 1 },
  ],
  automations: [
    { id: 'gone', status: 'paused', next_run_at: null },
    { id: 'paused', status: 'paused', next_run_at: null },
    { id: 'runs', status: 'active', next_run_at: 5 },
  ],
  automation_watches: [{ automation_id: 'runs' }],
  tool_standing: [{ id: 'stays' }],
  tool_policies: [{ mode: 'never' }],
  tool_servers: [
    { id: 'fewer', enabled: 1, access_mode: 'granted' },
    { id: 'off', enabled: 0, access_mode: 'all-users' },
  ],
  ownership_transfers: [{ id: 'sealing' }],
}

onBothDatabases('what was revoked since a backup', (open) => {
  let database: Database
  let folder: string
  let from: Destination
  let keys: BackupKeys
  let manifest: Manifest
  let newest: string[]

  /** Puts these rows in the place of all others. What a row does not name is nothing, where it has to be something. */
  const fill = async (rows: Rows): Promise<void> => {
    const tables = new Map((await database.tables<unknown>().introspection.getTables()).map((one) => [one.name, one]))
    await database.write<unknown, void>(async (trx) => {
      for (const name of Object.keys(then).toReversed()) await sql`delete from ${sql.table(name)}`.execute(trx)
      for (const [name, all] of Object.entries(rows))
        for (const row of all) {
          const columns = (tables.get(name)?.columns ?? []).flatMap((column) =>
            column.name in row || (!column.isNullable && !column.hasDefaultValue && !column.isAutoIncrementing)
              ? [
                  {
                    name: column.name,
                    value: row[column.name] ?? (column.name in row ? null : nothing(column.dataType)),
                  },
                ]
              : [],
          )
          await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
            values (${sql.join(columns.map(({ value }) => value))})`.execute(trx)
        }
    })
  }
  const isThere = async (table: string, row: Values): Promise<boolean> => {
    const matches = Object.entries(row).map(([name, value]) =>
      value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`,
    )
    const found = await sql`select 1 from ${sql.table(table)} where ${sql.join(matches, sql` and `)}`.execute(
      database.tables(),
    )
    return found.rows.length === 1
  }
  const count = async (table: string): Promise<number> =>
    (await sql`select 1 from ${sql.table(table)}`.execute(database.tables())).rows.length

  beforeAll(async () => {
    const { options, folder: at } = await open.place()
    database = await openDatabase(options)
    await migrate(database, migrations, { version: '1.0.0', snapshotFolder: at, now: () => 1 })
    folder = await mkdtemp(join(tmpdir(), 'revocable-'))
    from = openFolder(folder)
    ;({ keys } = await makeBackupKeys())
    const place = options.url ? { url: options.url } : { file: options.file ?? '', key: options.key ?? Buffer.alloc(0) }
    const instanceKey = randomBytes(32)
    let time = now - 10_000
    const backUp = async (rows: Rows) => {
      await fill(rows)
      const settings = { database: place, destination: from, keys, instanceKey, appVersion: '1.0.0' }
      return (await createBackup({ ...settings, now: () => (time += 1000) })).id
    }
    manifest = await readBackup(from, keys, await backUp(then))
    newest = [await backUp(later), await backUp(then), await backUp(then)]
  }, 120_000)
  afterAll(() => database.close())

  it('is told by the newest one that can be read, table by table, with the ones that cannot', async () => {
    await fill(then)
    const names = newest.slice(1).map((id) => join(folder, keys.set, 'manifests', id))
    const damage = async (name: string) => {
      const bytes = await readFile(name)
      await writeFile(name, bytes.subarray(0, -1))
      return () => writeFile(name, bytes)
    }
    for (const name of names) await damage(name)
    const { state, ...rest } = await revokeAgain({ from, keys, manifest }, database, now)
    expect(state).toBe('applied')
    for (const [table, rows] of Object.entries(expected)) {
      for (const row of rows) expect([table, row, await isThere(table, row)]).toEqual([table, row, true])
      expect([table, await count(table)]).toEqual([table, rows.length])
    }
    const one = { signInMethods: 0, memberships: 0, shares: 1, accounts: 0, administrators: 0, passwords: 0 }
    expect(rest).toEqual({
      revoked: {
        ...one,
        toldBy: newest[0],
        unreadable: [newest[2], newest[1]].map((id) => ({ id, reason: expect.stringContaining('cannot be opened') })),
        settings: ['mail'],
        oneTimeCodes: 0,
        tokens: 2,
        sharesLowered: 4,
        // Three went, one is no moderator any more, and the board shows less of before.
        channelMemberships: 5,
        recoveryCodes: 1,
        signInProviders: 2,
        supportAccess: 1,
        calendarAddresses: 2,
        calendarGuests: 1,
        webhooks: 2,
        automations: 2,
        toolApprovals: 2,
        toolServers: 2,
        ownershipOffers: 1,
      },
    })
    // Done once more, as after an end on the way, it finds nothing left to do.
    const again = await revokeAgain({ from, keys, manifest }, database, now)
    expect(again).toMatchObject({
      revoked: { tokens: 0, sharesLowered: 0, webhooks: 0, channelMemberships: 0, automations: 0 },
    })
  })

  it('is unknown where no newer one can be read', async () => {
    const name = join(folder, keys.set, 'manifests', newest[0] ?? '')
    await writeFile(name, (await readFile(name)).subarray(0, -1))
    expect(await revokeAgain({ from, keys, manifest }, database, now)).toMatchObject({ state: 'unknown' })
  })

  it('is looked for in columns that are there', async () => {
    const tables = await database.tables<unknown>().introspection.getTables()
    for (const { table, key, columns = [] } of revocableTables)
      expect(tables.find(({ name }) => name === table)?.columns.map(({ name }) => name)).toEqual(
        expect.arrayContaining([...key, ...columns]),
      )
  })
})

const nothing = (type: string): string | number | Uint8Array =>
  /text/i.test(type) ? '' : /int/i.test(type) ? 0 : new Uint8Array([1])
