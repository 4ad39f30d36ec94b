import { setTimeout as sleep } from 'node:timers/promises'
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes as routes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { channelsRoutes } from '@atrium/contract/channels'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { groupsRoutes } from '@atrium/contract/groups'
import { settingsRoutes } from '@atrium/contract/settings'
import { usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startProvider } from '../../../e2e/provider/provider.ts'
import type { Database } from '../platform/db/types.ts'
import { createLog } from '../platform/log/log.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import { local } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'
import { realClock } from '../testing/clock.ts'
import { createPostgresDatabase, dropPostgresDatabase, usualDialects } from '../testing/databases.ts'
import { uploadAndRead } from '../testing/documents.ts'
import { configFromEnv } from './config.ts'
import { openStorage } from './storage.ts'
import { migrations } from './areas.ts'

const planted = 'zyzzyvawort'

/** Every table with a row that holds this text in the open, but the audit, which says who did what for good. */
const tablesWith = async (database: Database, text: string): Promise<string[]> => {
  const tables = database.tables<Record<string, Record<string, unknown>>>()
  const found: string[] = []
  for (const { name } of await tables.introspection.getTables()) {
    if (name === 'audit_events' || name === 'migrations' || /^search_(text|words)_/.test(name)) continue
    const rows = await tables.selectFrom(name).selectAll().execute()
    const held = rows.some((row) =>
      Object.values(row).some((value) =>
        value instanceof Uint8Array ? Buffer.from(value).includes(text) : String(value).includes(text),
      ),
    )
    if (held) found.push(name)
  }
  return found
}

