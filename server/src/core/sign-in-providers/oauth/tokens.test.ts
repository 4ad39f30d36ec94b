import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { openerFor } from '../../../testing/databases.ts'
import { type ExternalHarness, openExternalHarness, reasonsIn } from '../../../testing/external.ts'

const harnesses: ExternalHarness[] = []
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.stop()
})
const bob = { sub: 'bob-1', preferred_username: 'bob', email: 'bob@example.org', email_verified: true }

describe('what a provider says', () => {
  const open = openerFor('sqlite')
  const harness = async () => {
    const opened = await openExternalHarness(open)
    harnesses.push(opened)
    await opened.addCorp()
    opened.openid.signInAs(bob)
    return opened
  }

  test('is refused when the ID token is not what it should be, each time for its reason', async () => {
    const it = await harness()
    const { openid, enter, browser } = it
    const key = new TextEncoder().encode(openid.clientSecret)
    const wrong: [string, Parameters<typeof openid.tamper>[0]][] = [
      ['id-token-invalid', async (claims) => new UnsecuredJWT(claims).encode()],
      // The secret that both sides know, and the public key as if it were a secret, sign nothing.
      ['id-token-invalid', (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key)],
      ['id-token-invalid', async (_claims, raw) => `${raw.slice(0, -8)}AAAAAAAA`],
      ['id-token-invalid', (claims) => openid.sign({ ...claims, aud: 'somebody-else' })],
      ['id-token-invalid', (claims) => openid.sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 600 })],
      ['id-token-invalid', (claims) => openid.sign({ ...claims, azp: 'somebody-else' })],
      ['id-token-invalid', (claims) => openid.sign({ ...claims, aud: [openid.clientId, 'somebody-else'] })],
      ['id-token-invalid', (claims) => openid.sign({ ...claims, iat: Math.floor(Date.now() / 1000) + 3600 })],
      ['issuer-mismatch', (claims) => openid.sign({ ...claims, iss: 'https://elsewhere.example.org' })],
      ['nonce-mismatch', (claims) => openid.sign({ ...claims, nonce: 'another' })],
      ['jwks-no-key', (claims) => openid.sign(claims, { kid: 'unknown' })],
      ['no-id-token', async () => ''],
    ]
    for (const [, change] of wrong) {
      openid.tamper(change)
      const one = browser()
      const { page } = await enter(one)
      expect(`${page.pathname}${page.search}`).toBe('/sign-in?error=oauth_failed&provider=corp')
      expect(one.cookie('atrium_arrival')).toBeNull()
    }
    expect(await reasonsIn(it)).toEqual(wrong.map(([reason]) => reason))
    openid.tamper(null)
    expect((await enter(browser())).client).not.toBeNull()
    expect(it.lines()).not.toContain(openid.clientSecret)
  })

  test('is believed after the provider has turned its keys', async () => {
    const { openid, enter, browser } = await harness()
    await enter(browser())
    await openid.turnKeys()
    const before = openid.asked.filter((asked) => asked === 'GET /jwks').length
    expect((await enter(browser())).client).not.toBeNull()
    expect(openid.asked.filter((asked) => asked === 'GET /jwks')).toHaveLength(before + 1)
    await enter(browser())
    expect(openid.asked.filter((asked) => asked === 'GET /jwks')).toHaveLength(before + 1)
  })

  test('is not asked for with a code that was used, or without the verifier of this try', async () => {
    const it = await harness()
    const { browser, guest } = it
    const wayBack = async (one: ReturnType<typeof browser>) => {
      let url = new URL('/api/auth/oauth/corp', guest.baseUrl)
      while (!url.pathname.endsWith('/callback'))
        url = new URL((await one.fetch(url)).headers.get('location') as string, url)
      return url
    }
    const one = browser()
    const first = await wayBack(one)
    const second = await wayBack(one)
    // A code that belongs to another try of the same browser: its verifier does not fit.
    const swapped = new URL(second)
    swapped.searchParams.set('code', first.searchParams.get('code') as string)
    expect((await one.visit(swapped.href)).searchParams.get('error')).toBe('oauth_failed')
    expect((await one.visit(first.href)).searchParams.get('auth')).toBe('success')
    const replayed = await wayBack(one)
    replayed.searchParams.set('code', first.searchParams.get('code') as string)
    expect((await one.visit(replayed.href)).searchParams.get('error')).toBe('oauth_failed')
    const third = await wayBack(one)
    third.searchParams.set('iss', 'https://elsewhere.example.org')
    expect((await one.visit(third.href)).searchParams.get('error')).toBe('oauth_failed')
    const fourth = await wayBack(one)
    const denied = new URL(fourth)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect((await one.visit(denied.href)).searchParams.get('error')).toBe('oauth_failed')
    expect(await reasonsIn(it)).toEqual(['upstream-error', 'upstream-error', 'issuer-mismatch', 'denied-there'])
  })

  test('is missed when the provider is down or slow, and the person is told', async () => {
    const it = await harness()
    const { openid, enter, browser, corp, clock } = it
    clock.advance(11 * 60_000)
    const admin = await it.signIn('ann')
    openid.stall()
    const { page } = await enter(browser())
    expect(page.searchParams.get('error')).toBe('oauth_failed')
    await openid.close()
    expect((await enter(browser())).page.searchParams.get('error')).toBe('oauth_failed')
    expect(await reasonsIn(it)).toEqual(['upstream-timeout', 'upstream-error'])
    const refused = await admin.refusal(signInProvidersRoutes.addIdentityProvider, { body: corp({ id: 'late' }) })
    expect(refused.code).toBe('issuer_invalid')
    const { url } = await admin.call(signInProvidersRoutes.tryIdentityProvider, { params: { id: 'corp' } })
    const trial = await admin.call(signInProvidersRoutes.trial, { params: { id: /trial-(.+)$/.exec(url)?.[1] ?? '' } })
    expect(trial).toMatchObject({ outcome: 'refused', reason: 'upstream-error', claims: [], mapping: null })
  })
})
