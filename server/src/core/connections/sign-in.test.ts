import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { type BundledDefinition, bundledDefinitions } from '../../providers/definitions.ts'
import { createSignIn } from '../../providers/sign-in/index.ts'
import { realClock } from '../../testing/clock.ts'
import { type ConnectionsHarness, openConnections } from '../../testing/connections.ts'
import { withDatabase } from '../../testing/databases.ts'
import { accessToken, startTokenEndpoint, type TokenEndpoint } from '../../testing/token-endpoint.ts'

withDatabase('the server’s own sign-in', (open) => {
  const params = { id: 'codex-oauth' }
  const selection = { providerType: 'plugin', providerId: 'codex-oauth', model: 'gpt-5.5' } as const
  let provider: Provider
  let endpoint: TokenEndpoint
  let harness: ConnectionsHarness
  let home: string
  let lines: string[]
  let admitted: number
  const endsAt = Date.now() + 7_200_000
  let close: () => Promise<void>

  beforeEach(async () => {
    provider = await startProvider()
    endpoint = await startTokenEndpoint({ refreshToken: 'refresh-0', endsAt: () => endsAt })
    home = await mkdtemp(join(tmpdir(), 'atrium-home-'))
    lines = []
    admitted = 0
    const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
    const outbound = createOutbound({ allowed: () => new Set([endpoint.address]), log })
    const bundled = bundledDefinitions().map(
      (one): BundledDefinition => (one.signIn ? { ...one, endpoint: `${provider.url}/v1/responses` } : one),
    )
    harness = await openConnections(open, {
      bundled,
      log,
      privateAddresses: [provider.address],
      signIn: createSignIn({ enabled: true, home, outbound, clock: realClock, log, tokenUrl: endpoint.url }),
      isAdministrator: async (accountId) => accountId === 'ann',
      async admit(call) {
        admitted += 1
        return call
      },
    })
    close = () => outbound.close()
  })
  afterEach(async () => {
    await harness.close()
    await Promise.all([close(), provider.close(), endpoint.close(), rm(home, { recursive: true, force: true })])
  })

  const signedIn = async (left: number): Promise<string> => {
    const token = accessToken(Date.now() + left, 'access-0')
    const tokens = { access_token: token, refresh_token: 'refresh-0', account_id: 'acc' }
    await writeFile(join(home, 'auth.json'), JSON.stringify({ tokens }), { mode: 0o600 })
    return token
  }
  const ask = async (): Promise<string> => {
    const found = await harness.connections.resolve('ann', selection)
    if ('unavailable' in found) throw new Error(found.unavailable)
    const turn = {
      model: selection.model,
      system: null,
      messages: [{ role: 'user' as const, text: 'Hello there', images: [] }],
      tools: [],
      options: { temperature: 0.3 },
    }
    let text = ''
    for await (const parts of found.model.ask(turn, AbortSignal.timeout(120_000)))
      for (const part of parts) if (part.type === 'text') text += part.delta
    return text
  }

  test('answers an administrator, and is nowhere for others', async () => {
    provider.control({ apiKey: await signedIn(3_600_000) })
    await harness.ann.call(connectionsRoutes.activate, { params })
    expect(await ask()).toContain('Hello there')
    const sent = provider.requests.findLast(({ path }) => path === '/v1/responses')
    expect(sent?.body).toMatchObject({ store: false, stream: true, instructions: expect.stringMatching(/./) })
    expect(sent?.body).not.toHaveProperty('temperature')
    expect(sent?.headers['chatgpt-account-id']).toBe('acc')
    expect(await harness.bob.refusal(connectionsRoutes.activate, { params })).toMatchObject({
      code: 'plugin_not_found',
    })
    expect(await harness.connections.resolve('bob', selection)).toMatchObject({ unavailable: expect.any(String) })
    const listed = async (who: 'ann' | 'bob') =>
      (await harness[who].call(connectionsRoutes.models, {})).items.some(
        ({ selection: s }) => s.providerId === 'codex-oauth',
      )
    expect([await listed('ann'), await listed('bob')]).toEqual([true, false])
  })

  test('keeps its id: no definition is installed in its place', async () => {
    const body = {
      id: 'codex-oauth',
      name: 'Another',
      type: 'completion' as const,
      endpoint: `${provider.url}/v1/responses`,
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: '' },
      model_map: ['gpt-5.5'],
    }
    const file = new Blob([JSON.stringify(body)])
    const taken = { status: 409, code: 'plugin_exists' }
    expect(await harness.ann.refusal(connectionsRoutes.installPlugin, { body })).toMatchObject(taken)
    expect(await harness.ann.refusal(connectionsRoutes.updatePlugin, { params, body })).toMatchObject(taken)
    expect(await harness.ann.refusal(connectionsRoutes.uploadPlugin, { query: {}, file })).toMatchObject(taken)
    expect(await harness.ann.call(connectionsRoutes.plugin, { params })).toMatchObject({
      source: 'bundled',
      signIn: true,
    })
    expect(await harness.bob.refusal(connectionsRoutes.plugin, { params })).toMatchObject({ code: 'plugin_not_found' })
  })

  test('asks once more with a fresh token, each call admitted and counted by itself', async () => {
    await signedIn(3_600_000)
    await harness.ann.call(connectionsRoutes.activate, { params })
    // The token of the file is refused although it has not ended.
    provider.control({ apiKey: accessToken(endsAt, 'access-1') })
    expect(await ask()).toContain('Hello there')
    expect(harness.metered.map(({ status }) => status)).toEqual(['error', 'success'])
    expect(admitted).toBe(2)
    provider.control({ apiKey: 'another' })
    await expect(ask()).rejects.toMatchObject({ kind: 'rejected', status: 401 })
    expect(harness.metered).toHaveLength(4)
    expect(admitted).toBe(4)
  })

  test('says what to do when nobody is signed in, and tells no token anywhere', async () => {
    await harness.ann.call(connectionsRoutes.activate, { params })
    await expect(ask()).rejects.toMatchObject({ kind: 'no_key', message: expect.stringMatching(/Sign in there/) })
    await signedIn(-1)
    endpoint.answer(401)
    await expect(ask()).rejects.toMatchObject({ kind: 'no_key', message: expect.stringMatching(/again/) })
    const told = [...lines, JSON.stringify(harness.metered), JSON.stringify(harness.told)].join('\n')
    expect(told).not.toMatch(/access-0|refresh-0|leaked/)
  })
})
