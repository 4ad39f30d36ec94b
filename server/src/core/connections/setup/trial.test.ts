import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Selection } from '@atrium/contract/common'
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import type { BundledDefinition } from '../../../providers/definitions.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { followTest, stepsOf } from '../../../testing/trial.ts'

const key = 'sk-very-secret-key-4242'

withDatabase('connections that are tried', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness
  let lists: Server
  let listed: Record<string, string[]>
  let asked: string[]

  const listUrl = (name: string) => `http://127.0.0.1:${(lists.address() as AddressInfo).port}/${name}`
  const definition = (extra: Partial<Definition> = {}): Definition => ({
    id: 'acme',
    name: 'Acme',
    type: 'completion',
    endpoint: `${provider.url}/v1/chat/completions`,
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: '' },
    model_map: ['echo'],
    ...extra,
  })

  beforeEach(async () => {
    provider = await startProvider()
    provider.control({ apiKey: key })
    listed = {}
    asked = []
    lists = createServer((request, response) => {
      const name = request.url?.slice(1) ?? ''
      asked.push(`${name} ${request.headers.authorization ?? ''}`)
      const ids = listed[name]
      response.writeHead(ids ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: (ids ?? []).map((id) => ({ id })) }))
    })
    await new Promise<void>((go) => lists.listen(0, '127.0.0.1', go))
    const messages: BundledDefinition = {
      ...definition({ id: 'messages', endpoint: `${provider.url}/v1/messages` }),
      auth: { header: 'x-api-key', key_env: '' },
      wire: 'anthropic',
    }
    harness = await openConnections(open, {
      privateAddresses: [provider.address, `127.0.0.1:${(lists.address() as AddressInfo).port}`],
      bundled: [messages],
    })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
    await new Promise((go) => lists.close(go))
  })

  const params = { id: 'acme' }
  const install = (extra: Partial<Definition> = {}) =>
    harness.ann.call(connectionsRoutes.installPlugin, { body: definition(extra) })
  const saveKey = (apiKey = key) => harness.ann.call(connectionsRoutes.saveKey, { params, body: { apiKey } })
  const tried = async (body: { model?: string } = {}) => {
    const events = await followTest(harness.ann, { params, body })
    const steps = stepsOf(events)
    // Every step is told once before the end, as it is told at the end.
    const done = events.flatMap((event) => (event.type === 'step' ? [event.data] : []))
    expect(done).toHaveLength(steps.length)
    expect(done).toEqual(expect.arrayContaining(steps))
    expect(steps.map(({ step }) => step)).toEqual(['resolve', 'reach', 'authorise', 'models', 'chat'])
    return Object.fromEntries(steps.map(({ step, state, detail }) => [step, `${state}: ${detail}`]))
  }

  test('tell every step that was taken, and meter the one question', async () => {
    await install()
    await saveKey()
    expect(await tried()).toEqual({
      resolve: 'ok: Calls to 127.0.0.1 are allowed.',
      reach: `ok: ${provider.address} answered.`,
      authorise: 'ok: The key was accepted.',
      models: 'ok: Models listed: 6.',
      chat: expect.stringMatching(/^ok: .* answered\.$/),
    })
    expect(harness.metered).toMatchObject([{ subject: { accountId: 'ann', providerId: 'acme', capability: 'chat' } }])
    expect((await harness.ann.call(connectionsRoutes.plugin, { params })).active).toBe(false)
  })

  test('a refused key is told, and no model is asked', async () => {
    await install()
    await saveKey('sk-wrong')
    const steps = await tried()
    expect(steps).toMatchObject({
      reach: expect.stringMatching(/^ok/),
      authorise: expect.stringMatching(/^failed: .*refused the key/),
      models: expect.stringMatching(/^failed/),
      chat: expect.stringMatching(/^skipped/),
    })
    expect(harness.metered).toEqual([])
  })

  test('without a key nothing is sent', async () => {
    await install()
    const before = provider.requests.length
    expect(await tried()).toMatchObject({
      resolve: expect.stringMatching(/^ok/),
      reach: expect.stringMatching(/^skipped/),
      authorise: 'failed: This connection needs your own API key.',
      chat: expect.stringMatching(/^skipped/),
    })
    expect(provider.requests).toHaveLength(before)
  })

  test('a list that anybody gets proves no key', async () => {
    await install()
    await saveKey()
    provider.control({ fault: 'status-429' })
    listed['open'] = ['echo']
    await install({ variables: [{ name: 'models_endpoint', type: 'string', label: '', default: listUrl('open') }] })
    await saveKey()
    const steps = await tried()
    expect(steps).toMatchObject({
      models: 'ok: Models listed: 1.',
      authorise: 'skipped: Only an answer of a model would prove it.',
      chat: expect.stringMatching(/^failed: .*429/),
    })
    expect(JSON.stringify(steps)).not.toContain('sk-')
  })

  test('an address that may not be called ends it at once', async () => {
    await install({ endpoint: 'http://127.0.0.1:9/v1/chat/completions', auth: { header: '', key_env: '' } })
    expect(await tried()).toMatchObject({
      resolve: expect.stringMatching(/^failed: .*private network/),
      reach: expect.stringMatching(/^skipped/),
      chat: expect.stringMatching(/^skipped/),
    })
    const { allowed } = await harness.ann
      .call(connectionsRoutes.allowPlugin, { params })
      .catch((error: { problem: { code: string } }) => ({ allowed: error.problem.code }))
    expect(allowed).toBe('setting_locked')
  })

  test('a name that nobody has is told as such', async () => {
    const endpoint = 'http://nobody.invalid/v1/chat/completions'
    await install({ endpoint })
    expect(await tried()).toMatchObject({
      resolve: expect.stringMatching(/^skipped/),
      authorise: expect.stringMatching(/^failed/),
    })
    await install({ endpoint, auth: { header: '', key_env: '' } })
    expect(await tried()).toMatchObject({
      resolve: expect.stringMatching(/^failed: .*host name couldn’t be/),
      reach: expect.stringMatching(/^skipped/),
    })
  })

  test('nobody there is told as such', async () => {
    await install({ auth: { header: '', key_env: '' } })
    await provider.close()
    expect(await tried()).toMatchObject({
      resolve: expect.stringMatching(/^ok/),
      reach: expect.stringMatching(/^failed: .*could not be reached/),
      models: expect.stringMatching(/^skipped/),
    })
    provider = await startProvider()
  })

  test('a wished model is asked, and one that is not there is told', async () => {
    await install()
    await saveKey()
    expect(await tried({ model: 'thinker' })).toMatchObject({ chat: 'ok: thinker answered.' })
    expect(await tried({ model: 'gone' })).toMatchObject({ chat: expect.stringMatching(/^failed: .*no longer lists/) })
  })

  test('lists of capabilities stand beside the chat models, and keep their last state when they fail', async () => {
    listed['images'] = ['draw-one', 'draw-two']
    const capabilities = {
      image: {
        endpoint: `${provider.url}/v1/images/generations`,
        models_endpoint: listUrl('images'),
        model_map: ['x'],
      },
      tts: { endpoint: `${provider.url}/v1/audio/speech`, model_map: ['markdown'] },
    }
    await install({ capabilities })
    await saveKey()
    await harness.ann.call(connectionsRoutes.activate, { params })
    const catalogue = async () => {
      const { items } = await harness.ann.call(connectionsRoutes.catalogue, { params })
      return Object.fromEntries(items.map(({ id, capabilities: labels }) => [id, labels.join()]))
    }
    expect(await catalogue()).toMatchObject({ echo: 'chat', 'draw-one': 'image', 'draw-two': 'image', markdown: 'tts' })
    expect(await catalogue()).not.toHaveProperty('x')
    expect(asked.at(-1)).toBe(`images Bearer ${key}`)
    const { items } = await harness.ann.call(connectionsRoutes.models, {})
    const names = items.map((model) => model.name)
    expect(names).toContain('echo')
    expect(names).not.toContain('markdown')
    expect(names).not.toContain('draw-one')
    expect((await harness.ann.call(connectionsRoutes.connections, {})).items[0]).toMatchObject({
      capabilities: ['chat', 'embedding', 'image', 'tts'],
    })
    delete listed['images']
    expect((await harness.ann.call(connectionsRoutes.discover, { params })).discovery).toEqual({ outcome: 'unchanged' })
    expect(await catalogue()).toHaveProperty('draw-one')
  })

  test('a server of speech alone is asked for no list of chat models', async () => {
    const endpoint = `${provider.url}/v1/audio/speech`
    await install({
      type: 'tts',
      endpoint,
      model_map: ['voice'],
      auth: { header: '', key_env: '' },
      capabilities: { tts: { endpoint, model_map: ['voice'] } },
    })
    const before = provider.requests.length
    const { discovery, connection } = await harness.ann.call(connectionsRoutes.activate, { params })
    expect(discovery).toEqual({ outcome: 'updated', added: 1, removed: 0 })
    expect(connection).toMatchObject({ modelCount: 0, otherCount: 1, capabilities: ['tts'] })
    expect(provider.requests).toHaveLength(before)
    expect(await tried()).toMatchObject({
      models: expect.stringMatching(/^skipped/),
      chat: expect.stringMatching(/^skipped/),
    })
  })

  test('what is not there is looked for once, and not with every question', async () => {
    await install()
    await saveKey()
    await harness.ann.call(connectionsRoutes.activate, { params })
    const gone: Selection = { providerType: 'plugin', providerId: 'acme', model: 'gone' }
    const looks = () => provider.count('/v1/models')
    harness.clock.advance(60_000)
    const before = looks()
    for (let n = 0; n < 5; n += 1) {
      expect(await harness.connections.resolve('ann', gone)).toMatchObject({
        unavailable: expect.stringContaining('no longer lists'),
      })
    }
    expect(looks()).toBe(before + 1)
  })

  test('a server of speech is asked for no chat', async () => {
    const endpoint = `${provider.url}/v1/audio/speech`
    await install({ type: 'tts', endpoint, model_map: ['voice'], auth: { header: '', key_env: '' } })
    await harness.ann.call(connectionsRoutes.activate, { params })
    const voice: Selection = { providerType: 'plugin', providerId: 'acme', model: 'voice' }
    expect(await harness.connections.resolve('ann', voice)).toMatchObject({
      unavailable: expect.stringContaining('doesn’t support chats'),
    })
  })

  test('a known id keeps its format, also where another definition stands in its place', async () => {
    const selection: Selection = { providerType: 'plugin', providerId: 'messages', model: 'echo' }
    const auth = { header: 'x-api-key', key_env: '' }
    await harness.ann.call(connectionsRoutes.installPlugin, {
      body: definition({ id: 'messages', endpoint: `${provider.url}/v1/messages`, auth }),
    })
    const own = { params: { id: 'messages' } }
    await harness.ann.call(connectionsRoutes.saveKey, { ...own, body: { apiKey: key } })
    await harness.ann.call(connectionsRoutes.activate, own)
    const resolved = await harness.connections.resolve('ann', selection)
    if (!('model' in resolved)) throw new Error(resolved.unavailable)
    const turn = {
      model: '',
      system: null,
      tools: [],
      options: {},
      messages: [{ role: 'user' as const, text: 'Hello', images: [] }],
    }
    let text = ''
    for await (const parts of resolved.model.ask(turn, new AbortController().signal)) {
      for (const part of parts) if (part.type === 'text') text += part.delta
    }
    expect(text).toContain('You said: Hello')
    expect(provider.requests.at(-1)).toMatchObject({ path: '/v1/messages' })
    expect(provider.requests.at(-1)?.headers).toMatchObject({ 'anthropic-version': '2023-06-01', 'x-api-key': key })
  })

  test('the old format of plain completions is refused with words', async () => {
    await install({ endpoint: `${provider.url}/v1/completions`, auth: { header: '', key_env: '' } })
    provider.control({ apiKey: null })
    await harness.ann.call(connectionsRoutes.activate, { params })
    expect(
      await harness.connections.resolve('ann', { providerType: 'plugin', providerId: 'acme', model: 'echo' }),
    ).toMatchObject({ unavailable: expect.stringContaining('plain completions') })
  })
})

