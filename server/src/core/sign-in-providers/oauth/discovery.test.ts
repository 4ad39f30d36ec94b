import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { afterEach, describe, expect, test } from 'vitest'
import { openerFor } from '../../../testing/databases.ts'
import { openExternalHarness } from '../../../testing/external.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A server whose discovery document says what a test wants. */
const startDocument = async () => {
  let document: unknown = {}
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(typeof document === 'string' ? document : JSON.stringify(document))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  stops.push(() => new Promise((closed) => server.close(closed)))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { place, issuer: `http://${place}`, tell: (next: unknown) => void (document = next) }
}

describe('a discovery document', () => {
  test('that leads elsewhere is refused with words, when it is saved and when somebody signs in', async () => {
    const it = await openExternalHarness(openerFor('sqlite'))
    stops.push(it.stop)
    const { admin, allowed, corp, browser } = it
    const { place, issuer, tell } = await startDocument()
    allowed.add(place)
    const sound = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
    }
    const elsewhere: [string, unknown][] = [
      ['another issuer', { ...sound, issuer: 'https://elsewhere.example.org' }],
      ['an issuer that is no text', { ...sound, issuer: 7 }],
      ['no issuer', { ...sound, issuer: undefined }],
      ['no keys', { ...sound, jwks_uri: undefined }],
      ...['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'end_session_endpoint'].flatMap(
        (name): [string, unknown][] =>
          [
            ...['nothing', '/relative', 'javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x'],
            ...['http://elsewhere.example.org/', 'http://127.0.0.1:9/', 'https://127.0.0.1:9/', 'https://[::1]/'],
            ...['https://169.254.169.254/', 'https://user:word@elsewhere.example.org/', 'https://0x7f.1/', 7, {}],
          ].map((address) => [`${name} ${JSON.stringify(address)}`, { ...sound, [name]: address }]),
      ),
      ['a list', []],
      ['text', '"text"'],
      ['no JSON', '<!doctype html>'],
      ['nothing', 'null'],
    ]
    const body = corp({ issuerUrl: issuer })
    for (const [name, document] of elsewhere) {
      tell(document)
      const refused = await admin.refusal(signInProvidersRoutes.addIdentityProvider, { body })
      expect(refused.code, name).toMatch(/^(issuer_invalid|url_not_allowed)$/)
      expect(refused.problem.detail, name).toMatch(/^\S.* .*[.)]$/u)
    }
    tell(sound)
    await admin.call(signInProvidersRoutes.addIdentityProvider, { body })
    for (const [name, document] of elsewhere) {
      // What was read is believed for ten minutes.
      it.clock.advance(11 * 60_000)
      tell(document)
      const page = await browser().visit('/api/auth/oauth/corp')
      expect(page.search, name).toBe('?error=oauth_failed&provider=corp')
    }
  })
})
