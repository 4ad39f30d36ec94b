import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { groupsRoutes } from '@atrium/contract/groups'
import { scimRoutes } from '@atrium/contract/scim'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp, testPassword } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { testClock } from '../../testing/clock.ts'
import { createDirectory, type ScimAnswer, type TestDirectory } from '../../testing/scim.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('a directory that keeps accounts (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  let directory: TestDirectory
  const clock = testClock(Date.now())
  beforeAll(async () => {
    app = await startTestApp({ dialect, overrides: { clock } })
    admin = await app.signUpAdmin()
    const { token } = await admin.call(scimRoutes.createToken, { body: { name: 'The directory' } })
    directory = createDirectory(app.url, token)
  })
  afterAll(() => app?.close())

  const user = (userName: string, more: object = {}) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    active: true,
    ...more,
  })
  const make = async (userName: string, more: object = {}): Promise<ScimAnswer> => {
    const made = await directory.post('/Users', user(userName, more))
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made
  }
  const ids = (answer: ScimAnswer) => (answer.body.Resources as { id: string }[]).map(({ id }) => id)

  test('says what it understands, in the standard’s words and media type', async () => {
    for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) {
      const answer = await directory.get(path)
      expect(answer.status).toBe(200)
      expect(answer.type).toBe('application/scim+json; charset=utf-8')
      expect(answer.body.schemas).toHaveLength(1)
    }
  })

  test('nobody else has a way in, and its token opens no other door', async () => {
    const { token } = await admin.call(apiTokensRoutes.createToken, { body: { name: 'x', scopes: ['admin'] } })
    for (const other of [undefined, admin.token, token, `atd_${'x'.repeat(43)}`]) {
      const answer = await createDirectory(app.url, other).get('/Users')
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ status: '401', schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] })
    }
    const foreign = app.client(directory.token)
    for (const route of [accountsRoutes.me, userAdministrationRoutes.list, scimRoutes.tokens])
      expect((await foreign.answer(route, {})).status).toBe(401)
    expect((await foreign.raw('/v1/models')).status).toBe(401)
  })

  test('may mix scripts in a name; one that looks like another’s is as taken as the same one', async () => {
    const { id } = (await make('иser-7')).body
    expect((await directory.put(`/Users/${id}`, user('иser-77'))).body).toMatchObject({ userName: 'иser-77' })
    await make('lara.1')
    const answer = await directory.post('/Users', user('lara.l'))
    expect(answer.body).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })

  test('makes an account without a password, changes it, disables it at once and lets it go', async () => {
    const more = {
      externalId: 'ext-ann',
      name: { givenName: 'Ann', familyName: 'Anders' },
      emails: [{ value: 'ann@example.org', type: 'work', primary: true }],
    }
    const made = await make('ann', more)
    const { id } = made.body
    expect(made.body).toMatchObject({ ...more, userName: 'ann', displayName: 'Ann Anders', active: true })
    expect(made.headers.get('etag')).toBe(made.body.meta.version)
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    const listed = await admin.call(userAdministrationRoutes.list, {})
    expect(listed.items.find((each) => each.id === id)).toMatchObject({
      username: 'ann',
      status: 'active',
      role: 'user',
    })
    const login = { username: 'ann', password: '!' }
    expect((await app.client().refusal(accountsRoutes.login, { body: login })).code).toBe('wrong_credentials')

    const put = await directory.put(`/Users/${id}`, user('ann', { externalId: 'ext-ann', displayName: 'A.' }))
    expect(put.body).toMatchObject({ displayName: 'A.', active: true })
    expect(put.body).not.toHaveProperty('emails')
    expect((await directory.get(`/Users/${id}`)).body).toEqual(put.body)

    expect((await directory.delete(`/Users/${id}`)).status).toBe(204)
    expect((await directory.get(`/Users/${id}`)).status).toBe(404)
    expect((await directory.delete(`/Users/${id}`)).status).toBe(404)
    const after = await admin.call(userAdministrationRoutes.list, {})
    expect(after.items.find((each) => each.id === id)).toMatchObject({ status: 'disabled' })
    // Whoever comes back is the same account, found by its name.
    const found = await directory.get(`/Users?filter=${encodeURIComponent('userName eq "ANN"')}`)
    expect(ids(found)).toEqual([id])
    const again = await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }])
    expect(again.body).toMatchObject({ id, active: true })
  })

  test('one that is disabled is out at once, with its sessions and tokens', async () => {
    const local = await app.signUpUser(`local-${dialect}`)
    const { id } = await local.call(accountsRoutes.me, {})
    const { token } = await local.call(apiTokensRoutes.createToken, { body: { name: 'x', scopes: ['chat:read'] } })
    const off = [{ op: 'Replace', path: 'active', value: 'False' }]
    expect((await directory.patch(`/Users/${id}`, off)).body).toMatchObject({ active: false })
    expect((await local.refusal(accountsRoutes.me, {})).code).toMatch(/account_disabled|unauthenticated/)
    expect((await app.client(token).answer(accountsRoutes.me, {})).status).toBe(403)
    const on = [{ op: 'Replace', value: { active: 'True' } }]
    expect((await directory.patch(`/Users/${id}`, on)).body).toMatchObject({ active: true })
    const login = { username: `local-${dialect}`, password: testPassword }
    signedIn(await app.client().call(accountsRoutes.login, { body: login }))
  })

  test('accounts of administrators are not taken over, and the last one is never disabled', async () => {
    const { id } = await admin.call(accountsRoutes.me, {})
    const off = [{ op: 'replace', path: 'active', value: false }]
    const refused = await directory.patch(`/Users/${id}`, off)
    expect(refused).toMatchObject({ status: 400, body: { status: '400', scimType: 'mutability' } })
    expect((await directory.delete(`/Users/${id}`)).status).toBe(400)
    expect(await admin.call(accountsRoutes.me, {})).toMatchObject({ id, status: 'active' })
    // Also one that it keeps, and that became the only administrator.
    const chief = await app.signUpUser(`chief-${dialect}`)
    const own = await chief.call(accountsRoutes.me, {})
    await directory.patch(`/Users/${own.id}`, [{ op: 'add', path: 'externalId', value: 'ext-chief' }])
    await admin.call(userAdministrationRoutes.update, { params: { id: own.id }, body: { role: 'admin' } })
    const again = app.client(
      signedIn(
        await app.client().call(accountsRoutes.login, {
          body: { username: `chief-${dialect}`, password: testPassword },
        }),
      ).token,
    )
    await again.call(userAdministrationRoutes.update, { params: { id }, body: { role: 'user' } })
    for (const answer of [await directory.patch(`/Users/${own.id}`, off), await directory.delete(`/Users/${own.id}`)])
      expect(answer.body).toMatchObject({ scimType: 'mutability' })
    expect(await again.call(accountsRoutes.me, {})).toMatchObject({ status: 'active', role: 'admin' })
    await again.call(userAdministrationRoutes.update, { params: { id }, body: { role: 'admin' } })
  })

  test('names, addresses and ids are there once; of two at the same time one is told so', async () => {
    const body = user('twin', { externalId: 'ext-twin', emails: [{ value: 'twin@example.org' }] })
    const both = await Promise.all([directory.post('/Users', body), directory.post('/Users', body)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    for (const other of [
      user('TWIN'),
      user('twin-2', { externalId: 'ext-twin' }),
      user('twin-3', { emails: [{ value: 'TWIN@example.org' }] }),
    ])
      expect(await directory.post('/Users', other)).toMatchObject({
        status: 409,
        body: { status: '409', scimType: 'uniqueness' },
      })
  })

  test('are found by name, id, address and state, page by page', async () => {
    for (const name of ['page-1', 'page-2', 'page-3'])
      await make(name, { externalId: `ext ${name}`, emails: [{ value: `${name}@example.org` }] })
    const find = (filter: string, more = '') => directory.get(`/Users?filter=${encodeURIComponent(filter)}${more}`)
    for (const filter of [
      'userName eq "PAGE-2"',
      'externalId eq "ext page-2"',
      'emails.value eq "page-2@example.org"',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName Eq "page-2" and active eq true',
    ])
      expect((await find(filter)).body, filter).toMatchObject({ totalResults: 1, Resources: [{ userName: 'page-2' }] })
    expect((await find('userName eq "page-2" and active eq false')).body).toMatchObject({ totalResults: 0 })
    expect((await find('userName eq "nobody"')).body).toMatchObject({ totalResults: 0, Resources: [] })

    const all = await directory.get('/Users')
    const total = Number(all.body.totalResults)
    const seen: string[] = []
    for (let at = 1; at <= total; at += 2) {
      const page = await directory.get(`/Users?startIndex=${at}&count=2`)
      expect(page.body).toMatchObject({ totalResults: total, startIndex: at })
      seen.push(...ids(page))
    }
    expect(seen).toEqual(ids(all))
    expect((await directory.get('/Users?count=0')).body).toMatchObject({ totalResults: total, Resources: [] })
    expect((await directory.get('/Users?startIndex=-3&count=-1')).body).toMatchObject({ startIndex: 1, Resources: [] })
    const few = await directory.get('/Users?attributes=userName&count=1')
    expect(Object.keys((few.body.Resources as object[])[0] ?? {}).sort()).toEqual(['id', 'schemas', 'userName'])
  })

  test.each([
    'userName sw "a"',
    'nonsense',
    'password eq "x"',
    'userName eq "a" or active eq true',
    'userName eq "a',
    '',
  ])('the filter %j is refused as such', async (filter) => {
    const answer = await directory.get(`/Users?filter=${encodeURIComponent(filter)}`)
    expect(answer).toMatchObject({ status: 400, body: { status: '400', scimType: 'invalidFilter' } })
  })

  test('a change of another state than was read is refused', async () => {
    const { body } = await make('versioned')
    const path = `/Users/${body.id}`
    const change = [{ op: 'replace', path: 'displayName', value: 'New' }]
    expect((await directory.patch(path, change, { 'if-match': 'W/"other"' })).status).toBe(412)
    expect((await directory.patch(path, change, { 'if-match': body.meta.version })).status).toBe(200)
    expect((await directory.patch(path, change, { 'if-match': body.meta.version })).status).toBe(412)
  })

  test('groups are made, filled, renamed and removed, and are shown as kept elsewhere', async () => {
    const [one, two] = [(await make('member-1')).body.id, (await make('member-2')).body.id]
    const made = await directory.post('/Groups', {
      displayName: `Staff ${dialect}`,
      externalId: 'g-1',
      members: [{ value: one }],
    })
    expect(made).toMatchObject({ status: 201, body: { externalId: 'g-1', members: [{ value: one }] } })
    const path = `/Groups/${made.body.id}`
    const members = async () =>
      ((await directory.get(path)).body.members as { value: string }[]).map(({ value }) => value).sort()
    await directory.patch(path, [{ op: 'Add', path: 'members', value: [{ value: two }] }])
    expect(await members()).toEqual([one, two].sort())
    await directory.patch(path, [{ op: 'Remove', path: `members[value eq "${one}"]` }])
    expect(await members()).toEqual([two])
    await directory.patch(path, [{ op: 'Remove', path: 'members', value: [{ value: two }] }])
    expect(await members()).toEqual([])
    await directory.patch(path, [{ op: 'replace', value: { id: made.body.id, displayName: `Crew ${dialect}` } }])
    await directory.put(path, { displayName: `Crew ${dialect}`, members: [{ value: one }, { value: two }] })
    expect(await members()).toEqual([one, two].sort())
    const listed = await admin.call(groupsRoutes.groups, {})
    expect(listed.items.find(({ id }) => id === made.body.id)).toMatchObject({
      name: `Crew ${dialect}`,
      managedBy: 'scim',
    })
    const found = await directory.get(
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "crew ${dialect}"`)}`,
    )
    expect(found.body.totalResults).toBe(1)
    expect((found.body.Resources as object[])[0]).not.toHaveProperty('members')
    expect(
      (await directory.patch(path, [{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }])).body,
    ).toMatchObject({
      scimType: 'invalidValue',
    })
    expect((await directory.delete(path)).status).toBe(204)
    expect((await directory.get(path)).status).toBe(404)
    expect((await directory.get(`/Users/${one}`)).status).toBe(200)
  })

  test('groups that were made here stay out of its reach', async () => {
    const own = await admin.call(groupsRoutes.addGroup, { body: { name: `Own ${dialect}` } })
    expect(await directory.post('/Groups', { displayName: `own ${dialect}` })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    expect((await directory.get(`/Groups/${own.id}`)).status).toBe(404)
    expect(
      (await directory.patch(`/Groups/${own.id}`, [{ op: 'replace', path: 'displayName', value: 'x' }])).status,
    ).toBe(404)
    expect((await directory.delete(`/Groups/${own.id}`)).status).toBe(404)
  })

  test('nonsense is refused with a word of the standard, and breaks nothing', async () => {
    const { id } = (await make('fuzzed')).body
    const values = [null, 0, true, 'x', '\u0001', [], {}, [[]], [{}], { value: {} }, { $ref: 1 }, 'a'.repeat(2000)]
    const paths = [
      ...[
        'userName',
        'active',
        'emails',
        'emails[type eq "work"].value',
        'emails[',
        'name',
        'name.givenName',
        'name.x',
      ],
      ...['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', '__proto__', 'constructor', '', ' '],
      ...['emails[type eq "work"', 'a'.repeat(400), 'members', undefined],
    ]
    for (const op of ['add', 'Replace', 'REMOVE', 'move'])
      for (const path of paths)
        for (const value of values) {
          const answer = await directory.patch(`/Users/${id}`, [{ op, path, value }])
          expect([200, 400], JSON.stringify({ op, path, value, answer: answer.body })).toContain(answer.status)
          if (answer.status === 400)
            expect(answer.body.scimType, JSON.stringify({ op, path, value })).toMatch(/^(invalid|noTarget)/)
        }
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('tokens are shown once, replaced, revoked at once, over in time, and five at most', async () => {
    const first = await admin.call(scimRoutes.createToken, { body: { name: 'Second', expiresInDays: 30 } })
    const other = createDirectory(app.url, first.token)
    expect((await other.get('/Users?count=0')).status).toBe(200)
    const { items } = await admin.call(scimRoutes.tokens, {})
    expect(items.find(({ id }) => id === first.record.id)).toMatchObject({ name: 'Second' })
    expect(JSON.stringify(items)).not.toContain(first.token)
    const next = await admin.call(scimRoutes.rotateToken, { params: { id: first.record.id } })
    expect((await other.get('/Users')).status).toBe(401)
    expect((await createDirectory(app.url, next.token).get('/Users')).status).toBe(200)
    await admin.call(scimRoutes.revokeToken, { params: { id: first.record.id } })
    expect((await createDirectory(app.url, next.token).get('/Users')).status).toBe(401)
    const month = await admin.call(scimRoutes.createToken, { body: { name: 'For a month', expiresInDays: 30 } })
    for (let left = 3; left > 0; left--) await admin.call(scimRoutes.createToken, { body: { name: 'More' } })
    expect((await admin.refusal(scimRoutes.createToken, { body: { name: 'One too many' } })).code).toBe(
      'scim_token_limit',
    )
    const person = await app.signUpUser()
    expect((await person.refusal(scimRoutes.tokens, {})).code).toBe('forbidden')
    const monthly = createDirectory(app.url, month.token)
    expect((await monthly.get('/Users?count=0')).status).toBe(200)
    clock.advance(30 * 24 * 3_600_000)
    expect((await monthly.get('/Users?count=0')).status).toBe(401)
    expect((await directory.get('/Users?count=0')).status).toBe(200)
  })
})