withDatabase('a name that changes its mind', (open) => {
  test('reaches nothing inside', async () => {
    let visits = 0
    const inside = createServer((_request, response) => {
      visits += 1
      response.end('{}')
    })
    await new Promise<void>((go) => inside.listen(0, '127.0.0.1', go))
    let lookups = 0
    const outbound = createOutbound({
      allowed: () => new Set<string>(),
      resolve: async () => ((lookups += 1) === 1 ? ['93.184.216.34'] : ['127.0.0.1']),
      log: createLog({ level: 'silent' }),
    })
    const harness = await openConnections(open, { bundled: [], outbound })
    try {
      const { port } = inside.address() as AddressInfo
      const body: Definition = {
        id: 'fickle',
        name: 'Fickle',
        type: 'completion',
        auth: { header: '', key_env: '' },
        model_map: ['m'],
        endpoint: `http://fickle.example:${port}/v1/chat/completions`,
      }
      await harness.ann.call(connectionsRoutes.installPlugin, { body })
      const { discovery } = await harness.ann.call(connectionsRoutes.activate, { params: { id: 'fickle' } })
      expect(discovery).toMatchObject({ outcome: 'unavailable' })
      expect(lookups).toBeGreaterThan(1)
      expect(visits).toBe(0)
    } finally {
      await harness.close()
      await outbound.close()
      await new Promise((go) => inside.close(go))
    }
  })
})

