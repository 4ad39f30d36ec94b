/** Every route that asks for a fresh proof, called by a session that has none any more. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import type { Route } from '@atrium/contract/route'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routesByTag } from './areas.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { testClock } from '../testing/clock.ts'
import { proofRoutes } from '../testing/route-lists.ts'
import { signedIn } from '../testing/sign-in.ts'

const routes = Object.entries(routesByTag).flatMap(([area, table]) =>
  Object.entries(table).map(([name, route]) => ({ label: `${area}.${name}`, route })),
)
const asking = routes.filter(({ route }) => route.proof === true)
const minute = 60_000

describe('what lets somebody into an account', () => {
  const clock = testClock(Date.now())
  let app: TestApp

  beforeAll(async () => {
    app = await startTestApp({ overrides: { clock } })
    await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  const signIn = async (): Promise<Client> => {
    const body = { username: 'admin', password: testPassword }
    return app.client(signedIn(await app.client().call(accountsRoutes.login, { body })).token)
  }
  /** The code of the refusal; what is sent fits nowhere, so that nothing happens; what only reads is answered. */
  const codeOf = async (client: Client, { method, path, upload }: Route): Promise<string | undefined> => {
    const response = await client.raw(path.replace(/\{\w+\}/g, 'unknown-id-0001'), {
      method: method.toUpperCase(),
      ...(upload || method === 'get'
        ? {}
        : { body: '{"nonsense":true}', headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return response.ok ? undefined : (JSON.parse(text) as { code?: string }).code
  }
  const refused = async (client: Client) => {
    const labels: string[] = []
    for (const { label, route } of asking)
      if ((await codeOf(client, route)) === 'fresh_proof_needed') labels.push(label)
    return labels.toSorted()
  }

  test('is written out, so that none is left without a proof unnoticed', () => {
    expect(asking.map(({ label }) => label).toSorted()).toEqual([...proofRoutes].toSorted())
  })

  test('passes after a sign-in just now, and after a proof; else it is refused whatever was sent', async () => {
    const admin = await signIn()
    expect(await refused(admin)).toEqual([])
    clock.advance(11 * minute)
    expect(await refused(admin)).toEqual([...proofRoutes].toSorted())
    await admin.call(accountsRoutes.prove, { body: { password: testPassword } })
    expect(await refused(admin)).toEqual([])
    clock.advance(11 * minute)
    expect(await refused(admin)).toEqual([...proofRoutes].toSorted())
  })

  test('is proved by nothing at all, by a wrong password, or for another session in no case', async () => {
    const admin = await signIn()
    clock.advance(11 * minute)
    expect(await admin.refusal(accountsRoutes.prove, { body: {} })).toMatchObject({ code: 'proof_needed' })
    const body = { password: 'not the right password' }
    expect(await admin.refusal(accountsRoutes.prove, { body })).toMatchObject({ code: 'wrong_password' })
    await (await signIn()).call(accountsRoutes.prove, { body: { password: testPassword } })
    expect(await refused(admin)).toEqual([...proofRoutes].toSorted())
  })

  test('asks an API token for its scopes alone: it has nobody whom one could ask', async () => {
    const scopes = ['account-data:write', 'admin'] as const
    const { token } = await (await signIn()).call(apiTokensRoutes.createToken, {
      body: { name: 'tidy', scopes: [...scopes] },
    })
    clock.advance(11 * minute)
    expect(await refused(app.client(token))).toEqual([])
  })
})
