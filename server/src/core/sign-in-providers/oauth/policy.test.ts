import { accountsRoutes } from '@atrium/contract/accounts'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { type ExternalHarness, openExternalHarness, password, reasonsIn } from '../../../testing/external.ts'

const harnesses: ExternalHarness[] = []
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.stop()
})
const bob = { sub: 'bob-1', preferred_username: 'bob', email: 'bob@example.org', email_verified: true }

withDatabase('who may come in from elsewhere', (open) => {
  const harness = async () => {
    const opened = await openExternalHarness(open)
    harnesses.push(opened)
    return opened
  }

  test('follows sign-up, domains, verified addresses and the standing of the account', async () => {
    const it = await harness()
    const { openid, addCorp, admin, enter, browser, accounts } = it
    await addCorp({ signUp: 'off' })
    const change = (
      body: Parameters<typeof admin.call<typeof signInProvidersRoutes.updateIdentityProvider>>[1]['body'],
    ) => admin.call(signInProvidersRoutes.updateIdentityProvider, { params: { id: 'corp' }, body })
    const comes = async (person: Parameters<typeof openid.signInAs>[0]) => {
      openid.signInAs(person)
      const { page } = await enter(browser())
      return page.search.slice(1).replace('&provider=corp', '')
    }
    expect(await comes(bob)).toBe('error=registration_disabled')
    await change({ signUp: 'active', allowedDomains: ['example.org'] })
    expect(await comes({ ...bob, email: 'bob@elsewhere.org' })).toBe('error=domain_not_allowed')
    expect(await comes({ ...bob, email: 'bob@sub.example.org' })).toBe('error=domain_not_allowed')
    expect(await comes({ ...bob, email_verified: false })).toBe('error=domain_not_allowed')
    expect(await comes(bob)).toBe('auth=success')
    const { items } = await accounts.administration.list(50, undefined)
    const id = items.find(({ username }) => username === 'bob')?.id ?? ''
    await accounts.administration.setStatus(id, 'disabled')
    expect(await comes(bob)).toBe('error=account_disabled')
    // A name that is taken gets a number; an address that is not verified is not kept.
    await change({ allowedDomains: [], signUp: 'pending' })
    expect(await comes({ sub: 'bob-2', preferred_username: 'Bob', email: 'b@x.org' })).toBe('approval=pending')
    expect(await comes({ sub: 'bob-2', preferred_username: 'Bob' })).toBe('approval=pending')
    const second = (await accounts.administration.list(50, undefined)).items.find(
      ({ username }) => username === 'Bob-2',
    )
    expect(second).toMatchObject({ status: 'pending', email: null, role: 'user' })
    await change({ enabled: false })
    expect((await it.guest.refusal(signInProvidersRoutes.externalStart, { params: { idp: 'corp' } })).code).toBe(
      'identity_provider_not_found',
    )
    expect(new Set(await reasonsIn(it))).toEqual(
      new Set(['registration-disabled', 'email-domain-denied', 'account-disabled', 'account-pending']),
    )
  })

  test('role and groups follow the provider, both ways, and the last administrator stays', async () => {
    const it = await harness()
    const { openid, addCorp, admin, enter, browser, accounts, ann } = it
    const { groups, administration } = accounts
    const staff = await groups.add('Staff')
    const desk = await groups.add('Desk')
    await addCorp({
      scopes: ['profile', 'email', 'groups'],
      groupClaim: 'groups',
      adminGroups: ['Chiefs'],
      syncGroups: true,
    })
    const comes = async (...names: string[]) => {
      openid.signInAs({ ...bob, groups: names })
      const { client } = await enter(browser())
      return client as NonNullable<typeof client>
    }
    const chief = await comes('chiefs', 'Chiefs', 'staff', 'nowhere')
    const { id } = await chief.call(accountsRoutes.me, {})
    expect(await chief.call(accountsRoutes.me, {})).toMatchObject({ role: 'admin' })
    expect(await groups.currentIdsOf(id)).toEqual([staff.id])
    await groups.addMember(desk.id, id)
    const member = await comes('Staff', 'Desk')
    // Sessions that had the role are over, the new one never had it.
    expect((await chief.refusal(accountsRoutes.me, {})).code).toBe('unauthenticated')
    expect(await member.call(accountsRoutes.me, {})).toMatchObject({ role: 'user' })
    expect((await member.refusal(signInProvidersRoutes.identityProviders, {})).code).toBe('forbidden')
    expect(new Set(await groups.currentIdsOf(id))).toEqual(new Set([staff.id, desk.id]))
    await comes()
    // What an administrator did by hand stays.
    expect(await groups.currentIdsOf(id)).toEqual([desk.id])

    const again = await comes('Chiefs')
    await administration.update(ann.id, { role: 'user' }, { actor: { kind: 'system', accountId: null } })
    await comes('Staff')
    expect(await again.call(accountsRoutes.me, {})).toMatchObject({ role: 'admin' })
    expect(await reasonsIn(it)).toContain('last-administrator')
    expect((await admin.refusal(signInProvidersRoutes.identityProviders, {})).code).toBe('forbidden')
  })

  test('an administrator is none any more when the claim is gone, or is nothing that is known, and sessions end', async () => {
    const it = await harness()
    const { openid, addCorp, enter, browser, accounts } = it
    const staff = await accounts.groups.add('Staff')
    await addCorp({ groupClaim: 'groups', adminGroups: ['Chiefs'], syncGroups: true })
    openid.signInAs(bob)
    const comesWith = async (groups: unknown) => {
      openid.tamper((claims) => openid.sign({ ...claims, groups }))
      const { client } = await enter(browser())
      return client as NonNullable<typeof client>
    }
    for (const groups of [undefined, null, 7, true, { Chiefs: true }, [7], [['Chiefs']], 'chiefs', '']) {
      const name = JSON.stringify(groups)
      const chief = await comesWith(['Chiefs', 'Staff'])
      const { id, role } = await chief.call(accountsRoutes.me, {})
      expect([role, await accounts.groups.currentIdsOf(id)], name).toEqual(['admin', [staff.id]])
      const after = await comesWith(groups)
      expect((await after.call(accountsRoutes.me, {})).role, name).toBe('user')
      expect((await chief.refusal(accountsRoutes.me, {})).code, name).toBe('unauthenticated')
      expect(await accounts.groups.currentIdsOf(id), name).toEqual([])
    }
  })

  test('the second factor is asked for as with every method', async () => {
    const it = await harness()
    const { openid, addCorp, admin, enter, browser } = it
    await addCorp()
    await admin.call(accountsRoutes.setMfaPolicy, { body: { mode: 'required' } })
    openid.signInAs(bob)
    const one = browser()
    const { answer, client } = await enter(one)
    expect(client).toBeNull()
    expect(answer).toEqual({ mfaRequired: true, requirement: 'enroll', challengeToken: expect.any(String) })
    expect(one.cookie('atrium_session')).toBeNull()
  })

  test('the first account of an empty database is a local one', async () => {
    const it = await harness()
    const { openid, addCorp, enter, browser, database, accounts } = it
    await addCorp()
    openid.signInAs(bob)
    await database.tables<{ accounts: { id: string } }>().deleteFrom('accounts').execute()
    const { page } = await enter(browser())
    expect(page.searchParams.get('error')).toBe('registration_disabled')
    expect(await accounts.hasUsers()).toBe(false)
    expect(await reasonsIn(it)).toEqual(['first-account-local'])
  })

  test('a trial says what would happen, changes nothing, and is for who tried', async () => {
    const it = await harness()
    const { openid, addCorp, admin, guest, browser, accounts, signIn } = it
    await addCorp({ enabled: false, allowedDomains: ['example.com'] })
    openid.signInAs({ ...bob, groups: ['Chiefs'] })
    const one = browser()
    const begin = async () => {
      const response = await one.fetch('/api/auth/providers/corp/trials', {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}` },
      })
      const page = await one.visit(((await response.json()) as { url: string }).url)
      expect(page.pathname).toMatch(/^\/settings\/sign-in\/trial-/)
      return page.pathname.replace(/^.*trial-/, '')
    }
    const id = await begin()
    expect(one.cookie('atrium_arrival')).toBeNull()
    const trial = await admin.call(signInProvidersRoutes.trial, { params: { id } })
    expect(trial).toMatchObject({ outcome: 'refused', reason: 'email-domain-denied', mapping: { username: 'bob' } })
    expect(trial.claims).toContainEqual({ source: 'ID token', name: 'sub', value: 'bob-1' })
    expect(JSON.stringify(trial.claims)).not.toContain('at_hash":"')
    await admin.call(signInProvidersRoutes.updateIdentityProvider, {
      params: { id: 'corp' },
      body: { allowedDomains: [] },
    })
    expect(await admin.call(signInProvidersRoutes.trial, { params: { id: await begin() } })).toMatchObject({
      outcome: 'new-account',
    })
    expect((await accounts.administration.list(50, undefined)).items).toHaveLength(1)
    await accounts.createAccount({ username: 'eve', password, role: 'admin' })
    const eve = await signIn('eve')
    expect((await eve.refusal(signInProvidersRoutes.trial, { params: { id } })).code).toBe('trial_not_found')
    expect((await guest.refusal(signInProvidersRoutes.trial, { params: { id } })).status).toBe(401)
  })
})
