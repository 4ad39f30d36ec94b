import { accountsRoutes } from '@atrium/contract/accounts'
import { auditRoutes } from '@atrium/contract/audit'
import { groupsRoutes } from '@atrium/contract/groups'
import { type LdapSettings, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp, testPassword } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import {
  ldapBase,
  ldapGroup,
  ldapPerson,
  ldapService,
  ldapSettings,
  startLdap,
  startSilence,
  type TestLdap,
} from '../../../testing/ldap-server.ts'
import { signedIn } from '../../../testing/sign-in.ts'
import { usualDialects } from '../../../testing/databases.ts'

describe.each(usualDialects)('signing in with a directory (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  let server: TestLdap
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    admin = await app.signUpAdmin()
    server = await startLdap()
  })
  afterAll(async () => {
    await app?.close()
    await server?.close()
  })
  beforeEach(async () => {
    server.log.length = 0
    server.delayMs = 0
    server.entries = [ldapPerson('ann'), ldapPerson('ben')]
    await set()
  })

  const set = (change: Partial<LdapSettings> = {}, password = ldapService.password) => {
    const { hasPassword: _, ...body } = { ...ldapSettings(server), ...change }
    return admin.call(signInProvidersRoutes.updateLdap, { body: { ...body, password } })
  }
  const login = (username: string, password = `${username} secret`) =>
    app.client().call(accountsRoutes.login, { body: { username, password } })
  const refusal = async (username: string, password = `${username} secret`) =>
    (await app.client().refusal(accountsRoutes.login, { body: { username, password } })).code
  const listed = async (username: string) => {
    const { items } = await admin.call(userAdministrationRoutes.list, { query: { limit: 200 } })
    return items.find((user) => user.username === username)
  }

  test('somebody new gets an account with what the directory says, and comes back to the same one', async () => {
    const first = signedIn(await login('ann'))
    expect(first.user).toMatchObject({
      username: 'ann',
      displayName: 'ann of Example',
      email: 'ann@example.org',
      role: 'user',
      status: 'active',
    })
    server.entries = [ldapPerson('ann', { attributes: { cn: 'Ann Anders', mail: 'anders@example.org' } })]
    const second = signedIn(await login('ann'))
    expect(second.user).toMatchObject({ id: first.user.id, displayName: 'Ann Anders', email: 'anders@example.org' })
    const { items } = await app.client(second.token).call(accountsRoutes.sessions, {})
    expect(items.map(({ kind }) => kind)).toEqual(['ldap', 'ldap'])
    expect((await listed('ann'))?.signIn).toEqual(['ldap'])
  })

  test('people whose names look alike all come in: the later one gets a number', async () => {
    server.entries = ['user1', 'userl'].map((name) => ldapPerson(name))
    const came = async (name: string) => signedIn(await login(name)).user
    const first = await came('user1')
    const second = await came('userl')
    expect([first.username, second.username]).toEqual(['user1', 'userl-2'])
    expect(await came('userl')).toMatchObject({ id: second.id, username: 'userl-2' })
  })

  test('somebody who is renamed there keeps the account, as the id stays', async () => {
    server.entries = [ldapPerson('carl')]
    const { user } = signedIn(await login('carl'))
    server.entries = [ldapPerson('carlo', { password: 'carl secret', attributes: { entryUUID: 'uuid-of-carl' } })]
    const again = signedIn(await login('carlo', 'carl secret'))
    expect(again.user).toMatchObject({ id: user.id, username: 'carlo' })
  })

  test('wrong passwords, unknown names and empty passwords all get the same answer', async () => {
    expect(await refusal('ann', 'wrong')).toBe('wrong_credentials')
    expect(await refusal('nobody-here')).toBe('wrong_credentials')
    expect(await refusal('ann', ' ')).toBe('wrong_credentials')
    const empty = await app.client().refusal(accountsRoutes.login, { body: { username: 'ann', password: '' } })
    expect(empty.code).toBe('validation_failed')
    // Every one of them cost a search and a bind there, so that time tells nothing either.
    server.log.length = 0
    await refusal('ann', 'wrong')
    const known = server.log.map((line) => line.split(' ')[0])
    server.log.length = 0
    await refusal('nobody-here')
    expect(server.log.map((line) => line.split(' ')[0])).toEqual(known)
    server.log.length = 0
    await refusal('admin', 'wrong for the local account')
    expect(server.log.map((line) => line.split(' ')[0])).toEqual(known)
  })

  test('a local password that is wrong is not told to the directory', async () => {
    server.entries.push(ldapPerson('admin', { password: 'wrong here, right there' }))
    expect(await refusal('admin', 'wrong here, right there')).toBe('wrong_credentials')
    expect(server.log.filter((line) => line.startsWith('bind uid=admin'))).toEqual([])
    signedIn(await login('admin', testPassword))
  })

  test.each(['*', 'ann)(uid=*', '*)(objectClass=*', 'an\\6e', 'a*', '\0', 'ann)(|(uid=ben'])(
    'the name %j is only a name in the filter',
    async (name) => {
      expect(['wrong_credentials', 'validation_failed']).toContain(await refusal(name, 'ann secret'))
      expect(server.log.filter((line) => line.startsWith('bind uid='))).toEqual([])
    },
  )

  test('a name that two entries have lets nobody in', async () => {
    server.entries.push(ldapPerson('ann', { dn: `uid=ann,ou=others,${ldapBase}`, attributes: { entryUUID: 'other' } }))
    expect(await refusal('ann')).toBe('wrong_credentials')
  })

  test('an account of that name that has a password stays its owner’s; they link it with proof of both', async () => {
    const local = await app.signUpUser(`dora-${dialect}`)
    server.entries.push(ldapPerson('dora', { attributes: { uid: `dora-${dialect}` }, password: 'dora secret' }))
    expect(await refusal(`dora-${dialect}`, 'dora secret')).toBe('wrong_credentials')
    const link = (currentPassword: string, password: string) =>
      local.answer(signInProvidersRoutes.linkLdap, {
        body: { currentPassword, username: `dora-${dialect}`, password },
      })
    expect((await link('not this one', 'dora secret')).status).toBe(401)
    expect((await link(testPassword, 'not this one')).status).toBe(401)
    expect((await link(testPassword, 'dora secret')).status).toBe(200)
    const { user } = signedIn(await login(`dora-${dialect}`, 'dora secret'))
    expect(user.id).toBe((await local.call(accountsRoutes.me, {})).id)
    signedIn(await login(`dora-${dialect}`, testPassword))
    expect(await local.call(signInProvidersRoutes.ldapLink, {})).toEqual({
      enabled: true,
      linked: true,
      hasPassword: true,
    })
    // What is linked with one account cannot be linked with another.
    const other = await app.signUpUser(`dora-two-${dialect}`)
    const twice = { currentPassword: testPassword, username: `dora-${dialect}`, password: 'dora secret' }
    expect(await other.refusal(signInProvidersRoutes.linkLdap, { body: twice })).toMatchObject({
      code: 'identity_linked',
    })
    await local.call(signInProvidersRoutes.unlinkLdap, {})
    expect(await refusal(`dora-${dialect}`, 'dora secret')).toBe('wrong_credentials')
  })

  test('the name of another account from the directory is not taken over, and the person is told what to do', async () => {
    server.entries = [ldapPerson('emil')]
    signedIn(await login('emil'))
    server.entries = [ldapPerson('emil', { attributes: { entryUUID: 'somebody else' } })]
    expect(await refusal('emil')).toBe('directory_link_needed')
  })

  test('an administrator links an account that has no other way in', async () => {
    await set({ signUp: 'off' })
    expect(await refusal('ben')).toBe('signup_closed')
    const { id } = (await listed('admin')) ?? { id: '' }
    const body = { username: 'ben' }
    await admin.call(signInProvidersRoutes.linkLdapAccount, { params: { id }, body })
    expect((await listed('admin'))?.signIn).toEqual(['password', 'ldap'])
    expect(signedIn(await login('ben')).user.id).toBe(id)
    // The directory renamed it; back for the tests that follow.
    await admin.call(signInProvidersRoutes.unlinkLdapAccount, { params: { id } })
    await admin.call(accountsRoutes.updateMe, { body: { username: 'admin' } })
    const unknown = await admin.refusal(signInProvidersRoutes.linkLdapAccount, {
      params: { id },
      body: { username: 'nobody' },
    })
    expect(unknown.code).toBe('directory_entry_not_found')
  })

  test('a new account waits for approval where that is wished, and a disabled one stays out', async () => {
    await set({ signUp: 'pending' })
    server.entries = [ldapPerson('fay')]
    expect(await refusal('fay')).toBe('account_pending')
    const { id } = (await listed('fay')) ?? { id: '' }
    await admin.call(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'active' } })
    signedIn(await login('fay'))
    await admin.call(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'disabled' } })
    expect(await refusal('fay')).toBe('account_disabled')
  })

  test('groups that are named are kept as they are there; what was done by hand stays', async () => {
    await set({ syncGroups: ['Writers', 'readers'] })
    server.entries = [ldapPerson('gus'), ldapGroup('writers', ['gus']), ldapGroup('secret', ['gus'])]
    const { user } = signedIn(await login('gus'))
    expect((await listed('gus'))?.groups.map(({ name }) => name)).toEqual(['Writers'])
    const own = await admin.call(groupsRoutes.addGroup, { body: { name: `By hand ${dialect}` } })
    await admin.call(groupsRoutes.addMember, { params: { id: own.id, accountId: user.id } })
    server.entries = [ldapPerson('gus'), ldapGroup('writers', []), ldapGroup('readers', ['gus'])]
    signedIn(await login('gus'))
    expect((await listed('gus'))?.groups.map(({ name }) => name).sort()).toEqual([`By hand ${dialect}`, 'readers'])
    // Who is in a group by hand and by the directory stays when the directory lets go.
    await set({ syncGroups: ['Writers', 'readers', own.name] })
    for (const members of [['gus'], []]) {
      server.entries = [ldapPerson('gus'), ldapGroup(own.name, members)]
      signedIn(await login('gus'))
      expect((await listed('gus'))?.groups.map(({ name }) => name)).toEqual([own.name])
    }
  })

  test('the role follows the groups of administrators, but the last administrator keeps theirs', async () => {
    await set({ administratorGroups: ['admins'] })
    server.entries = [ldapPerson('hal'), ldapGroup('admins', ['hal'])]
    expect(signedIn(await login('hal')).user.role).toBe('admin')
    const { id } = (await listed('admin')) ?? { id: '' }
    await admin.call(userAdministrationRoutes.setStatus, {
      params: { id: (await listed('hal'))?.id ?? '' },
      body: { status: 'disabled' },
    })
    await admin
      .call(signInProvidersRoutes.linkLdapAccount, { params: { id }, body: { username: 'hal' } })
      .catch(() => undefined)
    server.entries = [ldapPerson('admin', { password: 'other secret', attributes: { entryUUID: 'uuid-of-admin' } })]
    await admin.call(signInProvidersRoutes.linkLdapAccount, { params: { id }, body: { username: 'admin' } })
    expect(signedIn(await login('admin', 'other secret')).user).toMatchObject({ id, role: 'admin' })
    const { items } = await admin.call(auditRoutes.list, { query: { action: 'auth.identity.sync', result: 'denied' } })
    expect(items[0]).toMatchObject({ targetId: id, details: { source: 'ldap', reason: 'last-administrator' } })
    await admin.call(signInProvidersRoutes.unlinkLdapAccount, { params: { id } })
  })

  test('somebody whose role the directory takes is an ordinary account at once', async () => {
    await set({ administratorGroups: ['admins'] })
    server.entries = [ldapPerson('ina'), ldapGroup('admins', ['ina'])]
    const before = signedIn(await login('ina'))
    expect((await app.client(before.token).answer(userAdministrationRoutes.list, {})).status).toBe(200)
    server.entries = [ldapPerson('ina')]
    const after = signedIn(await login('ina'))
    expect((await app.client(before.token).answer(userAdministrationRoutes.list, {})).status).toBe(401)
    expect((await app.client(after.token).answer(userAdministrationRoutes.list, {})).status).toBe(403)
  })

  test('StartTLS and plain connections work where they are set, and a certificate that nobody vouches for does not', async () => {
    for (const security of ['starttls', 'plain'] as const) {
      const other = await startLdap({ security, entries: [ldapPerson('jo')] })
      await set({ url: other.url, ca: other.ca, allowPlain: security === 'plain' })
      expect(signedIn(await login('jo')).user.username).toBe('jo')
      // Passwords are never sent readable where that was not allowed.
      if (security === 'plain') {
        await set({ url: other.url, ca: other.ca })
        other.log.length = 0
        expect(await refusal('jo')).toBe('directory_unreachable')
        expect(other.log).toEqual([])
      }
      await other.close()
    }
    await set({ ca: null })
    expect(await refusal('ann')).toBe('directory_unreachable')
    expect(server.log).toEqual([])
  })

  test('without the directory local accounts come in, and every other name gets one answer', async () => {
    await set({ url: 'ldaps://localhost:1' })
    signedIn(await login('admin', testPassword))
    expect(await refusal('admin', 'wrong')).toBe('directory_unreachable')
    expect(await refusal('ann')).toBe('directory_unreachable')
    expect(await refusal('nobody-here')).toBe('directory_unreachable')
  })

  test('a directory that says nothing is given up after some seconds', async () => {
    const silence = await startSilence()
    await set({ url: `ldaps://localhost:${silence.port}` })
    const began = performance.now()
    expect(await refusal('ann')).toBe('directory_unreachable')
    expect(performance.now() - began).toBeLessThan(60_000)
    silence.close()
  })

  test('the password of the directory is never shown, and not told to another server', async () => {
    expect(await admin.call(signInProvidersRoutes.ldap, {})).toMatchObject({ hasPassword: true })
    expect(JSON.stringify(await admin.call(signInProvidersRoutes.ldap, {}))).not.toContain(ldapService.password)
    const { hasPassword: _, ...body } = ldapSettings(server)
    const moved = await admin.refusal(signInProvidersRoutes.updateLdap, {
      body: { ...body, url: 'ldaps://elsewhere.example' },
    })
    expect(moved.code).toBe('directory_setting')
    for (const wrong of [
      { userFilter: '(uid={{username}}' },
      { userFilter: '(uid=ann)' },
      { url: 'http://x' },
      { ca: 'x' },
    ])
      expect((await admin.refusal(signInProvidersRoutes.updateLdap, { body: { ...body, ...wrong } })).code).toBe(
        'directory_setting',
      )
  })

  test('the trial tells each step, what was received and what would become of it, and changes nothing', async () => {
    await set({ administratorGroups: ['admins'], syncGroups: ['admins'] })
    server.entries = [ldapPerson('kim', { attributes: { userPassword: 'hidden' } }), ldapGroup('admins', ['kim'])]
    const body = { username: 'kim', password: 'kim secret' }
    const trial = await admin.call(signInProvidersRoutes.testLdap, { body })
    expect(trial.steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual(
      ['resolve', 'connect', 'tls', 'bind', 'search', 'sign-in', 'groups'].map((step) => `${step} true`),
    )
    expect(trial.mapping).toEqual({
      username: 'kim',
      email: 'kim@example.org',
      displayName: 'kim of Example',
      role: 'admin',
      groups: ['admins'],
      outcome: 'new',
    })
    expect(JSON.stringify(trial)).not.toContain('hidden')
    expect(await listed('kim')).toBeUndefined()
    const wrong = await admin.call(signInProvidersRoutes.testLdap, { body: { ...body, password: 'wrong' } })
    expect(wrong).toMatchObject({ ok: false, entry: null })
    expect(wrong.steps.at(-1)).toMatchObject({ step: 'sign-in', ok: false })
    await set({ ca: null })
    const untrusted = await admin.call(signInProvidersRoutes.testLdap, { body: {} })
    expect(untrusted.steps.at(-1)).toMatchObject({ step: 'tls', ok: false })
  })

  test('what is not saved yet can be tried, and the saved password is told to the saved server alone', async () => {
    const { hasPassword: _, ...draft } = ldapSettings(server)
    await set({ url: 'ldaps://elsewhere.example.org' })
    const person = { username: 'ann', password: 'ann secret' }
    const { password } = ldapService
    const trial = await admin.call(signInProvidersRoutes.testLdap, {
      body: { ...person, settings: { ...draft, password } },
    })
    expect([trial.ok, trial.steps.length, trial.mapping?.username]).toEqual([true, 7, 'ann'])
    expect((await admin.call(signInProvidersRoutes.ldap, {})).url).toBe('ldaps://elsewhere.example.org')
    const refused = await admin.refusal(signInProvidersRoutes.testLdap, { body: { ...person, settings: draft } })
    expect(refused).toMatchObject({ code: 'directory_setting', problem: { errors: [{ path: 'body.password' }] } })
    await set()
    const again = await admin.call(signInProvidersRoutes.testLdap, {
      body: { ...person, settings: { ...draft, userFilter: '(cn={{username}})' } },
    })
    expect(again.steps.at(-1)).toMatchObject({ step: 'search', ok: false })
    const lighter = { ...draft, url: draft.url, ca: null }
    expect(await admin.refusal(signInProvidersRoutes.testLdap, { body: { settings: lighter } })).toMatchObject({
      code: 'directory_setting',
    })
  })

  test('many first sign-ins of one person at once make one account', async () => {
    server.entries = [ldapPerson('lea')]
    const answers = await Promise.all(Array.from({ length: 6 }, () => login('lea')))
    expect(new Set(answers.map((answer) => signedIn(answer).user.id)).size).toBe(1)
  })
})
