import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { auditRoutes as routes } from '@atrium/contract/audit'
import { settingsRoutes } from '@atrium/contract/settings'
import { expect, test } from 'vitest'
import type { JobContext } from '../../platform/jobs/types.ts'
import { createAuthenticate } from '../../app/authenticate.ts'
import { createSettings, settingsMigrations, instanceSettings } from '../../core/settings/index.ts'
import { createAudit } from '../../platform/audit/index.ts'
import type { AuditTables } from '../../platform/audit/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { savedSettings } from '../../testing/settings.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { createAuditArea, auditPruneJob, auditSettings } from './index.ts'

const password = 'correct horse battery'
const day = 24 * 60 * 60_000

onBothDatabases('the audit of an instance', (open) => {
  const settled = async ({ retentionDays }: { retentionDays?: number } = {}) => {
    const clock = testClock()
    const database = await open([...testAccountMigrations, ...settingsMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const log = createAudit({ database, vault, clock })
    const accounts = createTestAccounts({ database, vault, clock, audit: log })
    const environment = { AUDIT_RETENTION_DAYS: retentionDays?.toString() }
    const saved = savedSettings({ database, vault, clock }, environment)
    const settings = createSettings({
      database,
      vault,
      clock,
      saved,
      ...saved.bind(instanceSettings),
      announce: async () => undefined,
      announceAll: async () => undefined,
    })
    const area = createAuditArea({
      audit: log,
      settings: saved.bind(auditSettings).audit,
      clock,
      namesOf: accounts.accountNames.names,
      groupNamesOf: accounts.groups.names,
    })
    const { guest } = await serveAreas({
      areas: [...accounts.areas, settings.area, area],
      authenticate: createAuthenticate(accounts, accounts.apiTokens),
      clock,
      audit: log,
    })
    const signIn = async (username: string, role: 'admin' | 'user') => {
      const { id } = await accounts.createAccount({ username, password, role })
      const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username, password } }))
      return { id, client: guest.as(token) }
    }
    const ann = await signIn('ann', 'admin')
    const ben = await signIn('ben', 'user')
    const rows = () => database.tables<AuditTables>()
    const list = async (query: object = {}) => (await ann.client.call(routes.list, { query })).items
    const prune = () => area.jobs?.[auditPruneJob]?.prepare({})?.({} as JobContext)
    return { database, accounts, log, clock, guest, ann, ben, rows, list, prune }
  }

  test('sign-ins and failures stand in it with who, what and from where, and never with a password', async () => {
    const { guest, ann, ben, list } = await settled()
    const wrong = 'not the right password'
    await guest.refusal(accountsRoutes.login, { body: { username: 'ben', password: wrong } })
    await guest.refusal(accountsRoutes.login, { body: { username: 'nobody at all', password: wrong } })
    const events = await list()
    expect(events.map(({ action, result, actorName, targetName }) => [action, result, actorName, targetName])).toEqual([
      ['auth.login', 'failure', null, null],
      ['auth.login', 'failure', null, 'ben'],
      ['auth.login', 'success', 'ben', null],
      ['auth.login', 'success', 'ann', null],
    ])
    expect(events[1]).toMatchObject({
      targetId: ben.id,
      actorKind: 'anonymous',
      details: { reason: 'wrong_credentials' },
    })
    expect(events[3]).toMatchObject({ actorUserId: ann.id, address: expect.stringMatching(/127\.0\.0\.1|::1/) })
    expect(JSON.stringify(events)).not.toContain(wrong)
  })

  test('only administrators read it, and their tokens only with the scope', async () => {
    const { ann, ben, guest } = await settled()
    expect(await ben.client.refusal(routes.list, {})).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await guest.refusal(routes.export, {})).toMatchObject({ status: 401 })
    const scopes = ['usage:read', 'admin'] as const
    const { token } = await ann.client.call(apiTokensRoutes.createToken, { body: { name: 'x', scopes: [...scopes] } })
    expect(await guest.as(token).refusal(routes.list, {})).toMatchObject({ code: 'token_scope' })
  })

  test('a change of settings is written with the names of its fields, and so is one that was refused', async () => {
    const { ann, ben, list } = await settled()
    await ann.client.call(settingsRoutes.updateInstance, { body: { signupEnabled: true } })
    await ben.client.refusal(settingsRoutes.updateInstance, { body: { signupEnabled: true } })
    expect(await list({ action: 'setting.change' })).toMatchObject([
      { result: 'denied', actorName: 'ben', targetType: 'setting' },
      {
        result: 'success',
        actorName: 'ann',
        targetType: 'setting',
        targetId: 'settings-preferences',
        details: { route: 'PUT /api/settings', fields: ['signupEnabled'] },
      },
    ])
    const [, changed] = await list({ action: 'setting.change' })
    expect(changed?.details).toMatchObject({ changes: ['signupEnabled: false → true'] })
  })

  test('a change of the own password is written, also one that did not work, and without any password', async () => {
    const { ben, list } = await settled()
    const change = (currentPassword: string) => ({ body: { currentPassword, newPassword: 'a quite different one' } })
    await ben.client.refusal(accountsRoutes.changePassword, change('not the right one'))
    await ben.client.call(accountsRoutes.changePassword, change(password))
    const events = await list({ action: 'auth.password.change' })
    expect(events.map(({ result, actorName }) => [result, actorName])).toEqual([
      ['success', 'ben'],
      ['denied', 'ben'],
    ])
    expect(JSON.stringify(events)).not.toMatch(/right one|different one/)
  })

  test('it can be narrowed down by action, account, result, target and time, page by page', async () => {
    const { log, clock, ann, ben, list } = await settled()
    const start = clock.now() + 1
    for (const at of [1, 2, 3]) {
      clock.advance(1000)
      const actor = { kind: 'user', accountId: at === 2 ? ben.id : ann.id } as const
      const result = at === 3 ? 'denied' : 'success'
      await log.record({ action: 'grant.create', actor, result, target: { type: 'chat', id: `c${at}` } })
    }
    const ids = async (query: object) => (await list(query)).map(({ targetId }) => targetId)
    expect(await ids({ action: 'grant.create,grant.delete' })).toEqual(['c3', 'c2', 'c1'])
    expect(await ids({ actor: ben.id, after: start })).toEqual(['c2'])
    expect(await ids({ result: 'denied' })).toEqual(['c3'])
    expect(await ids({ targetType: 'chat', targetId: 'c1' })).toEqual(['c1'])
    expect(await ids({ after: new Date(start + 1500).toISOString(), before: start + 2500 })).toEqual(['c2'])
    const first = await ann.client.call(routes.list, { query: { action: 'grant.create', limit: 2 } })
    expect(first.items).toHaveLength(2)
    const query = { action: 'grant.create', limit: 2, cursor: first.nextCursor ?? '' }
    expect((await ann.client.call(routes.list, { query })).items.map(({ targetId }) => targetId)).toEqual(['c1'])
    expect(await ann.client.refusal(routes.list, { query: { action: 'nonsense' } })).toMatchObject({ status: 400 })
    expect(await ann.client.refusal(routes.list, { query: { cursor: 'nonsense' } })).toMatchObject({ status: 400 })
  })

  test('it is searched by words in names, actions, addresses and details, page by page, and so is its file', async () => {
    const { log, ann, ben, list } = await settled()
    const actor = { kind: 'user', accountId: ben.id } as const
    for (let at = 0; at < 12; at++)
      await log.record({ action: 'grant.create', actor, target: { type: 'chat', id: `kite-${at}` } })
    await log.record({ action: 'setting.change', actor, details: { changes: ['Region: Bremen → Ulm'] } })
    const ids = async (query: object) => (await list(query)).map(({ action, targetId }) => targetId ?? action)
    expect(await ids({ q: 'ulm BREMEN' })).toEqual(['setting.change'])
    expect(await ids({ q: 'ulm paris' })).toEqual([])
    expect(await ids({ q: 'ben grant kite-7' })).toEqual(['kite-7'])
    expect(await ids({ q: 'Freigabe', qActions: 'grant.create', limit: 2 })).toEqual(['kite-11', 'kite-10'])
    const first = await ann.client.call(routes.list, { query: { q: 'kite-1', limit: 2 } })
    expect(first.items.map(({ targetId }) => targetId)).toEqual(['kite-11', 'kite-10'])
    const rest = await ann.client.call(routes.list, {
      query: { q: 'kite-1', limit: 2, cursor: first.nextCursor ?? '' },
    })
    expect(rest.items.map(({ targetId }) => targetId)).toEqual(['kite-1'])
    const file = await (await ann.client.call(routes.export, { query: { q: 'bremen' } })).text()
    expect(file.trim().split('\n')).toHaveLength(1)
  })

  test('says whom a share is for by today’s name, of an account or a group, and what is shared by its id alone', async () => {
    const { accounts, log, ann, ben, list } = await settled()
    const group = await accounts.groups.add('Editors')
    const entry = { action: 'grant.create', actor: { kind: 'user', accountId: ann.id } } as const
    for (const principalId of [group.id, ben.id, 'gone'])
      await log.record({ ...entry, target: { type: 'chat', id: 'c1' }, details: { principalId, right: 'read' } })
    await log.record({ ...entry, action: 'group.delete', target: { type: 'group', id: group.id } })
    expect(
      (await list({ actor: ann.id, targetType: 'chat' })).map(({ names, targetName }) => [names, targetName]),
    ).toEqual([
      [{}, null],
      [{ [ben.id]: 'ben' }, null],
      [{ [group.id]: 'Editors' }, null],
    ])
    expect(await list({ targetType: 'group' })).toMatchObject([{ targetName: 'Editors' }])
    const file = await (await ann.client.call(routes.export, { query: { action: 'grant.create' } })).text()
    expect(file).not.toContain('Editors')
  })

  test('as a file it is JSON lines or CSV that no spreadsheet takes for formulas, and the export itself is written down', async () => {
    const { log, ann, list } = await settled()
    const details = { reason: '=HYPERLINK("http://x")', agent: 'two\nlines, "quoted"' }
    await log.record({
      action: 'user.update',
      actor: { kind: 'system', accountId: null },
      details,
      target: { type: '=cmd', id: null },
    })
    const text = async (format: 'jsonl' | 'csv') =>
      await (await ann.client.call(routes.export, { query: { format } })).text()
    const lines = (await text('jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1))
    expect(lines.find(({ action }) => action === 'user.update')).toMatchObject({ details, hash: expect.any(String) })
    const csv = await text('csv')
    expect(csv.split('\r\n')[0]).toContain('seq,occurredAt,action')
    expect(csv).toContain(",'=cmd,")
    expect(csv).toContain('"{""reason"":')
    expect(await list({ action: 'audit.export' })).toHaveLength(2)
  })

  test('a row that is changed, taken out, put in or cut off is found, and nothing else is reported', async () => {
    const { log, ann, rows, list } = await settled()
    const actor = { kind: 'user', accountId: ann.id } as const
    for (let at = 0; at < 10; at++) await log.record({ action: 'grant.create', actor })
    const check = (fromSeq = 0) => ann.client.call(routes.check, { query: { fromSeq } })
    expect(await check()).toMatchObject({ checked: 12, lastSeq: 12, brokenAt: null, nextSeq: null })
    expect(await check(5)).toMatchObject({ checked: 8, brokenAt: null })

    const row = await rows().selectFrom('audit_events').selectAll().where('seq', '=', 6).executeTakeFirstOrThrow()
    await rows().updateTable('audit_events').set({ actor_account_id: 'mallory' }).where('seq', '=', 6).execute()
    expect(await check()).toMatchObject({ brokenAt: 6 })
    await rows().updateTable('audit_events').set({ actor_account_id: ann.id }).where('seq', '=', 6).execute()
    await rows().updateTable('audit_events').set({ result: 'denied' }).where('seq', '=', 6).execute()
    expect(await check()).toMatchObject({ brokenAt: 6 })
    await rows().updateTable('audit_events').set({ result: row.result }).where('seq', '=', 6).execute()
    await rows()
      .updateTable('audit_events')
      .set({ body: Buffer.from('no seal') })
      .where('seq', '=', 6)
      .execute()
    const listed = await list()
    expect(listed.filter(({ unreadable }) => unreadable).map(({ seq, details }) => [seq, details])).toEqual([[6, null]])
    expect(listed.length).toBeGreaterThan(1)
    expect(await check()).toMatchObject({ brokenAt: 6 })
    await rows().updateTable('audit_events').set({ body: row.body }).where('seq', '=', 6).execute()
    expect(await check()).toMatchObject({ brokenAt: null })

    await rows().deleteFrom('audit_events').where('seq', '=', 6).execute()
    expect(await check()).toMatchObject({ brokenAt: 6 })
    await rows().insertInto('audit_events').values(row).execute()
    expect(await check()).toMatchObject({ brokenAt: null })

    await rows().deleteFrom('audit_events').where('seq', '=', 12).execute()
    expect(await check()).toMatchObject({ brokenAt: 12 })
  })

  test('what is older than the retention goes, the rest still holds together, and that it went is written down', async () => {
    const { log, clock, ann, guest, prune } = await settled({ retentionDays: 30 })
    clock.advance(20 * day)
    await log.record({ action: 'user.create', actor: { kind: 'user', accountId: ann.id } })
    clock.advance(9 * day)
    const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username: 'ann', password } }))
    const client = guest.as(token)
    clock.advance(2 * day)
    await prune()
    const { items } = await client.call(routes.list, {})
    expect(items.map(({ action }) => action)).toEqual(['audit.prune', 'auth.login', 'user.create'])
    expect(items[0]).toMatchObject({ actorKind: 'system', details: { removed: 2 } })
    expect(await client.call(routes.check, {})).toMatchObject({ checked: 3, brokenAt: null })
    await prune()
    expect((await client.call(routes.list, {})).items).toHaveLength(3)
    expect(await client.call(routes.settings, {})).toEqual({ retentionDays: 30, source: 'environment' })
    expect(await client.refusal(routes.saveSettings, { body: { retentionDays: 90 } })).toMatchObject({
      code: 'setting_locked',
    })
  })

  test('how long entries are kept can be changed, within reason', async () => {
    const { ann } = await settled()
    expect(await ann.client.call(routes.settings, {})).toEqual({ retentionDays: 180, source: 'default' })
    const body = { retentionDays: 400 }
    expect(await ann.client.call(routes.saveSettings, { body })).toEqual({ ...body, source: 'saved' })
    expect(await ann.client.refusal(routes.saveSettings, { body: { retentionDays: 1 } })).toMatchObject({ status: 400 })
  })
})
