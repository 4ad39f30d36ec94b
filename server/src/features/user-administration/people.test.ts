import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { groupsRoutes } from '@atrium/contract/groups'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { oneTimeCode } from '../../testing/one-time-code.ts'
import { openPeople, peoplePassword as password } from '../../testing/people.ts'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('people', (open) => {
  const settled = async () => {
    const harness = await openPeople(open)
    stops.push(harness.stop)
    const recorded = async () => {
      const rows = await harness.database
        .tables<{ audit_events: { seq: number; action: string; result: string; target_id: string | null } }>()
        .selectFrom('audit_events')
        .select(['action', 'result', 'target_id'])
        .where('action', 'like', 'user.%')
        .orderBy('seq')
        .execute()
      return rows.map(({ action, result, target_id }) => `${action} ${result} ${target_id ?? ''}`.trim())
    }
    const namesOf = async (
      query: Parameters<typeof harness.admin.call<typeof userAdministrationRoutes.list>>[1]['query'],
    ) =>
      (await harness.admin.call(userAdministrationRoutes.list, { query: { sort: 'oldest', ...query } })).items.map(
        (user) => user.username,
      )
    return { ...harness, recorded, namesOf }
  }

  test('they are found by a part of any name or address, page by page, and narrowed down', async () => {
    const { make, admin, signUp, accounts, namesOf, clock } = await settled()
    const ben = await make('ben', { email: 'Ben.Miller@Example.org' })
    await make('cid', { role: 'admin' })
    await signUp('dora')
    await accounts.administration.setStatus(ben.id, 'disabled')
    clock.advance(1)
    await admin.call(userAdministrationRoutes.update, {
      params: { id: ben.id },
      body: { displayName: 'Benjamin Müller' },
    })
    const group = await accounts.groups.add('Design')
    await accounts.groups.addMember(group.id, ben.id)

    for (const q of ['EN', 'miller@ex', 'müll', 'ＢＥＮ']) expect(await namesOf({ q }), q).toEqual(['ben'])
    expect(await namesOf({ q: 'nobody' })).toEqual([])
    expect(await namesOf({ role: 'admin' })).toEqual(['ann', 'cid'])
    expect(await namesOf({ status: 'pending' })).toEqual(['dora'])
    expect(await namesOf({ status: 'disabled', groupId: group.id })).toEqual(['ben'])
    for (let i = 0; i < 9; i++) await make(`worker${i}`)
    const found: string[] = []
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await admin.call(userAdministrationRoutes.list, {
        query: { q: 'worker', limit: 4, ...(cursor ? { cursor } : {}) },
      })
      found.push(...page.items.map(({ username }) => username))
      cursor = page.nextCursor ?? undefined
      more = cursor !== undefined
    }
    expect(found).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `worker${i}`))
  })

  test('a person shows when and by whom it was let in, and when it was last here', async () => {
    const { admin, ann, signUp, signIn, clock } = await settled()
    const { user } = await signUp('ben')
    expect(await admin.call(userAdministrationRoutes.pending, {})).toEqual({
      count: 1,
      latestCreatedAt: user.createdAt,
    })
    expect(await admin.call(userAdministrationRoutes.read, { params: { id: user.id } })).toMatchObject({
      status: 'pending',
      approvedAt: null,
      approvedBy: null,
      lastActiveAt: null,
      groups: [],
      signIn: ['password'],
      managedBy: null,
      removalAt: null,
    })
    clock.advance(5)
    const approved = await admin.call(userAdministrationRoutes.approve, { params: { id: user.id } })
    expect(approved).toMatchObject({ status: 'active', approvedBy: { id: ann.id, name: 'ann' } })
    expect(Date.parse(approved.approvedAt ?? '')).toBe(clock.now())
    expect(await admin.refusal(userAdministrationRoutes.approve, { params: { id: user.id } })).toMatchObject({
      code: 'not_pending',
    })
    await signIn('ben')
    const { lastActiveAt } = await admin.call(userAdministrationRoutes.read, { params: { id: user.id } })
    expect(Date.parse(lastActiveAt ?? '')).toBe(clock.now())
    expect(await admin.call(userAdministrationRoutes.pending, {})).toEqual({ count: 0, latestCreatedAt: null })
    expect(await admin.refusal(userAdministrationRoutes.read, { params: { id: 'nobody' } })).toMatchObject({
      code: 'user_not_found',
    })
  })

  test('administrators hear of everybody who waits', async () => {
    const { news, ann, signUp, make } = await settled()
    const cid = await make('cid', { role: 'admin' })
    await make('dora')
    news.length = 0
    await signUp('ben')
    expect(news.filter(({ event }) => event.type === 'people-changed')).toEqual(
      [ann, cid].map(({ id }) => ({ accountId: id, event: { type: 'people-changed', data: { waiting: true } } })),
    )
  })

  test('one is made, active at once; without a password nobody gets in', async () => {
    const { admin, guest, signIn, recorded } = await settled()
    const body = { username: 'ben', displayName: 'Ben', email: 'ben@example.org', role: 'admin', password } as const
    const ben = await admin.call(userAdministrationRoutes.create, { body })
    expect(ben).toMatchObject({ username: 'ben', displayName: 'Ben', email: 'ben@example.org', role: 'admin' })
    expect(ben).toMatchObject({ status: 'active', signIn: ['password'], approvedBy: { name: 'ann' } })
    await (await signIn('ben')).call(userAdministrationRoutes.list, {})

    const cid = await admin.call(userAdministrationRoutes.create, { body: { username: 'cid' } })
    expect(cid).toMatchObject({ role: 'user', status: 'active', signIn: [], email: null })
    for (const typed of ['!', password, 'anything at all'])
      expect(await guest.refusal(accountsRoutes.login, { body: { username: 'cid', password: typed } })).toMatchObject({
        code: 'wrong_credentials',
      })
    for (const [wrong, code] of [
      [{ username: 'BEN' }, 'username_taken'],
      [{ username: 'dora', email: 'BEN@example.org' }, 'email_taken'],
      [{ username: 'dora', password: 'short' }, 'weak_password'],
      [{ username: 'dora', password: 'dora-dora-2026' }, 'common_password'],
    ] as const)
      expect(await admin.refusal(userAdministrationRoutes.create, { body: wrong })).toMatchObject({ code })
    expect(await recorded()).toEqual([
      `user.create success ${ben.id}`,
      `user.create success ${cid.id}`,
      ...['user.create failure', 'user.create failure', 'user.create failure', 'user.create failure'],
    ])
  })

  test('name, address and role are changed; what another one has is refused', async () => {
    const { admin, make, recorded, news } = await settled()
    const ben = await make('ben')
    await make('cid', { email: 'cid@example.org' })
    const update = (body: object) => admin.answer(userAdministrationRoutes.update, { params: { id: ben.id }, body })
    expect((await update({ username: 'benny', email: 'b@example.org', role: 'admin' })).status).toBe(200)
    expect(news.at(-1)?.event.type).toBe('people-changed')
    expect(news).toContainEqual({ accountId: ben.id, event: { type: 'account-changed', data: {} } })
    expect(await admin.call(userAdministrationRoutes.read, { params: { id: ben.id } })).toMatchObject({
      username: 'benny',
      email: 'b@example.org',
      role: 'admin',
    })
    expect((await update({ username: 'CID' })).status).toBe(409)
    expect((await update({ email: 'CID@example.org' })).status).toBe(409)
    expect((await update({ status: 'active' })).status).toBe(400)
    expect(await recorded()).toEqual([
      `user.update success ${ben.id}`,
      `user.role success ${ben.id}`,
      `user.update failure ${ben.id}`,
      `user.update failure ${ben.id}`,
    ])
  })

  test('a demoted administrator is one no more at the next request, with a token too, and open streams end', async () => {
    const { admin, make, signIn, guest, accounts } = await settled()
    const ben = await make('ben', { role: 'admin' })
    const client = await signIn('ben')
    const scopes = ['user-administration:read', 'admin'] as const
    const { token } = await client.call(apiTokensRoutes.createToken, { body: { name: 'all', scopes: [...scopes] } })
    const program = guest.as(token)
    await client.call(userAdministrationRoutes.list, {})
    await program.call(userAdministrationRoutes.list, {})
    const { items } = await client.call(accountsRoutes.sessions, {})
    let ended = 0
    for (const { id } of items) accounts.watchSession(id, () => ended++)
    await admin.call(userAdministrationRoutes.update, { params: { id: ben.id }, body: { role: 'user' } })
    expect(ended).toBe(1)
    expect(await client.refusal(userAdministrationRoutes.list, {})).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await program.answer(userAdministrationRoutes.list, {})).status).toBe(403)
    // It is still signed in, as who it is now.
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ role: 'user' })
  })

  test('of two administrators who demote or disable each other exactly one stays', async () => {
    const { ann, make, accounts, admin } = await settled()
    const who = { actor: { kind: 'system' as const, accountId: null } }
    expect(
      await admin.refusal(userAdministrationRoutes.update, { params: { id: ann.id }, body: { role: 'user' } }),
    ).toMatchObject({
      status: 409,
      code: 'last_administrator',
    })
    for (let round = 0; round < 6; round++) {
      const { id } = await make(`second${round}`, { role: 'admin' })
      const { administration, removals } = accounts
      await Promise.allSettled([
        round % 2 === 0 ? administration.update(ann.id, { role: 'user' }, who) : removals.begin(ann.id, who),
        round % 3 === 0 ? administration.setStatus(id, 'disabled') : administration.update(id, { role: 'user' }, who),
      ])
      const { items } = await administration.page({ role: 'admin', status: 'active' }, 50, undefined)
      expect(items).toHaveLength(1)
      if (!(await accounts.user(ann.id))) break
      await administration.update(ann.id, { role: 'admin' }, who)
      await administration.setStatus(id, 'disabled')
    }
  })

  test('many are handled at once, each with a result of its own', async () => {
    const { admin, ann, signUp, make, accounts, recorded } = await settled()
    const { user: waits } = await signUp('waits')
    const ben = await make('ben')
    const group = await accounts.groups.add('Design')
    const bulk = async (action: string, ids: string[], groupId?: string) =>
      (await admin.call(userAdministrationRoutes.bulk, { body: { action, ids, groupId } as never })).items.map(
        ({ code }) => code,
      )
    expect(await bulk('approve', [waits.id, ben.id, 'nobody'])).toEqual([null, 'not_pending', 'user_not_found'])
    expect(await bulk('disable', [waits.id, ann.id, ben.id])).toEqual([null, 'last_administrator', null])
    expect(await bulk('enable', [waits.id, waits.id, ben.id])).toEqual([null, null])
    expect(await bulk('add-to-group', [waits.id, ben.id, 'nobody'], group.id)).toEqual([null, null, 'user_not_found'])
    expect([...(await accounts.groups.memberIds(group.id))].sort()).toEqual([waits.id, ben.id].sort())
    expect(await bulk('remove-from-group', [ben.id], group.id)).toEqual([null])
    expect(
      (await admin.answer(userAdministrationRoutes.bulk, { body: { action: 'add-to-group', ids: [ben.id] } })).status,
    ).toBe(400)
    expect(
      await admin.refusal(userAdministrationRoutes.bulk, {
        body: { action: 'add-to-group', ids: [ben.id], groupId: 'none' },
      }),
    ).toMatchObject({ code: 'group_not_found' })
    expect((await recorded()).filter((line) => line.includes('failure'))).toEqual([
      `user.approve failure ${ben.id}`,
      'user.approve failure nobody',
      `user.disable failure ${ann.id}`,
    ])
  })

  test('sessions and tokens of a person are seen and ended, never those of another', async () => {
    const { admin, make, signIn, guest } = await settled()
    const ben = await make('ben')
    const cid = await make('cid')
    const client = await signIn('ben')
    const body = { name: 'script', scopes: ['chat:read' as const] }
    const { token, record } = await client.call(apiTokensRoutes.createToken, { body })
    const tokens = await admin.call(userAdministrationRoutes.tokens, { params: { id: ben.id } })
    expect(tokens.items).toMatchObject([{ id: record.id, name: 'script' }])
    expect(JSON.stringify(tokens)).not.toContain(token)
    const { items } = await admin.call(userAdministrationRoutes.sessions, { params: { id: ben.id } })
    expect(items).toMatchObject([{ current: false, kind: 'password' }])
    const session = { id: ben.id, sessionId: items[0]?.id ?? '' }
    for (const [route, params, code] of [
      [userAdministrationRoutes.endSession, { ...session, id: cid.id }, 'session_not_found'],
      [userAdministrationRoutes.revokeToken, { id: cid.id, tokenId: record.id }, 'token_not_found'],
      [userAdministrationRoutes.revokeToken, { id: 'nobody', tokenId: record.id }, 'user_not_found'],
    ] as const)
      expect(await admin.refusal(route, { params } as never)).toMatchObject({ status: 404, code })
    await admin.call(userAdministrationRoutes.revokeToken, { params: { id: ben.id, tokenId: record.id } })
    expect((await guest.as(token).answer(accountsRoutes.me, {})).status).toBe(401)
    await admin.call(userAdministrationRoutes.endSession, { params: session })
    expect((await client.answer(accountsRoutes.me, {})).status).toBe(401)
  })

  test('an administrator does not get rid of the own second factor without a code', async () => {
    const { admin, ann, recorded, clock } = await settled()
    const mfa = await admin.call(accountsRoutes.enrollMfa, { body: {} })
    await admin.call(accountsRoutes.activateMfa, { body: { code: oneTimeCode(mfa.secret, clock.now()) } })
    const own = { params: { id: ann.id } }
    expect(await admin.refusal(userAdministrationRoutes.resetMfa, own)).toMatchObject({
      status: 409,
      code: 'own_account',
    })
    expect(await admin.call(accountsRoutes.mfa, {})).toMatchObject({ totpEnabled: true })
    expect((await recorded()).at(-1)).toBe(`user.mfa-reset failure ${ann.id}`)
  })

  test('a group that a directory made cannot be edited by hand, nor a membership that it keeps', async () => {
    const { admin, make, accounts } = await settled()
    const ben = await make('ben')
    const cid = await make('cid')
    const kept = await admin.call(groupsRoutes.addGroup, { body: { name: 'Staff', description: 'Everybody' } })
    const own = await admin.call(groupsRoutes.addGroup, { body: { name: 'Own' } })
    await accounts.groups.sources.claim(kept.id, 'scim')
    await accounts.groups.changeMembers(kept.id, 'scim', { add: [ben.id], remove: [] })
    await accounts.groups.changeMembers(own.id, 'ldap', { add: [ben.id], remove: [] })
    const { items } = await admin.call(groupsRoutes.groups, {})
    expect(items).toMatchObject([
      { name: 'Staff', description: 'Everybody', managedBy: 'scim', memberCount: 1 },
      { name: 'Own', description: null, managedBy: null, memberCount: 1 },
    ])
    for (const refusal of [
      admin.refusal(groupsRoutes.renameGroup, { params: { id: kept.id }, body: { name: 'Other' } }),
      admin.refusal(groupsRoutes.addMember, { params: { id: kept.id, accountId: cid.id } }),
      admin.refusal(groupsRoutes.removeMember, { params: { id: kept.id, accountId: ben.id } }),
      admin.refusal(groupsRoutes.removeMember, { params: { id: own.id, accountId: ben.id } }),
    ])
      expect(await refusal).toMatchObject({ status: 409, code: 'group_managed' })
    await admin.call(groupsRoutes.addMember, { params: { id: own.id, accountId: cid.id } })
    const told: string[] = []
    accounts.groups.onMembersChanged(async (id, who) => void told.push(...who.map((each) => `${id} ${each}`)))
    await accounts.groups.setGroups(ben.id, 'oidc:gone', [own.id])
    const members = async (id: string) =>
      (await admin.call(groupsRoutes.members, { params: { id } })).items.map(({ username, sources }) => [
        ...[username, ...sources.map(({ kind }) => kind)],
      ])
    expect(await members(kept.id)).toEqual([['ben', 'scim']])
    expect(await members(own.id)).toEqual([
      ['ben', 'ldap', 'provider'],
      ['cid', 'manual'],
    ])
    // Whom an administrator put there as well stays when those let go, and leaves by hand alone.
    await admin.call(groupsRoutes.addMember, { params: { id: own.id, accountId: ben.id } })
    await accounts.groups.changeMembers(own.id, 'ldap', { add: [], remove: 'others' })
    expect((await members(own.id))[0]).toEqual(['ben', 'manual', 'provider'])
    await accounts.groups.setGroups(ben.id, 'oidc:gone', [])
    expect((await members(own.id))[0]).toEqual(['ben', 'manual'])
    expect(told).toEqual(Array.from({ length: 4 }, () => `${own.id} ${ben.id}`))
    await admin.call(groupsRoutes.removeMember, { params: { id: own.id, accountId: ben.id } })
    expect(await members(own.id)).toEqual([['cid', 'manual']])
    const renamed = { params: { id: own.id }, body: { name: 'Ours', description: 'By hand' } }
    expect(await admin.call(groupsRoutes.renameGroup, renamed)).toMatchObject({ name: 'Ours', description: 'By hand' })
  })
})
