import { randomBytes } from 'node:crypto'
import { accessRoutes as routes } from '@atrium/contract/access'
import { afterEach, expect, test } from 'vitest'
import { createResourceRegistry, type Shareable } from '../resources/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccess, principalsOf } from '../../testing/access.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { createTestNotifications } from '../../testing/notifications.ts'
import { createTestPlaces, testPlaceMigrations } from '../../testing/places.ts'
import { serveAreas } from '../../testing/serve.ts'
import { accessMigrations } from './index.ts'
import { notificationMigrations } from '../notifications/index.ts'

const stops: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

onBothDatabases('grants', (open) => {
  const start = async () => {
    const clock = testClock()
    const database = await open([
      ...testAccountMigrations,
      ...accessMigrations,
      ...notificationMigrations,
      ...testPlaceMigrations,
    ])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const accounts = createTestAccounts({
      database,
      vault,
      clock,
      log: createLog({ level: 'silent' }),
      version: '1',
      signupEnabled: async () => true,
      announce: async () => undefined,
    })
    stops.push(() => accounts.close())
    const account = async (username: string, status?: 'pending' | 'disabled') =>
      (
        await accounts.createAccount({
          username,
          password: 'correct horse battery',
          email: `${username}@example.org`,
          ...(status ? { status } : {}),
        })
      ).id
    const [ann, ben, cleo] = [await account('ann'), await account('ben'), await account('cleo')]
    const principals = principalsOf(accounts)
    const interrupted: string[] = []
    const announced: string[] = []
    const resources = createResourceRegistry()
    const instance = { signupEnabled: false }
    const notifications = createTestNotifications({ database, vault, clock })
    const queued: unknown[] = []
    const access = createTestAccess({
      jobs: {
        prepare: async (_kind, payload) => ({
          write: async () => void queued.push(payload),
          tell: async () => undefined,
        }),
      },
      notifications,
      resources,
      database,
      vault,
      clock,
      principals,
      signupEnabled: async () => instance.signupEnabled,
      interrupt: async (ids) => void interrupted.push(...ids),
      announce: async (id, { type }) => void announced.push(`${type} ${id}`),
    })
    const things = new Map([
      ['reports', { accountId: ann, name: 'Reports' }],
      ['recipes', { accountId: ann, name: 'Recipes' }],
      ['bens', { accountId: ben, name: "Ben's own" }],
    ])
    const told: [string, readonly string[]][] = []
    const places = createTestPlaces(database)
    for (const [id, { accountId }] of things)
      await places.put('collection', id, { owner_id: accountId, within_id: null, shown: 1 })
    const collection: Shareable = {
      missing: 'collection_not_found',
      places: places.of('collection'),
      within: null,
      describe: async (ids) => new Map([...things].filter(([id]) => ids.includes(id))),
      changed: async (id, accountIds) => void told.push([id, accountIds]),
      list: async () => ({ items: [], nextCursor: null }),
    }
    resources.add({ collection })
    const served = await serveAreas({
      areas: [access.area],
      clock,
      authenticate: async ({ bearer }) =>
        bearer ? { accountId: bearer, sessionId: 's', role: 'user', via: 'bearer', token: null } : null,
    })
    stops.push(() => served.stop())
    const as = (id: string) => served.guest.as(id)
    const share = (principalId: string, more: object = {}) =>
      as(ann).call(routes.grant, {
        body: { resourceType: 'collection', resourceId: 'reports', principalType: 'account', principalId, ...more },
      })
    const notified = async (id: string) =>
      (await Array.fromAsync(notifications.listAll(id))).flat().map(({ kind, facts }) => ({ kind, ...facts }))
    /** What the job tells that was queued first. */
    const runGroupJob = async () => {
      const [handler] = Object.values(access.jobs)
      const context = { jobId: 'j', accountId: null, attempt: 1, signal: AbortSignal.timeout(60_000) }
      const rest = { progress: () => undefined, guard: async () => undefined }
      await handler?.prepare(queued.shift() as never)?.({ ...context, ...rest })
    }
    const reached = async (id: string) => (await access.listReachable(id, 'collection')).map((it) => it.resourceId)
    return {
      access,
      accounts,
      instance,
      account,
      ann,
      ben,
      cleo,
      as,
      share,
      reached,
      notified,
      queued,
      runGroupJob,
      clock,
      places,
      told,
      interrupted,
      announced,
    }
  }
  const reports = { resourceType: 'collection', resourceId: 'reports' } as const

  test('what one shares is listed page by page, newest first, without what ended or is in the trash', async () => {
    const { ann, ben, cleo, as, share, clock, places } = await start()
    const first = await share(ben)
    clock.advance(1000)
    const second = await share(cleo, { expiresAt: new Date(clock.now() + 60_000).toISOString() })
    const page = await as(ann).call(routes.sharedByMe, { query: { limit: 1 } })
    expect(page.items.map(({ id }) => id)).toEqual([second.id])
    const rest = await as(ann).call(routes.sharedByMe, { query: { limit: 1, cursor: page.nextCursor ?? '' } })
    expect(rest).toMatchObject({ items: [{ id: first.id }], nextCursor: null })
    clock.advance(60_000)
    expect((await as(ann).call(routes.sharedByMe, {})).items.map(({ id }) => id)).toEqual([first.id])
    await places.put('collection', 'reports', { owner_id: ann, within_id: null, shown: 0 })
    expect((await as(ann).call(routes.sharedByMe, {})).items).toEqual([])
  })

  test('a thing is shared, seen by whom it is shared with, and gone with the next call after it is revoked', async () => {
    const { access, ann, ben, cleo, as, share, reached, told, announced } = await start()
    const grant = await share(ben)
    expect(grant).toMatchObject({ ...reports, principal: { type: 'account', id: ben, name: 'ben' }, right: 'read' })
    expect(await access.listReachable(ben, 'collection')).toEqual([
      { resourceId: 'reports', ownerId: ann, right: 'read' },
    ])
    expect(await reached(cleo)).toEqual([])
    expect(await reached(ann)).toEqual([])
    expect(await access.countGrants('collection', ['reports', 'recipes'])).toEqual(new Map([['reports', 1]]))
    expect((await as(ben).call(routes.sharedWithMe, {})).items).toEqual([
      {
        ...reports,
        name: 'Reports',
        ownerName: 'ann',
        ownerAvatar: null,
        right: 'read',
        grantId: grant.id,
        expiresAt: null,
        sharedAt: grant.createdAt,
      },
    ])
    expect(await as(ann).call(routes.sharedByMe, {})).toEqual({
      items: [{ ...grant, name: 'Reports' }],
      nextCursor: null,
    })
    for (const other of [ben, cleo]) expect((await as(other).call(routes.sharedByMe, {})).items).toEqual([])
    await as(ann).call(routes.revoke, { params: { id: grant.id } })
    expect((await as(ann).call(routes.sharedByMe, {})).items).toEqual([])
    expect(await reached(ben)).toEqual([])
    expect((await as(ben).call(routes.sharedWithMe, {})).items).toEqual([])
    expect(told).toEqual([
      ['reports', [ben]],
      ['reports', [ben]],
    ])
    expect(announced).toEqual([`shared-changed ${ben}`, `shared-changed ${ben}`])
  })

  test('the same account again changes its grant', async () => {
    const { ann, ben, as, share, access } = await start()
    const first = await share(ben)
    const second = await share(ben, { right: 'write' })
    expect(second).toMatchObject({ id: first.id, right: 'write' })
    expect((await as(ann).call(routes.grants, { query: reports })).items).toEqual([second])
    expect(await access.listReachable(ben, 'collection')).toMatchObject([{ right: 'write' }])
  })

  test('only the owner grants, lists and revokes: to readers that is refused, to everybody else there is nothing', async () => {
    const { ann, ben, cleo, as, share } = await start()
    const grant = await share(ben, { right: 'write' })
    await share(cleo)
    const grantOf = (await as(ann).call(routes.grants, { query: reports })).items.find(
      ({ principal }) => principal.id === cleo,
    )
    const body = { ...reports, principalType: 'account', principalId: cleo } as const
    for (const refused of [
      as(ben).refusal(routes.grant, { body }),
      as(ben).refusal(routes.grants, { query: reports }),
      as(ben).refusal(routes.revoke, { params: { id: grantOf?.id ?? '' } }),
    ])
      expect(await refused).toMatchObject({ status: 403, code: 'right_missing' })
    await as(ann).call(routes.revoke, { params: { id: grantOf?.id ?? '' } })
    expect(await as(cleo).refusal(routes.grant, { body })).toMatchObject({ status: 404, code: 'resource_not_found' })
    expect((await as(cleo).refusal(routes.grants, { query: reports })).code).toBe('resource_not_found')
    expect((await as(cleo).refusal(routes.revoke, { params: { id: grant.id } })).code).toBe('grant_not_found')
    const gone = { resourceType: 'collection', resourceId: 'nothing' } as const
    expect((await as(ann).refusal(routes.grants, { query: gone })).code).toBe('resource_not_found')
    expect((await as(ann).refusal(routes.revoke, { params: { id: 'nothing' } })).code).toBe('grant_not_found')
  })

  test('who has the right to manage shares on, but not with the owner, and everybody may give back what is theirs', async () => {
    const { ann, ben, cleo, as, share, reached } = await start()
    const own = await share(ben, { right: 'admin' })
    const body = { ...reports, principalType: 'account', principalId: cleo } as const
    const passed = await as(ben).call(routes.grant, { body })
    expect(await reached(cleo)).toEqual(['reports'])
    expect((await as(ben).call(routes.grants, { query: reports })).items).toHaveLength(2)
    expect((await as(ben).refusal(routes.grant, { body: { ...body, principalId: ann } })).code).toBe(
      'validation_failed',
    )
    await as(cleo).call(routes.revoke, { params: { id: passed.id } })
    expect(await reached(cleo)).toEqual([])
    await as(ben).call(routes.revoke, { params: { id: own.id } })
    expect((await as(ben).refusal(routes.grants, { query: reports })).code).toBe('resource_not_found')
  })

  test('a grant ends by itself', async () => {
    const { ann, ben, as, share, reached, clock, access, interrupted, told } = await start()
    const expiresAt = new Date(clock.now() + 60_000).toISOString()
    expect((await share(ben, { expiresAt })).expiresAt).toBe(expiresAt)
    expect(await reached(ben)).toEqual(['reports'])
    clock.advance(60_000)
    expect(await reached(ben)).toEqual([])
    expect((await as(ann).call(routes.grants, { query: reports })).items).toEqual([])
    expect(await access.countGrants('collection', ['reports'])).toEqual(new Map())
    interrupted.length = 0
    await access.endExpired()
    expect(interrupted).toEqual([ben])
    expect(told.at(-1)).toEqual(['reports', [ben]])
    await access.endExpired()
    expect(interrupted).toEqual([ben])
    await expect(share(ben, { expiresAt })).rejects.toThrow('body.expiresAt')
    await share(ben)
    expect(await reached(ben)).toEqual(['reports'])
  })

  test('members of a group reach its things as long as they are in it', async () => {
    const { accounts, ann, ben, cleo, as, share, reached, told, access, interrupted } = await start()
    const group = await accounts.groups.add('Editors')
    await accounts.groups.addMember(group.id, ben)
    await accounts.groups.addMember(group.id, ann)
    const grant = await share(group.id, { principalType: 'group', right: 'write' })
    expect(grant.principal).toEqual({ type: 'group', id: group.id, name: 'Editors', avatar: null })
    expect(told[0]?.[1].toSorted()).toEqual([ann, ben].toSorted())
    expect((await as(ann).call(routes.grants, { query: reports })).items).toEqual([grant])
    expect(await reached(ben)).toEqual(['reports'])
    expect(await reached(ann)).toEqual([])
    await accounts.groups.addMember(group.id, cleo)
    expect(await reached(cleo)).toEqual(['reports'])
    expect((await access.listReaders('collection', 'reports')).toSorted()).toEqual([ann, ben, cleo].toSorted())
    await accounts.groups.removeMember(group.id, ben)
    expect(await reached(ben)).toEqual([])
    await share(ben)
    expect(await access.listReachable(ben, 'collection')).toMatchObject([{ right: 'read' }])
    expect((await as(ann).call(routes.principalGroups, {})).items).toEqual([grant.principal])
    accounts.groups.onRemoved(access.removeGroup)
    accounts.groups.onMembersChanged(access.announceMembers)
    interrupted.length = 0
    await accounts.groups.removeMember(group.id, cleo)
    await accounts.groups.addMember(group.id, cleo)
    expect(interrupted).toEqual([cleo, cleo])
    expect(told.at(-1)).toEqual(['reports', [cleo]])
    interrupted.length = 0
    await accounts.groups.remove(group.id)
    expect(interrupted.toSorted()).toEqual([ann, cleo].toSorted())
    expect(await reached(cleo)).toEqual([])
    expect((await as(ann).call(routes.grants, { query: reports })).items).toHaveLength(1)
  })

  test('what a group has is left by one member alone, until it is shared with that one directly', async () => {
    const { accounts, ann, ben, cleo, as, share, reached, access, told } = await start()
    const group = await accounts.groups.add('Editors')
    for (const id of [ben, cleo]) await accounts.groups.addMember(group.id, id)
    await share(group.id, { principalType: 'group' })
    await share(ben)
    told.length = 0
    await as(ben).call(routes.leave, { body: reports })
    expect(told.map(([, ids]) => ids)).toEqual([[ben], [ben]])
    expect([await reached(ben), await reached(cleo)]).toEqual([[], ['reports']])
    expect((await as(ben).refusal(routes.grants, { query: reports })).code).toBe('resource_not_found')
    expect(await access.listReaders('collection', 'reports')).toEqual([cleo])
    expect((await as(ben).refusal(routes.leave, { body: reports })).code).toBe('resource_not_found')
    await share(group.id, { principalType: 'group', right: 'write' })
    expect(await reached(ben)).toEqual([])
    await share(ben)
    expect(await reached(ben)).toEqual(['reports'])
    expect((await as(ann).call(routes.grants, { query: reports })).items).toHaveLength(2)
  })

  test('members of a group are told of what they could not reach before, until they cannot reach it any more', async () => {
    const { accounts, ann, ben, cleo, account, as, share, notified, access, queued } = await start()
    accounts.groups.onRemoved(access.removeGroup)
    accounts.groups.onMembersChanged(access.announceMembers)
    const dora = await account('dora')
    const group = await accounts.groups.add('Editors')
    for (const id of [ann, ben, cleo, dora]) await accounts.groups.addMember(group.id, id)
    await share(dora)
    const grant = await share(group.id, { principalType: 'group' })
    await share(group.id, { principalType: 'group', right: 'write' })
    const shared = { kind: 'share', resourceType: 'collection', resourceId: 'reports', name: 'Reports', by: 'ann' }
    expect([await notified(ben), await notified(cleo)]).toEqual([[shared], [shared]])
    expect([await notified(ann), (await notified(dora)).length, queued]).toEqual([[], 1, []])
    await as(ben).call(routes.leave, { body: reports })
    expect([await notified(ben), await notified(cleo)]).toEqual([[], [shared]])
    await accounts.groups.removeMember(group.id, cleo)
    expect(await notified(cleo)).toEqual([])
    await accounts.groups.addMember(group.id, cleo)
    await as(ann).call(routes.revoke, { params: { id: grant.id } })
    await share(group.id, { principalType: 'group' })
    expect([await notified(ben), await notified(cleo)]).toEqual([[shared], [shared]])
    await accounts.groups.remove(group.id)
    expect([await notified(ben), await notified(cleo), (await notified(dora)).length]).toEqual([[], [], 1])
  })

  test('members of a large group are told by a job, which tells nobody of a grant that ended meanwhile', async () => {
    const { accounts, ann, ben, account, as, share, notified, queued, runGroupJob } = await start()
    const group = await accounts.groups.add('Everybody')
    const ids = [ben]
    for (let at = 0; at < 11; at += 1) ids.push(await account(`member${at}`))
    for (const id of ids) await accounts.groups.addMember(group.id, id)
    const first = await share(group.id, { principalType: 'group' })
    expect([queued.length, await notified(ben)]).toEqual([1, []])
    await as(ann).call(routes.revoke, { params: { id: first.id } })
    await runGroupJob()
    expect(await notified(ben)).toEqual([])
    await share(group.id, { principalType: 'group' })
    // Who left it meanwhile hears nothing of it any more.
    const left = ids.pop() ?? ''
    await as(left).call(routes.leave, { body: reports })
    // Who gets a right of one's own before the job has come that far is told of that.
    await share(ben)
    queued.push(queued[0])
    await runGroupJob()
    await runGroupJob()
    expect(await Promise.all(ids.map(async (id) => (await notified(id)).length))).toEqual([
      2,
      ...ids.slice(1).map(() => 1),
    ])
    expect(await notified(left)).toEqual([])
  })

  test('nobody shares with themselves, with who is not active, or with who is not there', async () => {
    const { ann, account, share } = await start()
    await expect(share(ann)).rejects.toThrow('body.principalId')
    for (const id of ['nobody', await account('dora', 'pending'), await account('emil', 'disabled')])
      await expect(share(id)).rejects.toThrow('principal_not_found')
    await expect(share('nothing', { principalType: 'group' })).rejects.toThrow('principal_not_found')
  })

  test('a thing that is gone is reached by nobody, also while its grants stand', async () => {
    const { access, ann, ben, share, reached, places } = await start()
    await share(ben)
    await places.remove('collection', 'reports')
    expect(await reached(ben)).toEqual([])
    await places.put('collection', 'reports', { owner_id: ann, within_id: null, shown: 1 })
    expect(await reached(ben)).toEqual(['reports'])
    await access.removeGrants('collection', ['reports'])
    expect(await reached(ben)).toEqual([])
  })

  test('whom something is shared with is notified once, for as long as it is shared and there', async () => {
    const { access, ann, as, ben, clock, notified, share } = await start()
    const notice = { kind: 'share', resourceType: 'collection', resourceId: 'reports', name: 'Reports', by: 'ann' }
    const { id } = await share(ben)
    await share(ben, { right: 'write' })
    expect(await notified(ben)).toEqual([notice])
    await as(ann).call(routes.revoke, { params: { id } })
    expect(await notified(ben)).toEqual([])
    await share(ben, { expiresAt: new Date(clock.now() + 1000).toISOString() })
    expect(await notified(ben)).toEqual([notice])
    clock.advance(1000)
    await access.endExpired()
    expect(await notified(ben)).toEqual([])
    await share(ben)
    await access.removeGrants('collection', ['reports'])
    expect(await notified(ben)).toEqual([])
  })

  test('grants to an account go with it', async () => {
    const { access, ann, ben, as, share } = await start()
    await share(ben)
    await access.removeAccount(ben)
    expect((await as(ann).call(routes.grants, { query: reports })).items).toEqual([])
  })

  test('people are found by the beginning of a name, without the caller, addresses and accounts that are not active', async () => {
    const { accounts, account, instance, ann, ben, cleo, as } = await start()
    await account('benno', 'disabled')
    const found = async (q?: string) => (await as(ann).call(routes.principals, { query: { q } })).items
    const names = async (q?: string) => (await found(q)).map(({ name }) => name)
    expect(await found('BE')).toEqual([{ type: 'account', id: ben, name: 'ben', avatar: null }])
    expect(await names('')).toEqual(['ben', 'cleo'])
    expect(await names('a')).toEqual([])
    expect(await names('ben@')).toEqual([])
    // Where anybody may sign up, only who is named is told.
    instance.signupEnabled = true
    expect([await names(''), await names('be')]).toEqual([[], ['ben']])
    await accounts.administration.setStatus(cleo, 'disabled')
    expect(await names('cleo')).toEqual([])
  })

  test('what is shared with somebody is listed in pages, newest first', async () => {
    const { as, ben, ann, share, clock } = await start()
    await share(ben)
    clock.advance(1000)
    await as(ann).call(routes.grant, {
      body: { resourceType: 'collection', resourceId: 'recipes', principalType: 'account', principalId: ben },
    })
    const first = await as(ben).call(routes.sharedWithMe, { query: { limit: 1 } })
    expect(first.items.map(({ name }) => name)).toEqual(['Recipes'])
    const second = await as(ben).call(routes.sharedWithMe, {
      query: { limit: 1, cursor: first.nextCursor ?? undefined, resourceType: 'collection' },
    })
    expect(second).toMatchObject({ items: [{ name: 'Reports' }], nextCursor: null })
    expect((await as(ben).refusal(routes.sharedWithMe, { query: { cursor: 'x' } })).code).toBe('bad_cursor')
  })
})