describe.each(usualDialects)('what belongs to an account (%s)', (dialect) => {
  let databaseUrl: string | undefined
  let provider: Awaited<ReturnType<typeof startProvider>>
  let app: TestApp
  let shift = 0
  const env = () => ({ OLLAMA_BASE_URL: provider.url, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) })
  const open = async (ownProcess = false) => {
    const clock = { ...realClock, now: () => realClock.now() + shift }
    app = await startTestApp({ env: env(), ownProcess, ...(ownProcess ? {} : { overrides: { clock } }) })
    return await app.signUpAdmin()
  }
  beforeAll(async () => {
    provider = await startProvider()
    provider.control({ models: ['echo', 'long-400-drip-25'] })
  })
  afterAll(() => provider?.close())
  const fresh = async () => {
    shift = 0
    databaseUrl = dialect === 'postgres' ? await createPostgresDatabase() : undefined
  }
  afterEach(async () => {
    await app.close()
    if (databaseUrl) await dropPostgresDatabase(databaseUrl)
  })

  /** Looks at the rows while no process works on them. */
  const look = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const config = configFromEnv({ DATA_DIR: app.dataDir, ...env() })
    const log = createLog({ level: 'silent' })
    const { database } = await openStorage(config, migrations, { clock: realClock, log, version: '1', metrics: null })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
  const gone = async (): Promise<void> => {
    for (const end = Date.now() + 120_000; (await app.accounts.removals.begun()).length > 0; await sleep(50))
      if (Date.now() > end) throw new Error('an account is still being deleted')
  }
  /** Stops the app after a while to see that no row names the account; while some do it has another while, a longer one. */
  const nothingLeft = async (id: string, whileMs: number): Promise<void> => {
    const end = Date.now() + 120_000
    for (let ms = whileMs; ; ms *= 2, await app.restart()) {
      await sleep(ms)
      await app.stop()
      const left = await look((database) => tablesWith(database, id))
      if (left.length === 0) return
      if (Date.now() > end) expect(left).toEqual([])
    }
  }
  const idOf = async (client: Client) => (await client.call(accountsRoutes.me, {})).id
  const login = (client: Client, username: string, password = testPassword) =>
    client.refusal(accountsRoutes.login, { body: { username, password } })
  const chatOf = async (client: Client, title: string, messages: string[]) => {
    const { id } = await client.call(chatRoutes.create, { body: { title, selection: local('echo') } })
    for (const content of messages)
      await client.call(chatRoutes.addMessage, { params: { sessionId: id }, body: { role: 'user', content } })
    return id
  }
  /** A bit of everything. Gives the id of the account. */
  const fill = async (ben: Client, admin: Client, cid: Client): Promise<string> => {
    const id = await idOf(ben)
    await chatOf(ben, `${planted} one`, [`${planted} first`, 'second'])
    await chatOf(ben, 'two', ['only'])
    const { id: collectionId } = await ben.call(documentsRoutes.createCollection, { body: { name: planted } })
    await uploadAndRead(ben, `The ${planted} of the library.`, { name: `${planted}.txt`, collectionId })
    const grant = { principalType: 'account', principalId: await idOf(cid), right: 'read' } as const
    await ben.call(accessRoutes.grant, { body: { resourceType: 'collection', resourceId: collectionId, ...grant } })
    await ben.call(settingsRoutes.update, { body: { systemMessage: planted } })
    const token = { name: planted, scopes: ['chat:read' as const] }
    await ben.call(apiTokensRoutes.createToken, { body: token })
    const group = await admin.call(groupsRoutes.addGroup, { body: { name: 'Design' } })
    await admin.call(groupsRoutes.addMember, { params: { id: group.id, accountId: id } })
    const budget = { name: 'Own', unit: 'tokens', amount: '100', period: 'weekly', mode: 'observe' } as const
    await admin.call(usageRoutes.addBudget, { body: { ...budget, principalType: 'account', principalId: id } })
    return id
  }
  const exported = async (ben: Client) => {
    for (const end = Date.now() + 120_000; ; await sleep(50)) {
      const { items } = await ben.call(routes.ownExports, {})
      if (items[0]?.state === 'ready') return items[0]
      if (items[0]?.state === 'failed' || Date.now() > end) throw new Error('no export was made')
    }
  }

  test('is counted first, and goes with the account: no row, no file and no key of it stays, and its name is free', async () => {
    await fresh()
    const admin = await open()
    const [ben, cid] = [await app.signUpUser('ben'), await app.signUpUser('cid')]
    const id = await fill(ben, admin, cid)
    await ben.call(routes.exportOwn, {})
    await exported(ben)
    const { counts, export: made } = await admin.call(routes.removal, { params: { id } })
    expect(counts).toMatchObject({
      chats: 2,
      messages: 3,
      documents: 1,
      collections: 1,
      shared: 1,
      losingAccess: 1,
      files: 2,
      sessions: 1,
      tokens: 1,
      groups: 1,
      budgets: 1,
    })
    expect(counts.bytes).toBeGreaterThan(100)
    expect(made).toMatchObject({ state: 'ready', byAdministrator: false })

    expect((await admin.answer(routes.remove, { params: { id } })).status).toBe(202)
    expect((await ben.answer(accountsRoutes.me, {})).status).toBeGreaterThanOrEqual(401)
    expect(await login(app.client(), 'ben')).toMatchObject({ code: 'wrong_credentials' })
    expect(await admin.refusal(userAdministrationRoutes.read, { params: { id } })).toMatchObject({
      code: 'user_not_found',
    })
    expect(await admin.refusal(routes.remove, { params: { id } })).toMatchObject({ code: 'user_not_found' })
    const again = await admin.call(userAdministrationRoutes.create, {
      body: { username: 'Ben', password: testPassword },
    })
    expect(again.id).not.toBe(id)
    await gone()
    expect((await cid.call(accessRoutes.sharedWithMe, {})).items).toEqual([])
    await app.stop()
    await look(async (database) => {
      expect(await tablesWith(database, id)).toEqual([])
      expect(await tablesWith(database, planted)).toEqual([])
      const rows = database.tables<{ files: { id: string }; vault_keys: { owner: string } }>()
      expect(await rows.selectFrom('files').selectAll().execute()).toEqual([])
      expect(await rows.selectFrom('vault_keys').selectAll().where('owner', '=', id).execute()).toEqual([])
    })
  })

  test('is taken along as one archive that its owner alone can open', async () => {
    await fresh()
    const admin = await open()
    const [ben, cid] = [await app.signUpUser('ben'), await app.signUpUser('cid')]
    const id = await fill(ben, admin, cid)
    expect((await admin.call(routes.export, { params: { id } })).byAdministrator).toBe(true)
    const { id: exportId, sizeBytes } = await exported(ben)
    for (const other of [admin, cid])
      expect(await other.refusal(routes.ownExport, { params: { id: exportId } })).toMatchObject({
        status: 404,
        code: 'export_not_found',
      })
    const blob = await ben.call(routes.ownExport, { params: { id: exportId } })
    expect(blob.size).toBe(sizeBytes)
    const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
    const read = (name: RegExp) => {
      const found = Object.keys(files).find((each) => name.test(each))
      return strFromU8(files[found ?? ''] ?? new Uint8Array())
    }
    expect(JSON.parse(read(/^account.json$/))).toMatchObject({ id, username: 'ben', apiTokens: [{ name: planted }] })
    expect(read(/^account.json$/)).not.toMatch(/atr_[\w-]{43}/)
    expect(JSON.parse(read(/^preferences.json$/))).toMatchObject({ systemMessage: planted })
    expect(JSON.parse(read(/^chats\/.*zyzzyvawort one.json$/))).toMatchObject({
      title: `${planted} one`,
      messages: [{ role: 'user', text: `${planted} first` }, { text: 'second' }],
    })
    expect(read(/^chats\/.*zyzzyvawort one.md$/)).toMatch(/^# zyzzyvawort one\n\n## You · .*\n\nzyzzyvawort first\n/)
    expect(read(/^documents\/.*zyzzyvawort.txt$/)).toBe(`The ${planted} of the library.`)
    expect(JSON.parse(read(/^documents\/index.json$/))).toMatchObject({
      collections: [planted],
      documents: [{ name: `${planted}.txt`, collection: planted }],
    })
    await ben.call(routes.removeExport, { params: { id: exportId } })
    expect((await ben.answer(routes.ownExport, { params: { id: exportId } })).status).toBe(404)
  })

  test('goes at its owner’s own wish, with a proof; the last administrator stays', async () => {
    await fresh()
    const admin = await open()
    const ben = await app.signUpUser('ben')
    const wrong = { body: { password: 'not the password' } }
    expect(await ben.refusal(routes.removeOwn, wrong)).toMatchObject({ status: 401, code: 'wrong_password' })
    const right = { body: { password: testPassword } }
    expect(await admin.refusal(routes.removeOwn, right)).toMatchObject({ status: 409, code: 'last_administrator' })
    const id = await idOf(admin)
    expect(await admin.refusal(routes.remove, { params: { id } })).toMatchObject({ status: 409, code: 'own_account' })
    expect((await ben.answer(routes.removeOwn, right)).status).toBe(202)
    expect(await login(app.client(), 'ben')).toMatchObject({ code: 'wrong_credentials' })
    await gone()
  })

  test('goes with the files of messages that it was going to send later', async () => {
    await fresh()
    const admin = await open()
    const ben = await app.signUpUser('ben')
    const { id } = await admin.call(channelsRoutes.create, {
      body: { type: 'private', name: 'Team', memberIds: [await idOf(ben)] },
    })
    const params = { channelId: id }
    const file = new Blob(['Never sent'], { type: 'text/plain' })
    const attachment = await ben.call(channelsRoutes.attach, { params, query: { name: 'plan.txt' }, file })
    const sendAt = new Date(Date.now() + 3600_000).toISOString()
    await ben.call(channelsRoutes.schedule, { params, body: { content: '', sendAt, attachmentIds: [attachment.id] } })
    await ben.call(routes.removeOwn, { body: { password: testPassword } })
    await gone()
    await app.stop()
    const left = await look((database) =>
      database.tables<Record<string, { id: string }>>().selectFrom('channel_attachments').select('id').execute(),
    )
    expect(left).toEqual([])
  })

  test('goes on the day that was set, until when its owner can sign in, unless it is called off', async () => {
    await fresh()
    const admin = await open()
    const [ben, cid] = [await app.signUpUser('ben'), await app.signUpUser('cid')]
    const [id, kept] = [await idOf(ben), await idOf(cid)]
    for (const each of [id, kept]) await admin.call(routes.schedule, { params: { id: each }, body: { inDays: 3 } })
    const { removalAt } = await admin.call(userAdministrationRoutes.read, { params: { id } })
    expect(Date.parse(removalAt ?? '')).toBeGreaterThan(Date.now() + 2.9 * 86_400_000)
    expect((await ben.call(routes.ownRemoval, {})).removalAt).toBe(removalAt)
    await admin.call(routes.callOff, { params: { id: kept } })
    shift = 3.1 * 86_400_000
    for (const end = Date.now() + 120_000; (await ben.answer(accountsRoutes.me, {})).status === 200; await sleep(200))
      if (Date.now() > end) throw new Error('the account is still there')
    await gone()
    expect((await cid.answer(accountsRoutes.me, {})).status).toBe(200)
  })

  test('goes while an answer is being written', async () => {
    await fresh()
    const admin = await open()
    const ben = await app.signUpUser('ben')
    const id = await idOf(ben)
    const { id: sessionId } = await ben.call(chatRoutes.create, { body: { selection: local('long-400-drip-25') } })
    const { generationId } = await ben.call(chatRoutes.startGeneration, {
      params: { sessionId },
      body: { message: planted },
    })
    expect(generationId).toBeTruthy()
    await sleep(300)
    await admin.call(routes.remove, { params: { id } })
    await gone()
    // What was counted meanwhile goes a minute later.
    shift = 120_000
    await app.restart()
    await nothingLeft(id, 1200)
    expect(app.lines.filter((line) => line['level'] === 'error')).toEqual([])
  })

  test('goes to its end after kill -9 in the middle', async () => {
    await fresh()
    const admin = await open(true)
    const made = { username: 'ben', password: testPassword }
    const { id } = await admin.call(userAdministrationRoutes.create, { body: made })
    const answer = await app.client().call(accountsRoutes.login, { body: made })
    const ben = app.client('token' in answer ? answer.token : '')
    for (let n = 0; n < 120; n++) await chatOf(ben, `Chat ${n}`, [planted])
    await uploadAndRead(ben, `The ${planted}.`)
    await admin.call(routes.remove, { params: { id } })
    await app.kill()
    const count = (database: Database) =>
      database.tables<{ chat_sessions: { id: string } }>().selectFrom('chat_sessions').select('id').execute()
    // Killed in the middle: most of it is there.
    expect((await look(count)).length).toBeGreaterThan(0)
    await app.restart()
    expect(await login(app.client(), 'ben')).toMatchObject({ code: 'wrong_credentials' })
    // The process that died is missed after two seconds.
    await nothingLeft(id, 4000)
  })
})
