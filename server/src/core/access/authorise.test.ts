import { accessRoutes as routes } from '@atrium/contract/access'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AccessHarness, openAccessHarness, testKinds, testThings } from '../../testing/access-harness.ts'
import { withDatabase } from '../../testing/databases.ts'

withDatabase('the right to what a path names', (open) => {
  let harness: AccessHarness
  beforeEach(async () => {
    harness = await openAccessHarness(open)
  })
  afterEach(() => harness?.close())
  const code = async (who: string, route: 'chat' | 'folder' | 'document' | 'collection', id: string) =>
    (await harness.as(who).refusal(testThings[route], { params: { id } })).code

  test('is nobody else’s without a grant, and looks like a thing that is not there, to administrators too', async () => {
    const { put, as, ann, ben, root } = harness
    for (const type of testKinds) {
      await put(type, 'x')
      const params = { id: 'x' }
      expect(await as(ann).call(testThings[type], { params })).toEqual({ right: 'owner', ownerId: ann })
      const absent = await as(ben).refusal(testThings[type], { params: { id: 'nothing' } })
      for (const who of [ben, root, `admin:${root}`, `token:${root}`]) {
        const { status, code: refused, problem } = await as(who).refusal(testThings[type], { params })
        expect([type, status, refused, problem.detail]).toEqual([type, 404, `${type}_not_found`, absent.problem.detail])
      }
    }
  })

  test('that was given is enough for what it says, and more is refused as such', async () => {
    const { put, as, share, ben, root } = harness
    await put('document', 'd')
    const params = { id: 'd' }
    await share('document', 'd', ben)
    expect((await as(ben).call(testThings.document, { params })).right).toBe('read')
    expect(await code(root, 'document', 'd')).toBe('document_not_found')
    expect(await as(ben).refusal(testThings.change, { params })).toMatchObject({ status: 403, code: 'right_missing' })
    await share('document', 'd', ben, { right: 'write' })
    await as(ben).call(testThings.change, { params })
    await share('document', 'd', ben, { right: 'admin' })
    expect((await as(ben).refusal(testThings.remove, { params })).code).toBe('right_missing')
    await put('document', 'd', { shown: 0 })
    expect(await code(ben, 'document', 'd')).toBe('document_not_found')
  })

  test('comes from what a thing lies in, up to the outermost, and never from what is hidden or another’s', async () => {
    const { put, as, share, ben, root } = harness
    const chain = async () => {
      await put('folder', 'f')
      await put('chat', 'c', { within_id: 'f' })
      await put('document', 'd', { within_id: 'c' })
    }
    await chain()
    await share('folder', 'f', ben)
    for (const [type, id] of [
      ['folder', 'f'],
      ['chat', 'c'],
      ['document', 'd'],
    ] as const)
      expect((await as(ben).call(testThings[type], { params: { id } })).right).toBe('read')
    await put('chat', 'c', { within_id: 'f', shown: 0 })
    expect(await code(ben, 'document', 'd')).toBe('document_not_found')
    await chain()
    await put('folder', 'f', { owner_id: root })
    expect(await code(ben, 'chat', 'c')).toBe('chat_not_found')
    await chain()
    await put('chat', 'c')
    expect(await code(ben, 'document', 'd')).toBe('document_not_found')
  })

  test('comes by groups and ends with the membership, with the time, and with the grant', async () => {
    const { accounts, put, as, share, ann, ben, clock } = harness
    await put('collection', 'c')
    const params = { id: 'c' }
    const group = await accounts.groups.add('Editors')
    await share('collection', 'c', group.id, { principalType: 'group', right: 'write' })
    expect(await code(ben, 'collection', 'c')).toBe('collection_not_found')
    await accounts.groups.addMember(group.id, ben)
    expect((await as(ben).call(testThings.collection, { params })).right).toBe('write')
    await accounts.groups.removeMember(group.id, ben)
    expect(await code(ben, 'collection', 'c')).toBe('collection_not_found')
    const expiresAt = new Date(clock.now() + 60_000).toISOString()
    const { id } = await share('collection', 'c', ben, { expiresAt })
    expect((await as(ben).call(testThings.collection, { params })).right).toBe('read')
    clock.advance(60_000)
    expect(await code(ben, 'collection', 'c')).toBe('collection_not_found')
    await share('collection', 'c', ben)
    await as(ben).call(testThings.collection, { params })
    await as(ann).call(routes.revoke, { params: { id } })
    expect(await code(ben, 'collection', 'c')).toBe('collection_not_found')
  })

  test('is nothing for an account that is not active any more, whoever asks about it', async () => {
    const { accounts, put, share, as, ann, ben } = harness
    await put('document', 'd')
    await share('document', 'd', ben)
    const ask = () =>
      as(ann).call(routes.effective, { query: { resourceType: 'document', resourceId: 'd', accountId: ben } })
    expect((await ask()).right).toBe('read')
    await accounts.administration.setStatus(ben, 'disabled')
    expect(await ask()).toMatchObject({ right: null, reasons: [{ kind: 'inactive-account' }] })
  })

  test('is shown again by an open stream when it changes: who lost it is cut off, who has it stays', async () => {
    const { accounts, access, put, as, share, ann, ben, clock } = harness
    await put('chat', 'c')
    const follow = (who: string) => {
      const state = { ended: false }
      const done = (async () => {
        for await (const _ of as(who).follow(testThings.follow, { params: { id: 'c' } })) continue
        state.ended = true
      })()
      return { state, done }
    }
    const group = await accounts.groups.add('Readers')
    const losses = [
      async (id: string) => void (await as(ann).call(routes.revoke, { params: { id } })),
      () => accounts.groups.removeMember(group.id, ben),
      async () => {
        clock.advance(60_000)
        await access.endExpired()
      },
    ]
    for (const [at, lose] of losses.entries()) {
      if (at === 1) await accounts.groups.addMember(group.id, ben)
      const expiresAt = at === 2 ? new Date(clock.now() + 60_000).toISOString() : null
      const { id } = await (at === 1
        ? share('chat', 'c', group.id, { principalType: 'group' })
        : share('chat', 'c', ben, { expiresAt }))
      const [reader, owner] = [follow(ben), follow(ann)]
      await expect.poll(() => as(ben).call(testThings.chat, { params: { id: 'c' } })).toMatchObject({ right: 'read' })
      // Something else changed for them: both stay.
      await accounts.interrupt([ben, ann])
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect([reader.state.ended, owner.state.ended]).toEqual([false, false])
      await lose(id)
      // Told at once; by itself a stream asks for its right again only every five seconds.
      await expect.poll(() => reader.state.ended, { timeout: 4500 }).toBe(true)
      await reader.done
      expect(owner.state.ended).toBe(false)
    }
  })

  test('is explained: to oneself, to whoever manages the thing, and to administrators by ids alone', async () => {
    const { accounts, put, as, share, ann, ben, root } = harness
    await put('folder', 'f')
    await put('chat', 'c', { within_id: 'f' })
    const group = await accounts.groups.add('Readers')
    await accounts.groups.addMember(group.id, ben)
    const ask = (who: string, accountId?: string, resourceId = 'c') =>
      as(who).call(routes.effective, { query: { resourceType: 'chat', resourceId, accountId } })
    const nothing = { right: null, reasons: [{ kind: 'no-grant', grantId: null }] }
    expect(await ask(ben)).toMatchObject(nothing)
    expect(await ask(ben, undefined, 'absent')).toMatchObject(nothing)
    expect(await ask(ann)).toMatchObject({ right: 'owner', reasons: [{ kind: 'owner' }] })
    const direct = await share('chat', 'c', ben, { right: 'write' })
    const inherited = await share('folder', 'f', group.id, { principalType: 'group' })
    const why = {
      accountId: ben,
      right: 'write',
      reasons: [
        { kind: 'direct-grant', right: 'write', grantId: direct.id, on: { type: 'chat', id: 'c' } },
        {
          kind: 'group-grant',
          right: 'read',
          grantId: inherited.id,
          principal: { name: 'Readers' },
          on: { type: 'folder', id: 'f', name: 'folder f' },
        },
      ],
    }
    expect(await ask(ben)).toMatchObject(why)
    expect(await ask(ann, ben)).toMatchObject(why)
    const query = { resourceType: 'chat', resourceId: 'c', accountId: ann } as const
    expect((await as(ben).refusal(routes.effective, { query })).code).toBe('right_missing')
    expect((await as(`admin:${root}`).refusal(routes.effective, { query })).code).toBe('resource_not_found')
    const standing = await as(`admin:${root}`).call(routes.standing, { params: { userId: ben } })
    expect(standing).toMatchObject({
      username: 'ben',
      role: 'user',
      status: 'active',
      features: { 'web-search': true },
      groups: [{ id: group.id, name: 'Readers' }],
    })
    expect(standing.grants.map(({ via, resourceId }) => `${via} ${resourceId}`).toSorted()).toEqual([
      'account c',
      'group f',
    ])
    expect(JSON.stringify(standing)).not.toContain('chat c')
    expect((await as(ben).refusal(routes.standing, { params: { userId: ben } })).code).toBe('forbidden')
  })

  test('is in the audit from its beginning to its end', async () => {
    const { put, as, share, ann, ben, clock, access, recorded } = harness
    await put('chat', 'c')
    const { id } = await share('chat', 'c', ben)
    await as(ann).call(routes.revoke, { params: { id } })
    await share('chat', 'c', ben, { expiresAt: new Date(clock.now() + 1000).toISOString() })
    clock.advance(1000)
    await access.endExpired()
    expect(await recorded()).toEqual([
      ...['grant.create chat c', 'grant.delete chat c', 'grant.create chat c', 'grant.delete chat c'],
    ])
  })
})
