/**
 * What holds for every kind of thing, by the traits that the contract says it has: sharing, trash, search, export, counts
 * and removal. A kind is tried by the sample in the `fixture.ts` of its area; without one this file fails.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { accessRoutes, type ResourceType } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { groupsRoutes } from '@atrium/contract/groups'
import {
  type CountName,
  type KindWith,
  type ResourceKind,
  resourceKinds,
  resources,
  sharedKinds,
  trashedKinds,
} from '@atrium/contract/resources'
import { searchRoutes } from '@atrium/contract/search'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemRoutes } from '@atrium/contract/system'
import { transfersRoutes } from '@atrium/contract/transfers'
import { trashRoutes } from '@atrium/contract/trash'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import { type Client, readFrames } from '../testing/client.ts'
import { realClock } from '../testing/clock.ts'
import { usualDialects } from '../testing/databases.ts'
import { idsOf, readSamples, slowModel } from '../testing/samples.ts'

const samples = await readSamples()

const hour = 3600_000
const day = 24 * hour
const patience = { timeout: 120_000, interval: 50 }
/** Whether grants can be given on things of a kind. */
const isShared = (kind: ResourceKind): kind is ResourceType =>
  (sharedKinds as readonly string[]).includes(kind) && !resources[kind].private

describe.each(usualDialects)('every kind of thing (%s)', (dialect) => {
  let shift = 0
  const clock = { ...realClock, now: () => realClock.now() + shift }
  let provider: Provider
  let app: TestApp
  let admin: Client
  let reader: Client
  let readerId: string
  let stranger: Client
  let groupId: string
  beforeAll(async () => {
    provider = await startProvider()
    provider.control({ models: [slowModel.model] })
    const env = { SESSION_DAYS: '3650', SESSION_IDLE_HOURS: '87600', OLLAMA_BASE_URL: provider.url }
    app = await startTestApp({ dialect, env, overrides: { clock } })
    admin = await app.signUpAdmin()
    reader = await app.signUpUser('reader')
    readerId = (await reader.call(accountsRoutes.me, {})).id
    stranger = await app.signUpUser('stranger')
    groupId = (await admin.call(groupsRoutes.addGroup, { body: { name: 'Zoo' } })).id
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const promote = async (client: Client) => {
    const { id } = await client.call(accountsRoutes.me, {})
    // Its session may be days old by the clock of the app.
    await admin.call(accountsRoutes.prove, { body: { password: testPassword } })
    await admin.call(userAdministrationRoutes.update, { params: { id }, body: { role: 'admin' } })
  }
  const membership = () => ({ params: { id: groupId, accountId: readerId } })
  /** The events of an account from now on. */
  const openEvents = async (client: Client) => {
    const leave = new AbortController()
    const frames = readFrames(await client.answer(systemRoutes.events, { query: {} }, { signal: leave.signal }))
    return {
      /** Waits for one of a type; gives the types of all that came, up to it. */
      async until(type: string): Promise<string[]> {
        const types: string[] = []
        while (types.at(-1) !== type) {
          const { value, done } = await frames.next()
          if (done) throw new Error(`The stream ended before ${type}.`)
          types.push(value.event.type)
        }
        return types
      },
      close: () => leave.abort(),
    }
  }
  const trashOf = async (client: Client, limit = 50) => {
    const all: Awaited<ReturnType<typeof client.call<typeof trashRoutes.list>>>['items'] = []
    for (let cursor: string | undefined; ; ) {
      const page = await client.call(trashRoutes.list, { query: { limit, cursor } })
      all.push(...page.items)
      if (page.nextCursor === null) return all
      cursor = page.nextCursor
    }
  }
  const finds = async (client: Client, kind: ResourceKind, word: string) =>
    (await client.call(searchRoutes.everything, { query: { q: word } })).items
      .filter((hit) => hit.kind === kind)
      .map(({ id }) => id)

  describe.each(resourceKinds)('%s', (kind) => {
    const { make, list, read, missing, remove, live } = samples[kind]
    const traits = resources[kind]
    const word = `zyzzyva${kind}`
    /** The kind, where it has the trait: then there is a test of it. */
    const shared = isShared(kind) ? [kind] : []
    const unshareable = traits.private && !traits.members ? [kind] : []
    const ofMembers = traits.members ? [kind] : []
    const transferable = traits.transferable ? [kind] : []
    const trashed = traits.trashed ? [kind] : []
    const ofAccounts = traits.instance ? [] : [kind]
    const ofInstance = traits.instance ? [kind] : []
    let owner: Client
    let id: string
    beforeAll(async () => {
      owner = await app.signUpUser(`owner-of-${kind}`)
      // What is the instance's is every administrator's.
      if (traits.instance) await promote(owner)
      id = await make(owner, word)
    })
    const thing = () => ({ resourceType: kind as ResourceType, resourceId: id })
    const share = (more: object = {}) =>
      owner.call(accessRoutes.grant, {
        body: { ...thing(), principalType: 'account', principalId: readerId, ...more },
      })
    const refusedGrant = async () => {
      const body = { ...thing(), principalType: 'account', principalId: readerId } as const
      return (await owner.refusal(accessRoutes.grant, { body })).code
    }
    const sharedWithReader = async () =>
      (await reader.call(accessRoutes.sharedWithMe, { query: {} })).items.map(({ resourceId }) => resourceId)
    /** Waits until the search of somebody finds it, or does not. */
    const found = async (client: Client, is: boolean) => {
      await expect.poll(async () => (await finds(client, kind, word)).includes(id), patience).toBe(is)
    }

    test('is there for its owner, and for nobody else', async () => {
      expect(await read(owner, id)).toBe('ok')
      expect(await list(owner)).toContain(id)
      if (traits.found) await found(owner, true)
      for (const other of traits.instance ? [stranger, reader] : [stranger, reader, admin]) {
        expect(await read(other, id)).toBe(missing)
        expect(await list(other)).not.toContain(id)
        if (traits.found) expect(await finds(other, kind, word)).toEqual([])
      }
      if (traits.instance) expect(await list(admin)).toContain(id)
    })

    test.each(shared)('is read by a grant until that is revoked, at the next request', async () => {
      const grant = await share()
      expect(await read(reader, id)).toBe('ok')
      expect(await sharedWithReader()).toEqual([id])
      if (traits.found) await found(reader, true)
      expect(await read(stranger, id)).toBe(missing)
      expect((await reader.refusal(accessRoutes.revoke, { params: { id: 'x' } })).code).toBe('grant_not_found')
      await owner.call(accessRoutes.revoke, { params: { id: grant.id } })
      expect(await read(reader, id)).toBe(missing)
      expect(await sharedWithReader()).toEqual([])
      if (traits.found) expect(await finds(reader, kind, word)).toEqual([])
    })

    test.each(unshareable)('is given to nobody, and read by support access alone', async () => {
      expect(await refusedGrant()).toBe('not_shareable')
      expect(await read(reader, id)).toBe(missing)
      const { id: accountId } = await owner.call(accountsRoutes.me, {})
      const body = { accountId, reason: 'The gallery does not open.', hours: 1, password: testPassword }
      const { id: session } = await admin.call(accessRoutes.startBreakGlass, { body })
      const things = await admin.call(accessRoutes.breakGlassThings, {
        params: { id: session },
        query: { type: kind as ResourceType },
      })
      expect(things.items).toMatchObject([{ id, name: expect.stringContaining(word) }])
      expect(await read(admin, id)).toBe('ok')
      await admin.call(accessRoutes.endBreakGlass, { params: { id: session } })
      expect(await read(admin, id)).toBe(missing)
    })

    test.each(ofMembers)('is given to nobody but its members, and support access does not open it', async () => {
      expect(await refusedGrant()).toBe('not_shareable')
      const { id: accountId } = await owner.call(accountsRoutes.me, {})
      const body = { accountId, reason: 'The channel does not open.', hours: 1, password: testPassword }
      const { id: session } = await admin.call(accessRoutes.startBreakGlass, { body })
      const query = { type: kind as ResourceType }
      const things = await admin.call(accessRoutes.breakGlassThings, { params: { id: session }, query })
      expect(things.items).toEqual([])
      expect(await read(admin, id)).toBe(missing)
      await admin.call(accessRoutes.endBreakGlass, { params: { id: session } })
      const { reasons } = await owner.call(accessRoutes.effective, { query: thing() })
      expect(reasons).toMatchObject([{ kind: 'member' }])
    })

    test.each(shared)('is read by a grant until its time is over', async () => {
      await share({ expiresAt: new Date(clock.now() + hour).toISOString() })
      expect(await read(reader, id)).toBe('ok')
      shift += 2 * hour
      expect(await read(reader, id)).toBe(missing)
      expect(await sharedWithReader()).toEqual([])
    })

    test.each(shared)('is read by a grant to a group, by its members as long as they are in it', async () => {
      const grant = await share({ principalType: 'group', principalId: groupId })
      expect(await read(reader, id)).toBe(missing)
      await admin.call(groupsRoutes.addMember, membership())
      expect(await read(reader, id)).toBe('ok')
      await admin.call(groupsRoutes.removeMember, membership())
      expect(await read(reader, id)).toBe(missing)
      await owner.call(accessRoutes.revoke, { params: { id: grant.id } })
    })

    /** How somebody comes to read it, how that ends, and how often the account is told that something is shared or not. */
    const losses = {
      'the grant is revoked': {
        give: share,
        take: ({ id }: { id: string }) => owner.call(accessRoutes.revoke, { params: { id } }),
        told: 1,
      },
      'the membership of the group ends': {
        async give() {
          await admin.call(groupsRoutes.addMember, membership())
          return await share({ principalType: 'group', principalId: groupId })
        },
        take: () => admin.call(groupsRoutes.removeMember, membership()),
        told: 1,
      },
      'the time of the grant is over': {
        give: share,
        take: () => share({ expiresAt: new Date(clock.now() + 1500).toISOString() }),
        // Of the new end, and of the end itself.
        told: 2,
      },
    }
    test.each(shared.flatMap(() => Object.entries(losses)))('is followed until %s', async (_, { give, take, told }) => {
      const grant = await give()
      const account = await openEvents(reader)
      const end = await live?.begin(owner, id)
      onTestFinished(async () => {
        account.close()
        await end?.()
        await admin.answer(groupsRoutes.removeMember, membership())
        await owner.answer(accessRoutes.revoke, { params: { id: grant.id } })
      })
      const stream = live?.follow(reader, id)
      await stream?.next()
      expect(await read(reader, id)).toBe('ok')

      await take(grant)
      for (let times = 0; times < told; times++) await account.until('shared-changed')
      expect(await read(reader, id)).toBe(missing)
      expect(await sharedWithReader()).toEqual([])
      // Told at once; by itself a stream asks for its right again only every five seconds.
      const refused = { type: 'error', data: { code: expect.stringMatching(/_not_found$/) } }
      if (stream) expect(await Promise.race([lastOf(stream), sleep(4500)])).toMatchObject(refused)

      // Whatever happens to it, nothing is told any more before what happens next.
      if (traits.trashed) {
        await remove(owner, id)
        await owner.call(trashRoutes.restore, { params: { id } })
      }
      await reader.call(settingsRoutes.update, { body: { theme: { mode: 'dark' } } })
      expect(await account.until('preferences-changed')).toEqual(['preferences-changed'])
    })

    test.each(trashed)('is there for nobody while it is in the trash, and again after it is restored', async () => {
      if (isShared(kind)) await share()
      await remove(owner, id)
      expect(await read(owner, id)).not.toBe('ok')
      expect(await list(owner)).not.toContain(id)
      expect(await read(reader, id)).toBe(missing)
      expect(await sharedWithReader()).toEqual([])
      if (traits.found) for (const client of [owner, reader]) await found(client, false)
      const [entry, ...more] = await trashOf(owner)
      expect(more).toEqual([])
      expect(entry).toMatchObject({ id, kind, title: expect.stringContaining(word) })
      expect(Date.parse(entry?.expiresAt ?? '') - Date.parse(entry?.deletedAt ?? '')).toBe(30 * day)

      for (const other of [stranger, reader, admin]) {
        expect(await trashOf(other)).toEqual([])
        for (const route of [trashRoutes.restore, trashRoutes.remove])
          expect((await other.refusal(route, { params: { id } })).code).toBe('trash_item_not_found')
      }
      await owner.call(trashRoutes.restore, { params: { id } })
      expect(await trashOf(owner)).toEqual([])
      expect(await read(owner, id)).toBe('ok')
      expect(await list(owner)).toContain(id)
      if (traits.found) await found(owner, true)
      if (isShared(kind)) {
        expect(await read(reader, id)).toBe('ok')
        expect(await sharedWithReader()).toEqual([id])
      }
      expect((await owner.refusal(trashRoutes.restore, { params: { id } })).code).toBe('trash_item_not_found')
      expect((await owner.refusal(trashRoutes.remove, { params: { id } })).code).toBe('trash_item_not_found')
      expect(await read(owner, id)).toBe('ok')
    })

    test.each(trashed)('is gone for good once it is removed from the trash', async () => {
      await remove(owner, id)
      await owner.call(trashRoutes.remove, { params: { id } })
      expect(await trashOf(owner)).toEqual([])
      expect((await owner.refusal(trashRoutes.restore, { params: { id } })).code).toBe('trash_item_not_found')
      expect(await read(owner, id)).not.toBe('ok')
      expect(await sharedWithReader()).toEqual([])
      if (traits.found) await found(owner, false)
    })

    test.each(transferable)('gets another owner once that one accepts it, and keeps its readers', async () => {
      const heir = await app.signUpUser(`heir-of-${kind}`)
      const { id: toAccountId } = await heir.call(accountsRoutes.me, {})
      const kept = await make(owner, `${word}kept`)
      const offered = { resourceType: kind as KindWith<'transferable'>, resourceId: kept, toAccountId }
      const readers = { resourceType: kind as ResourceType, resourceId: kept, principalId: readerId }
      await owner.call(accessRoutes.grant, { body: { ...readers, principalType: 'account' } })
      for (const other of [reader, stranger, admin])
        expect((await other.refusal(transfersRoutes.offer, { body: offered })).code).toBe('not_transferable')

      const first = await owner.call(transfersRoutes.offer, { body: offered })
      expect((await owner.refusal(transfersRoutes.offer, { body: offered })).code).toBe('transfer_open')
      for (const other of [reader, stranger, owner])
        for (const route of other === owner ? [transfersRoutes.accept] : [transfersRoutes.accept, transfersRoutes.end])
          expect((await other.refusal(route, { params: { id: first.id } })).code).toBe('transfer_not_found')
      expect(await read(heir, kept)).toBe(missing)
      await heir.call(transfersRoutes.end, { params: { id: first.id } })
      expect(await read(heir, kept)).toBe(missing)

      const { id: transferId } = await owner.call(transfersRoutes.offer, { body: { ...offered, keeps: 'read' } })
      const { items } = await heir.call(transfersRoutes.list, { query: { direction: 'in' } })
      expect(items).toMatchObject([{ id: transferId, resourceId: kept, name: expect.stringContaining(word) }])
      await heir.call(transfersRoutes.accept, { params: { id: transferId } })
      const rightOf = async (client: Client) => {
        const query = { resourceType: kind as ResourceType, resourceId: kept }
        return (await client.call(accessRoutes.effective, { query })).right
      }
      await expect.poll(() => rightOf(heir), patience).toBe('owner')
      expect(await rightOf(owner)).toBe('read')
      expect(await rightOf(reader)).toBe('read')
      for (const client of [heir, owner, reader]) expect(await read(client, kept)).toBe('ok')
      expect(await list(heir)).toContain(kept)
      expect(await list(owner)).not.toContain(kind === 'folder' || kind === 'chat' ? kept : '')
      if (traits.found)
        for (const client of [heir, reader])
          await expect.poll(async () => (await finds(client, kind, `${word}kept`)).includes(kept), patience).toBe(true)
      await expect.poll(() => archiveOf(heir), patience).toContain(`${word}kept`)
      expect(await heir.call(transfersRoutes.list, { query: { direction: 'in' } })).toMatchObject({ items: [] })
      for (const client of [owner, reader])
        await client.call(accessRoutes.leave, { body: { resourceType: kind as ResourceType, resourceId: kept } })
    })

    test.each(ofInstance)('stays when the administrator who made it goes, and others manage it', async () => {
      const grant = await share()
      await owner.call(accountDataRoutes.removeOwn, { body: { password: testPassword } })
      await expect.poll(() => app.accounts.removals.begun(), patience).toEqual([])
      expect(await read(admin, id)).toBe('ok')
      expect(await read(reader, id)).toBe('ok')
      await admin.call(accessRoutes.revoke, { params: { id: grant.id } })
      expect(await read(reader, id)).toBe(missing)
      await remove(admin, id)
      expect(await read(admin, id)).toBe(missing)
    })

    test.each(ofAccounts)('is counted, is in the archive of its owner, and is gone with the account', async () => {
      // What is deleted for good at once is still there from before.
      if (!traits.trashed) await remove(owner, id)
      id = await make(owner, word)
      if (isShared(kind)) await share()
      const { counts } = await owner.call(accountDataRoutes.ownRemoval, {})
      if (traits.counted) expect(counts[traits.counted as CountName]).toBe(1)
      expect(await archiveOf(owner)).toContain(word)

      await owner.call(accountDataRoutes.removeOwn, { body: { password: testPassword } })
      await expect.poll(() => app.accounts.removals.begun(), patience).toEqual([])
      expect(await read(reader, id)).toBe(missing)
      expect(await sharedWithReader()).toEqual([])
      if (traits.found) expect(await finds(reader, kind, word)).toEqual([])
    })
  })

  /** Everything in the archive of an account that is text. */
  const archiveOf = async (client: Client): Promise<string> => {
    const { id } = await client.call(accountDataRoutes.exportOwn, {})
    for (const end = Date.now() + 120_000; ; await sleep(50)) {
      const { items } = await client.call(accountDataRoutes.ownExports, {})
      if (items[0]?.state === 'ready') break
      if (items[0]?.state === 'failed' || Date.now() > end) throw new Error('no export was made')
    }
    const blob = await client.call(accountDataRoutes.ownExport, { params: { id } })
    const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
    return Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n')
  }

  /** One of every kind that has a trash, in it. */
  const fillTrash = async (owner: Client): Promise<void> => {
    for (const kind of trashedKinds) await samples[kind].remove(owner, await samples[kind].make(owner, `gone${kind}`))
  }

  test('stands in one trash, newest first and page by page, which is emptied at once', async () => {
    const owner = await app.signUpUser()
    await fillTrash(owner)
    const entries = await trashOf(owner, 2)
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(trashedKinds.toSorted())
    expect(entries.map(({ title }) => title.match(/gone[\w-]+/)?.[0])).toEqual(entries.map(({ kind }) => `gone${kind}`))
    const times = entries.map(({ deletedAt }) => deletedAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect((await owner.refusal(trashRoutes.list, { query: { cursor: 'x' } })).code).toBe('bad_cursor')
    expect(await stranger.call(trashRoutes.empty, {})).toEqual({ removed: 0 })
    expect(await owner.call(trashRoutes.empty, {})).toEqual({ removed: trashedKinds.length })
    expect(await trashOf(owner)).toEqual([])
  })

  test('is deleted for good after thirty days in the trash', async () => {
    const owner = await app.signUpUser()
    await fillTrash(owner)
    const before = await trashOf(owner)
    shift += 29 * day
    const younger = await samples.chat.make(owner, 'younger')
    await samples.chat.remove(owner, younger)
    shift += 2 * day
    await expect.poll(async () => idsOf(await trashOf(owner)), patience).toEqual([younger])
    for (const { id } of before)
      expect((await owner.refusal(trashRoutes.restore, { params: { id } })).code).toBe('trash_item_not_found')
  })

  test('nothing went wrong on the way', () => {
    // The clock of these tests jumps, and jobs are late after it.
    expect(app.lines.filter(({ scope }) => scope !== 'doctor')).toEqual([])
  })
})

/** Reads a stream to its end; gives its last event. */
const lastOf = async (frames: AsyncIterable<{ readonly event: unknown }>): Promise<unknown> => {
  let last: unknown
  for await (const { event } of frames) last = event
  return last
}