withDatabase('a connection by the server’s own sign-in', (open) => {
  const signedIn: BundledDefinition = {
    id: 'sub',
    name: 'Subscription',
    type: 'completion',
    endpoint: 'https://sub.example/responses',
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: '' },
    model_map: ['big'],
    wire: 'responses',
    signIn: true,
  }
  const signIn = (state: 'hidden' | 'signed-in' | 'not-signed-in') => ({
    available: async () => ({ state, detail: null, expiresAt: null, refreshedAt: null, saved: true }),
    headers: async () => ({ authorization: 'Bearer token' }),
    refreshed: async () => false,
  })
  const isAdministrator = async (accountId: string) => accountId === 'ann'

  test('is seen by administrators alone, and asks nobody for a key or a list', async () => {
    const harness = await openConnections(open, { bundled: [signedIn], signIn: signIn('signed-in'), isAdministrator })
    try {
      const params = { id: 'sub' }
      expect(await harness.ann.call(connectionsRoutes.plugin, { params })).toMatchObject({
        signIn: true,
        available: true,
      })
      expect((await harness.bob.call(connectionsRoutes.plugins, {})).items).toEqual([])
      expect(await harness.bob.refusal(connectionsRoutes.activate, { params })).toMatchObject({
        code: 'plugin_not_found',
      })
      const { discovery, connection } = await harness.ann.call(connectionsRoutes.activate, { params })
      expect(discovery).toMatchObject({ outcome: 'updated', added: 1 })
      expect(connection).toMatchObject({ keyState: 'sign-in', needsKey: false })
      expect(await harness.ann.refusal(connectionsRoutes.saveKey, { params, body: { apiKey: 'sk-1' } })).toMatchObject({
        code: 'validation_failed',
      })
      const selection: Selection = { providerType: 'plugin', providerId: 'sub', model: 'big' }
      expect(await harness.connections.resolve('bob', selection)).toMatchObject({
        unavailable: expect.stringContaining('removed'),
      })
    } finally {
      await harness.close()
    }
  })

  test('is nowhere when it is switched off, and nothing can be put in its place', async () => {
    const harness = await openConnections(open, { bundled: [signedIn], signIn: signIn('hidden'), isAdministrator })
    try {
      expect((await harness.ann.call(connectionsRoutes.plugins, {})).items).toEqual([])
      const { wire: _, signIn: __, ...plain } = signedIn
      expect(await harness.ann.refusal(connectionsRoutes.installPlugin, { body: plain })).toMatchObject({
        code: 'plugin_exists',
      })
      expect((await harness.bob.call(connectionsRoutes.plugins, {})).items).toEqual([])
    } finally {
      await harness.close()
    }
  })
})
