import { accountsRoutes } from '@atrium/contract/accounts'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { type ExternalHarness, openExternalHarness, password, reasonsIn } from '../../../testing/external.ts'
import { startGithub } from '../../../testing/github.ts'
import { signedIn } from '../../../testing/sign-in.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
const ann = { sub: 'ann-1', preferred_username: 'ann', email: 'Ann@Example.org', email_verified: true }

withDatabase('linked sign-ins', (open) => {
  const harness = async (...options: [Parameters<typeof openExternalHarness>[1]?]) => {
    const opened = await openExternalHarness(open, ...options)
    stops.push(opened.stop)
    return opened
  }
  /** Signs in with the password in this browser, as the sign-in page does. */
  const signInHere = async (it: ExternalHarness, browser: ReturnType<ExternalHarness['browser']>, username: string) => {
    const response = await browser.fetch('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username, password }),
    })
    return it.guest.as(signedIn((await response.json()) as { token: string }).token)
  }
  const ask = async (browser: ReturnType<ExternalHarness['browser']>, method: string, path: string, body?: unknown) => {
    const response = await browser.fetch(path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as Record<string, unknown>
  }

  test('an address that an account has is linked once its owner has signed in, and by nobody else', async () => {
    const it = await harness()
    const { openid, addCorp, browser, enter, accounts } = it
    await addCorp()
    openid.signInAs(ann)
    const one = browser()
    const { page } = await enter(one)
    expect(page.search).toBe('?error=email_in_use&provider=corp')
    await accounts.createAccount({ username: 'eve', password })
    await signInHere(it, one, 'eve')
    expect(await ask(one, 'GET', '/api/auth/identities')).toMatchObject({ items: [], waiting: null })
    expect(await ask(one, 'POST', '/api/auth/identities/waiting')).toMatchObject({ code: 'identity_not_found' })
    await signInHere(it, one, 'ann')
    expect(await ask(one, 'GET', '/api/auth/identities')).toMatchObject({
      waiting: { provider: { id: 'corp' }, label: 'Ann@Example.org' },
    })
    expect(await ask(one, 'POST', '/api/auth/identities/waiting')).toMatchObject({ provider: { id: 'corp' } })
    expect(await ask(one, 'POST', '/api/auth/identities/waiting')).toMatchObject({ code: 'identity_not_found' })
    expect((await enter(browser())).answer).toMatchObject({ user: { username: 'ann', role: 'admin' } })
  })

  test('the last administrator with a password keeps the role, though others are administrators by the provider', async () => {
    const it = await harness()
    const { openid, addCorp, browser, enter, accounts } = it
    await addCorp({ groupClaim: 'groups', adminGroups: ['Chiefs'] })
    const comes = async (person: typeof ann, groups: unknown) => {
      openid.signInAs(person)
      openid.tamper((claims) => openid.sign({ ...claims, groups }))
      const one = browser()
      return { one, ...(await enter(one)) }
    }
    await comes({ ...ann, sub: 'chief', email: 'chief@example.org' }, ['Chiefs'])
    const { one } = await comes(ann, null)
    await signInHere(it, one, 'ann')
    expect(await ask(one, 'POST', '/api/auth/identities/waiting')).toMatchObject({ provider: { id: 'corp' } })
    expect((await comes(ann, null)).answer).toMatchObject({ user: { username: 'ann', role: 'admin' } })
    expect(await reasonsIn(it)).toEqual(['email-in-use', 'last-administrator'])
    await accounts.createAccount({ username: 'eve', password, role: 'admin' })
    expect((await comes(ann, null)).answer).toMatchObject({ user: { username: 'ann', role: 'user' } })
  })

  test('a session from long ago links nothing that waits: its owner has to sign in for it', async () => {
    const it = await harness()
    await it.addCorp()
    const one = it.browser()
    await signInHere(it, one, 'ann')
    it.clock.advance(11 * 60_000)
    it.openid.signInAs(ann)
    expect((await it.enter(one)).page.search).toBe('?error=email_in_use&provider=corp')
    expect(await ask(one, 'POST', '/api/auth/identities/waiting')).toMatchObject({ code: 'fresh_proof_needed' })
    await signInHere(it, one, 'ann')
    expect(await ask(one, 'POST', '/api/auth/identities/waiting')).toMatchObject({ provider: { id: 'corp' } })
  })

  test('one is linked from the settings with a proof, and is for one account', async () => {
    const it = await harness()
    const { openid, addCorp, browser, clock, accounts, enter } = it
    await addCorp()
    openid.signInAs({ sub: 'other-mail', preferred_username: 'x' })
    const one = browser()
    await signInHere(it, one, 'ann')
    clock.advance(11 * 60_000)
    const link = '/api/auth/identities/corp/link'
    expect(await ask(one, 'POST', link, {})).toMatchObject({ code: 'proof_needed' })
    expect(await ask(one, 'POST', link, { password: 'wrong' })).toMatchObject({ code: 'wrong_password' })
    const { url } = await ask(one, 'POST', link, { password })
    expect((await browser().visit(url as string)).searchParams.get('error')).toBe('oauth_failed')
    const begun = await ask(one, 'POST', link, { password })
    const page = await one.visit(begun['url'] as string)
    expect(`${page.pathname}${page.search}${page.hash}`).toBe('/settings/security?linked=corp#identities')
    expect((await enter(browser())).answer).toMatchObject({ user: { username: 'ann' } })

    await accounts.createAccount({ username: 'eve', password })
    const eves = browser()
    await signInHere(it, eves, 'eve')
    const taken = await ask(eves, 'POST', link, { password })
    expect((await eves.visit(taken['url'] as string)).searchParams.get('error')).toBe('identity_linked')
    const ended = await ask(eves, 'POST', link, { password })
    await accounts.administration.setStatus(
      (await accounts.administration.list(9, undefined)).items[1]?.id ?? '',
      'disabled',
    )
    expect((await eves.visit(ended['url'] as string)).searchParams.get('error')).toBe('oauth_failed')
  })

  test('the last way in stays, until there is a password', async () => {
    const it = await harness()
    const { openid, addCorp, browser, enter, guest } = it
    await addCorp()
    openid.signInAs({ sub: 'bob', preferred_username: 'bob' })
    const { client } = await enter(browser())
    const bob = client as NonNullable<typeof client>
    const { items } = await bob.call(signInProvidersRoutes.identities, {})
    const id = items[0]?.id ?? ''
    expect((await bob.refusal(signInProvidersRoutes.unlinkIdentity, { params: { id } })).code).toBe('last_way_in')
    it.clock.advance(11 * 60_000)
    expect((await bob.refusal(accountsRoutes.changePassword, { body: { newPassword: password } })).code).toBe(
      'proof_needed',
    )
    const fresh = (await enter(browser())).client as NonNullable<typeof client>
    await fresh.call(accountsRoutes.changePassword, { body: { newPassword: password } })
    expect(await fresh.call(signInProvidersRoutes.identities, {})).toMatchObject({ hasPassword: true })
    signedIn(await guest.call(accountsRoutes.login, { body: { username: 'bob', password } }))
    const wrong = { currentPassword: 'not that one', newPassword: `${password} 2` }
    expect((await fresh.refusal(accountsRoutes.changePassword, { body: wrong })).code).toBe('wrong_password')
    await fresh.call(signInProvidersRoutes.unlinkIdentity, { params: { id } })
    expect((await fresh.refusal(signInProvidersRoutes.unlinkIdentity, { params: { id } })).code).toBe(
      'identity_not_found',
    )
  })

  test('signing out leads to the provider, and signing out there ends the sessions here, or the one it names', async () => {
    const it = await harness()
    const { openid, addCorp, browser, enter, guest, signIn } = it
    await addCorp()
    openid.signInAs(ann)
    openid.signInAs({ sub: 'bob', preferred_username: 'bob' })
    const one = browser()
    const { client } = await enter(one)
    const bob = client as NonNullable<typeof client>
    const { redirect } = await bob.call(accountsRoutes.logout, {})
    const address = new URL(redirect ?? '')
    expect(`${address.origin}${address.pathname}`).toBe(`${openid.issuer}/session/end`)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${guest.baseUrl}/sign-in`)
    expect(address.searchParams.get('id_token_hint')).toBeTruthy()
    expect(await (await signIn('ann')).call(accountsRoutes.logout, {})).toEqual({})

    const again = (await enter(browser())).client as NonNullable<typeof client>
    let count = 0
    const claims = (more: object) => ({
      iss: openid.issuer,
      aud: openid.clientId,
      sub: 'bob',
      jti: `${count++}`,
      iat: Math.floor(Date.now() / 1000),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...more,
    })
    const tell = async (token: string) =>
      (
        await guest.raw('/api/auth/oauth/corp/backchannel-logout', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ logout_token: token }).toString(),
        })
      ).status
    const wrong = [
      { events: {} },
      { nonce: 'n' },
      { aud: 'x' },
      { iat: 1_000_000 },
      { sub: undefined },
      { jti: undefined },
    ]
    for (const more of wrong) expect(await tell(await openid.sign(claims(more)))).toBe(400)
    expect(await tell('nonsense')).toBe(400)
    expect(await again.call(accountsRoutes.me, {})).toMatchObject({ username: 'bob' })
    const taken = await openid.sign(claims({}))
    expect((await Promise.all([tell(taken), tell(taken), tell(taken)])).toSorted()).toEqual([200, 400, 400])
    expect((await again.refusal(accountsRoutes.me, {})).code).toBe('unauthenticated')

    // What began after the token was issued goes on: whoever keeps a token cannot end it with that.
    const later = (await enter(browser())).client as NonNullable<typeof client>
    expect(await tell(taken)).toBe(400)
    expect(await tell(await openid.sign(claims({ iat: Math.floor(Date.now() / 1000) - 60 })))).toBe(200)
    expect(await later.call(accountsRoutes.me, {})).toMatchObject({ username: 'bob' })
    expect(await tell(await openid.sign(claims({})))).toBe(200)
    expect((await later.refusal(accountsRoutes.me, {})).code).toBe('unauthenticated')

    const from = async (sid: string) => {
      openid.tamper(async (token) => await openid.sign({ ...token, sid }))
      return (await enter(browser())).client as NonNullable<typeof client>
    }
    const [desk, phone] = [await from('desk'), await from('phone')]
    expect(await tell(await openid.sign(claims({ sid: 'desk' })))).toBe(200)
    expect((await desk.refusal(accountsRoutes.me, {})).code).toBe('unauthenticated')
    expect(await phone.call(accountsRoutes.me, {})).toMatchObject({ username: 'bob' })
    expect(await tell(await openid.sign(claims({ sub: undefined, sid: 'phone' })))).toBe(200)
    expect((await phone.refusal(accountsRoutes.me, {})).code).toBe('unauthenticated')
  })

  test('GitHub and Hugging Face speak their own forms, and only verified primary addresses count', async () => {
    const github = await startGithub()
    stops.push(github.close)
    const it = await harness({
      places: { github: { web: github.url, api: github.url } },
      environment: [{ kind: 'github', clientId: github.clientId, clientSecret: github.clientSecret }],
    })
    const { openid, admin, corp, browser, enter, guest, allowed, openSignUp } = it
    allowed.add(github.place)
    const mail = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified })
    github.signInAs({
      id: 7,
      login: 'octo',
      emails: [mail('ann@example.org', true, false), mail('o@x.org', false, true)],
    })
    expect((await enter(browser(), 'github')).page.searchParams.get('error')).toBe('registration_disabled')
    openSignUp()
    expect((await enter(browser(), 'github')).page.search).toBe('?approval=pending')
    github.signInAs({ id: 8, login: 'octo2', emails: [mail('ann@example.org', true, true)] })
    expect((await enter(browser(), 'github')).page.searchParams.get('error')).toBe('email_in_use')
    const { items } = await admin.call(signInProvidersRoutes.identityProviders, {})
    expect(items).toMatchObject([{ id: 'github', source: 'environment', hasSecret: true, accounts: 1 }])
    expect(JSON.stringify(items)).not.toContain(github.clientSecret)
    const locked = { params: { id: 'github' }, body: { name: 'x' } }
    expect((await admin.refusal(signInProvidersRoutes.updateIdentityProvider, locked)).code).toBe('setting_locked')
    expect(
      (await admin.refusal(signInProvidersRoutes.addIdentityProvider, { body: corp({ id: 'github' }) })).code,
    ).toBe('identity_provider_exists')
    const body = corp({ id: 'hub', kind: 'huggingface', name: 'Hugging Face', issuerUrl: openid.issuer })
    await admin.call(signInProvidersRoutes.addIdentityProvider, { body })
    openid.register([`${guest.baseUrl}/api/auth/oauth/hub/callback`])
    openid.signInAs({ sub: 'hf-1', preferred_username: 'hugger' })
    const { client } = await enter(browser(), 'hub')
    expect((await client?.call(accountsRoutes.sessions, {}))?.items).toMatchObject([{ kind: 'oauth:huggingface' }])
  })

  test('a provider is checked when it is saved, and its secret goes nowhere else', async () => {
    const it = await harness()
    const { admin, corp, openid, allowed, addCorp } = it
    const refused = async (more: Parameters<typeof corp>[0]) =>
      (await admin.refusal(signInProvidersRoutes.addIdentityProvider, { body: corp(more) })).code
    expect(await refused({ issuerUrl: `${openid.issuer}/nothing` })).toBe('issuer_invalid')
    expect(await refused({ issuerUrl: null })).toBe('issuer_invalid')
    allowed.clear()
    expect(await refused({})).toBe('url_not_allowed')
    const added = await addCorp({ allowPrivate: true })
    expect(added).toMatchObject({ hasSecret: true, callbackUrl: expect.stringMatching(/\/oauth\/corp\/callback$/) })
    const { problem } = await admin.refusal(signInProvidersRoutes.updateIdentityProvider, {
      params: { id: 'corp' },
      body: { issuerUrl: 'https://elsewhere.example.org' },
    })
    expect(problem.detail).toContain('secret')
    const rows = await it.database
      .tables<{ identity_providers: { secret: Uint8Array; settings: Uint8Array } }>()
      .selectFrom('identity_providers')
      .selectAll()
      .execute()
    expect(Buffer.from(rows[0]?.secret ?? []).toString('latin1')).not.toContain(openid.clientSecret)
    await admin.call(signInProvidersRoutes.removeIdentityProvider, { params: { id: 'corp' } })
    expect((await admin.call(signInProvidersRoutes.identityProviders, {})).items).toEqual([])
  })
})
