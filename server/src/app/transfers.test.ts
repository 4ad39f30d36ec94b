/** Ownership that passes from one account to another, over the areas that have a part in it. */
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { settingsRoutes } from '@atrium/contract/settings'
import { transfersRoutes as routes } from '@atrium/contract/transfers'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, describe, expect, test } from 'vitest'
import type { TransferTables } from '../core/transfers/tables.ts'
import { openAllValues } from '../platform/backups/open-all.ts'
import { createLog } from '../platform/log/log.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import { local } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'
import { realClock } from '../testing/clock.ts'
import { createPostgresDatabase, dropPostgresDatabase, usualDialects } from '../testing/databases.ts'
import { uploadAndRead } from '../testing/documents.ts'
import { signedIn } from '../testing/sign-in.ts'
import { migrations, sealed } from './areas.ts'
import { configFromEnv } from './config.ts'
import { openStorage } from './storage.ts'

const day = 24 * 3600_000
const patience = { timeout: 120_000, interval: 30 }

describe.each(usualDialects)('transfers (%s)', (dialect) => {
  let databaseUrl: string | undefined
  let app: TestApp
  let shift = 0
  const open = async (ownProcess = false) => {
    shift = 0
    databaseUrl = dialect === 'postgres' ? await createPostgresDatabase() : undefined
    const clock = { ...realClock, now: () => realClock.now() + shift }
    const env = { SESSION_DAYS: '3650', SESSION_IDLE_HOURS: '87600', ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    app = await startTestApp({ env, ownProcess, ...(ownProcess ? {} : { overrides: { clock } }) })
    const admin = await app.signUpAdmin()
    if (ownProcess) {
      const login = { username: 'ben', password: testPassword }
      await admin.call(userAdministrationRoutes.create, { body: login })
      const { token } = signedIn(await app.client().call(accountsRoutes.login, { body: login }))
      const ben = app.client(token)
      return { admin, ann: admin, ben, cid: ben }
    }
    const [ann, ben, cid] = [await app.signUpUser('ann'), await app.signUpUser('ben'), await app.signUpUser('cid')]
    return { admin, ann, ben, cid }
  }
  afterEach(async () => {
    await app.close()
    if (databaseUrl) await dropPostgresDatabase(databaseUrl)
  })

  const idOf = async (client: Client) => (await client.call(accountsRoutes.me, {})).id
  const collectionOf = async (client: Client, name: string, words = 'About sealing wax.') => {
    const { id } = await client.call(documentsRoutes.createCollection, { body: { name } })
    const { id: documentId } = await uploadAndRead(client, words, { name: `${name}.txt`, collectionId: id })
    return { id, documentId }
  }
  const share = async (owner: Client, resourceType: 'chat' | 'collection', resourceId: string, reader: Client) =>
    owner.call(accessRoutes.grant, {
      body: { resourceType, resourceId, principalType: 'account', principalId: await idOf(reader) },
    })
  const offer = async (owner: Client, resourceType: 'chat' | 'collection', resourceId: string, to: Client) =>
    owner.call(routes.offer, { body: { resourceType, resourceId, toAccountId: await idOf(to) } })
  const accept = (client: Client, id: string) => client.call(routes.accept, { params: { id } })
  const refusedAcceptance = async (client: Client, id: string) =>
    (await client.refusal(routes.accept, { params: { id } })).code
  const waiting = async (client: Client, direction: 'in' | 'out' = 'in') =>
    (await client.call(routes.list, { query: { direction } })).items
  const rightOf = async (client: Client, resourceType: 'chat' | 'collection', resourceId: string) =>
    (await client.call(accessRoutes.effective, { query: { resourceType, resourceId } })).right
  const owns = async (client: Client, type: 'chat' | 'collection', id: string) => {
    await expect.poll(() => rightOf(client, type, id), patience).toBe('owner')
  }
  const textOf = async (client: Client, documentId: string) =>
    (await client.call(documentsRoutes.read, { params: { documentId } })).content
  /** Works on the rows while no process does. */
  const look = async (work: (storage: Awaited<ReturnType<typeof openStorage>>) => Promise<void>) => {
    const config = configFromEnv({ DATA_DIR: app.dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
    const log = createLog({ level: 'silent' })
    const storage = await openStorage(config, migrations, { clock: realClock, log, version: '1', metrics: null })
    try {
      await work(storage)
    } finally {
      await storage.database.close()
    }
  }
  const gone = async () => {
    await expect.poll(() => app.accounts.removals.begun(), patience).toEqual([])
  }

  test('a collection comes with texts, files and words, and all of it opens with the key of its new owner alone', async () => {
    const { ann, ben, cid } = await open()
    const { id, documentId } = await collectionOf(ann, 'Wax')
    await collectionOf(ben, 'Wax')
    await share(ann, 'collection', id, cid)
    await accept(ben, (await offer(ann, 'collection', id, ben)).id)
    await owns(ben, 'collection', id)
    const { items } = await ben.call(documentsRoutes.collections, { query: {} })
    expect(items.map(({ name }) => name).sort()).toEqual(['Wax', 'Wax (2)'])
    for (const client of [ben, cid]) expect(await textOf(client, documentId)).toBe('About sealing wax.')
    await ann.call(accountDataRoutes.removeOwn, { body: { password: testPassword } })
    await gone()
    for (const client of [ben, cid]) expect(await textOf(client, documentId)).toBe('About sealing wax.')
    const original = await ben.answer(documentsRoutes.source, { params: { documentId } })
    expect(await original.text()).toBe('About sealing wax.')

    await app.stop()
    await look(async ({ database, backupSource: { instanceKey } }) => {
      const { values } = await openAllValues(database, sealed, { instanceKey })
      expect(values).toBeGreaterThan(20)
    })
  })

  test('a chat comes as its readers see it, without other branches, drafts and settings of its former owner', async () => {
    const { ann, ben, cid } = await open()
    const { id } = await ann.call(chatRoutes.create, { body: { title: 'Wax', selection: local('echo') } })
    const params = { sessionId: id }
    const own = { settings: { systemMessage: 'Secret' }, tags: ['hers'] }
    await ann.call(chatRoutes.update, { params, body: own })
    const say = (content: string) => ann.call(chatRoutes.addMessage, { params, body: { role: 'user', content } })
    await say('First')
    const { id: messageId } = await say('A branch for myself')
    const body = { content: 'What everybody sees' }
    await ann.call(chatRoutes.addBranch, { params: { ...params, messageId }, body })
    await share(ann, 'chat', id, cid)
    await accept(ben, (await offer(ann, 'chat', id, ben)).id)
    await owns(ben, 'chat', id)
    const shown = await ben.call(chatRoutes.read, { params })
    expect(shown).toMatchObject({ settings: {}, tags: [] })
    for (const client of [ann, ben]) expect((await client.call(chatRoutes.tags, {})).items).toEqual([])
    const exported = await ben.answer(chatRoutes.export, { params, query: { format: 'json' } })
    const all = await exported.text()
    expect(all).toContain('What everybody sees')
    expect(all).not.toContain('A branch for myself')
    expect(await rightOf(cid, 'chat', id)).toBe('read')
    expect(await rightOf(ann, 'chat', id)).toBe(null)
    expect((await ann.call(chatRoutes.list, { query: {} })).items).toEqual([])
    await ben.call(chatRoutes.addMessage, { params, body: { role: 'user', content: 'Mine now' } })
  })

  test('of acceptances at once one is carried out, and after it nobody can withdraw', async () => {
    const { ann, ben, cid } = await open()
    const { id } = await collectionOf(ann, 'Wax')
    const { id: transferId } = await offer(ann, 'collection', id, ben)
    const answers = await Promise.all([1, 2, 3].map(() => ben.answer(routes.accept, { params: { id: transferId } })))
    expect(answers.every(({ status }) => status === 202 || status === 404)).toBe(true)
    await owns(ben, 'collection', id)
    for (const client of [ann, ben])
      await expect
        .poll(async () => (await client.refusal(routes.end, { params: { id: transferId } })).code, patience)
        .toBe('transfer_not_found')
    const { items } = await ann.call(notificationsRoutes.list, { query: {} })
    expect(items.filter(({ kind }) => kind === 'transfer')).toMatchObject([
      { facts: { outcome: 'accepted', by: 'ben' } },
    ])
    expect(await refusedAcceptance(cid, transferId)).toBe('transfer_not_found')
  })

  test('an offer ends by time, with the account of either side, and when the thing is not there any more', async () => {
    const { admin, ann, ben, cid } = await open()
    const things = await Promise.all(['a', 'b', 'c'].map((name) => collectionOf(ann, name)))
    const offers = await Promise.all(things.map(({ id }) => offer(ann, 'collection', id, ben)))
    const [inTrash, disabled, late] = offers.map(({ id }) => id) as [string, string, string]
    expect(await waiting(ben)).toHaveLength(3)
    await ann.call(documentsRoutes.removeCollection, { params: { collectionId: things[0]?.id ?? '' } })
    expect(await waiting(ben)).toHaveLength(2)
    expect(await refusedAcceptance(ben, inTrash)).toBe('transfer_not_found')

    const setStatus = async (client: string, status: 'active' | 'disabled') =>
      admin.call(userAdministrationRoutes.setStatus, { params: { id: client }, body: { status } })
    const annId = await idOf(ann)
    await setStatus(annId, 'disabled')
    expect(await waiting(ben)).toEqual([])
    expect(await refusedAcceptance(ben, disabled)).toBe('transfer_not_found')
    await setStatus(annId, 'active')
    shift += 14 * day
    expect(await refusedAcceptance(ben, late)).toBe('transfer_not_found')
    expect(await waiting(cid)).toEqual([])
  })

  test('what the recipient has no room for is refused when it is accepted, and stays an offer', async () => {
    const { admin, ann, ben } = await open()
    const { id } = await collectionOf(ann, 'Wax', 'x'.repeat(2000))
    const { id: transferId } = await offer(ann, 'collection', id, ben)
    await admin.call(settingsRoutes.updateInstance, { body: { storageQuotaBytes: 1000 } })
    expect(await refusedAcceptance(ben, transferId)).toBe('quota_full')
    expect(await waiting(ben)).toMatchObject([{ id: transferId, state: 'offered' }])
    await admin.call(settingsRoutes.updateInstance, { body: { storageQuotaBytes: 1_000_000 } })
    await accept(ben, transferId)
    await owns(ben, 'collection', id)
  })

  test('an account is not deleted while things of it are offered, unless its owner says so', async () => {
    const { ann, ben } = await open()
    const { id } = await collectionOf(ann, 'Wax')
    await share(ann, 'collection', id, ben)
    expect((await ann.call(accountDataRoutes.ownRemoval, {})).lost).toEqual([
      { kind: 'collection', count: 1, items: [{ id, name: 'Wax' }] },
    ])
    const body = { toAccountId: await idOf(ben) }
    expect(await ann.call(routes.offerAll, { body })).toEqual({ offered: 1, left: 0 })
    expect(await ann.call(routes.offerAll, { body })).toEqual({ offered: 0, left: 1 })
    const proof = { password: testPassword }
    expect((await ann.refusal(accountDataRoutes.removeOwn, { body: proof })).code).toBe('transfers_open')
    await ann.call(accountDataRoutes.removeOwn, { body: { ...proof, despiteTransfers: true } })
    await gone()
    expect(await waiting(ben)).toEqual([])
    const { items } = await ben.call(notificationsRoutes.list, { query: {} })
    expect(items.filter(({ kind }) => kind === 'transfer-offer')).toEqual([])
  })

  test('whoever is to be deleted on a day puts it off by offers for two weeks at most', async () => {
    const { admin, ann, ben } = await open()
    const { id } = await ann.call(chatRoutes.create, { body: { title: 'Wax', selection: local('echo') } })
    await admin.call(accountDataRoutes.schedule, { params: { id: await idOf(ann) }, body: { inDays: 3 } })
    const { id: first } = await offer(ann, 'chat', id, ben)
    shift += 10 * day
    await ann.call(routes.end, { params: { id: first } })
    await offer(ann, 'chat', id, ben)
    shift += 8 * day
    const seldom = { ...patience, interval: 500 }
    await expect.poll(async () => (await ann.answer(accountsRoutes.me, {})).status, seldom).toBe(401)
    await gone()
    expect(await waiting(ben)).toEqual([])
  })

  test('what came to an account just before it was deleted goes with it, and so does the word of that', async () => {
    const { ann, ben } = await open()
    const row = {
      id: 't',
      resource_type: 'collection',
      resource_id: 'c',
      from_id: await idOf(ann),
      to_id: await idOf(ben),
      by_id: await idOf(ann),
      keeps: null,
      state: 'sealing',
      failure: null,
      created_at: 1,
      expires_at: 1,
    } as const
    await app.stop()
    await look(async ({ database }) => {
      await database.tables<TransferTables>().insertInto('ownership_transfers').values(row).execute()
    })
    await app.restart()
    await ben.call(accountDataRoutes.removeOwn, { body: { password: testPassword } })
    await gone()
    await app.stop()
    await look(async ({ database }) => {
      expect(await database.tables<TransferTables>().selectFrom('ownership_transfers').select('id').execute()).toEqual(
        [],
      )
    })
  })

  test('what was accepted and is worked on no more is an offer again, and says so', async () => {
    const { admin, ann, ben } = await open()
    const { id } = await collectionOf(ann, 'Wax')
    const { id: transferId } = await offer(ann, 'collection', id, ben)
    await app.stop()
    // As it is left by a process that was killed at the last try.
    await look(async ({ database }) => {
      const rows = database.tables<TransferTables>().updateTable('ownership_transfers')
      await rows.set({ state: 'accepted' }).where('id', '=', transferId).execute()
    })
    await app.restart()
    const { recurring } = await admin.call(durableJobsRoutes.summary, {})
    const upkeep = recurring.find(({ kind }) => kind === 'transfers.upkeep')
    await admin.call(durableJobsRoutes.run, { params: { id: upkeep?.id ?? '' } })
    const shown = [expect.objectContaining({ id: transferId, state: 'offered', failure: 'failed' })]
    await expect.poll(() => waiting(ben), patience).toEqual(shown)
    expect(await waiting(ann, 'out')).toEqual(shown)
    await accept(ben, transferId)
    await owns(ben, 'collection', id)
  })

  test('an administrator offers what the recipient reads already, and learns no name', async () => {
    const { admin, ann, ben, cid } = await open()
    const [seen, unseen] = [await collectionOf(ann, 'Seen'), await collectionOf(ann, 'Unseen')]
    await share(ann, 'collection', seen.id, ben)
    await share(ann, 'collection', unseen.id, cid)
    const params = { id: await idOf(ann) }
    const before = await admin.call(accountDataRoutes.removal, { params })
    expect(before.lost).toEqual([{ kind: 'collection', count: 2, items: [] }])
    const body = { toAccountId: await idOf(ben) }
    expect(await admin.call(routes.offerOf, { params, body })).toEqual({ offered: 1, left: 1 })
    expect((await admin.refusal(accountDataRoutes.remove, { params, query: {} })).code).toBe('transfers_open')
    expect(await waiting(admin, 'out')).toEqual([])
    expect(await waiting(ann, 'out')).toMatchObject([{ name: 'Seen', byAdministrator: true }])
    expect(await admin.call(routes.endOf, { params })).toEqual({ withdrawn: 1 })
    expect(await waiting(ben)).toEqual([])
    expect(await admin.call(routes.endOf, { params })).toEqual({ withdrawn: 0 })
    await admin.call(routes.offerOf, { params, body })
    const [offered] = await waiting(ben)
    await accept(ben, offered?.id ?? '')
    await owns(ben, 'collection', seen.id)
    expect(await rightOf(ben, 'collection', unseen.id)).toBe(null)
    expect(await rightOf(admin, 'collection', seen.id)).toBe(null)
  })

  test('a process that is killed while it hands things over leaves each whole, and the next one goes on', async () => {
    const { ann, ben } = await open(true)
    const things = [await collectionOf(ann, 'Wax'), await collectionOf(ann, 'Ink')]
    for (const { id } of things) await accept(ben, (await offer(ann, 'collection', id, ben)).id)
    await app.kill()
    await app.restart()
    for (const { id, documentId } of things) {
      // It may pass on between two requests, and then it passes to ben.
      const text = await textOf(ann, documentId).catch(() => textOf(ben, documentId))
      expect(text).toBe('About sealing wax.')
      await owns(ben, 'collection', id)
      expect(await textOf(ben, documentId)).toBe('About sealing wax.')
    }
  })
})
