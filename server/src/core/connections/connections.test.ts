import type { Selection } from '@atrium/contract/common'
import { connectionsRoutes, type Definition, type TestEvent } from '@atrium/contract/connections'
import { selectionKey } from '../settings/index.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import type { Turn } from '../../providers/types.ts'
import { until } from '../../testing/chats.ts'
import { type ConnectionsHarness, openConnections } from '../../testing/connections.ts'
import { withDatabase } from '../../testing/databases.ts'
import { stepsOf } from '../../testing/trial.ts'

const key = 'sk-very-secret-key-4242'

withDatabase('connections', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness

  beforeEach(async () => {
    provider = await startProvider()
    provider.control({ apiKey: key })
    harness = await openConnections(open)
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  const chatUrl = () => `${provider.url}/v1/chat/completions`
  const body = (extra: object = {}) => ({ name: 'My Box', url: chatUrl(), apiKey: key, allowPrivate: true, ...extra })
  const connect = (extra: object = {}) => harness.ann.call(connectionsRoutes.quick, { body: body(extra) })
  const refuse = (extra: object = {}) => harness.ann.refusal(connectionsRoutes.quick, { body: body(extra) })
  const models = async (who: 'ann' | 'bob' = 'ann') => await harness[who].call(connectionsRoutes.models, {})
  const allowed = async () => (await harness.settings.instance()).privateAddresses.value
  const plugin = (model: string): Selection => ({ providerType: 'plugin', providerId: 'my-box', model })

  /** Nothing of a connection stands anywhere. */
  const nothingStays = async () => {
    for (const table of tables) {
      expect([table, await rows(harness, `connection_${table}`)]).toEqual([table, []])
    }
    expect(await allowed()).toEqual([])
    expect((await harness.ann.call(connectionsRoutes.connections, {})).items).toEqual([])
  }

  test('a quick connection stands whole after one call', async () => {
    const { connection, discovery } = await connect()
    expect(discovery).toEqual({ outcome: 'updated', added: 6, removed: 0 })
    expect(connection).toMatchObject({
      id: 'my-box',
      name: 'My Box',
      endpoint: chatUrl(),
      active: true,
      needsKey: true,
      hasKey: true,
      keyEnding: '4242',
      modelCount: 5,
      otherCount: 1,
      lastOutcome: { outcome: 'updated' },
    })
    expect(await allowed()).toEqual([provider.address])
    const { items, providers } = await models()
    const names = items.map((model) => model.selection.model)
    expect(names).toEqual(['echo', 'markdown', 'long', 'thinker', 'caller', 'excerpts'])
    expect(items.find((model) => model.name === 'thinker')).toMatchObject({
      contextWindow: 32_768,
      features: ['tools', 'thinking'],
      providerName: 'My Box',
    })
    expect(providers.find((p) => p.providerType === 'plugin')).toMatchObject({ state: 'ready', modelCount: 5 })
    expect(provider.requests.at(-1)?.authorization).toBe(`Bearer ${key}`)
    expect(harness.told).toContain('ann models-changed')
  })

  test('a key is nowhere readable, neither in rows nor in answers', async () => {
    await connect()
    const everything = await wholeDatabase(harness)
    expect(everything).not.toContain(key)
    expect(everything).not.toContain('My Box')
    expect(JSON.stringify(await harness.ann.call(connectionsRoutes.connections, {}))).not.toContain(key)
    expect(JSON.stringify(await models())).not.toContain(key)
  })

  const failures: [string, object, object, number, string][] = [
    ['a wrong key', {}, { apiKey: 'sk-wrong' }, 502, 'provider_rejected'],
    ['no key where one is asked for', {}, { apiKey: undefined }, 503, 'api_key_needed'],
    ['an empty list', { models: [] }, {}, 502, 'provider_failed'],
    ['a web page', { listFault: 'wrong-type' }, {}, 502, 'provider_failed'],
    ['half a list', { listFault: 'half-json' }, {}, 502, 'provider_failed'],
    ['a broken connection', { listFault: 'reset' }, {}, 502, 'provider_unreachable'],
    ['a redirect', { listFault: 'redirect' }, {}, 502, 'provider_failed'],
    ['an error of the provider', { listFault: 'status-500' }, {}, 502, 'provider_rejected'],
    ['no list at all', { listFault: 'status-404' }, {}, 502, 'provider_rejected'],
    ['too many requests', { listFault: 'status-429' }, {}, 502, 'provider_rejected'],
    ['a private address that was not allowed', {}, { allowPrivate: false }, 422, 'url_not_allowed'],
    [
      'an address that is never called',
      {},
      { url: 'http://169.254.169.254/v1/chat/completions' },
      422,
      'url_not_allowed',
    ],
    ['another protocol', {}, { url: 'ftp://example.com/v1' }, 400, 'validation_failed'],
    ['a key that no header can carry', {}, { apiKey: 'sk with spaces' }, 400, 'validation_failed'],
  ]
  test.each(failures)('after %s nothing stays', async (_, orders, extra, status, code) => {
    provider.control(orders)
    expect(await refuse(extra)).toMatchObject({ status, code })
    await nothingStays()
  })

  test('an address can be tested before it is connected, and nothing stays of it', async () => {
    const { name: _, allowPrivate, ...entered } = body()
    const steps = async (extra: object = {}) => {
      const events: TestEvent[] = []
      const call = { body: { ...entered, allowPrivate, ...extra } }
      for await (const { event } of harness.ann.follow(connectionsRoutes.quickTest, call)) events.push(event)
      return stepsOf(events).map(({ step, state }) => `${step} ${state}`)
    }
    const all = ['resolve', 'reach', 'authorise', 'models', 'chat']
    expect(await steps()).toEqual(all.map((step) => `${step} ok`))
    expect((await steps({ apiKey: 'sk-wrong' }))[2]).toBe('authorise failed')
    provider.control({ listFault: 'status-404' })
    expect(await steps()).toEqual(['resolve ok', 'reach ok', 'authorise skipped', 'models failed', 'chat skipped'])
    expect(await steps({ models: ['echo'] })).toContain('chat ok')
    await nothingStays()
    const call = { body: entered }
    expect(await harness.ann.refusal(connectionsRoutes.quickTest, call)).toMatchObject({ code: 'url_not_allowed' })
    expect(await harness.ann.refusal(connectionsRoutes.quickTest, { body: { url: 'ftp://x' } })).toMatchObject({
      code: 'validation_failed',
    })
    expect(await harness.bob.refusal(connectionsRoutes.quickTest, call)).toMatchObject({ code: 'forbidden' })
  })

  test('an endpoint that lists no models is connected with those that are named, and asked again later', async () => {
    provider.control({ listFault: 'status-404' })
    const { connection, discovery } = await connect({ models: ['echo', 'long', 'echo'] })
    expect(discovery).toMatchObject({ outcome: 'unavailable' })
    expect(connection).toMatchObject({ modelCount: 2, discoveredAt: null, hasKey: true, active: true })
    expect((await models()).items.map(({ selection }) => selection.model)).toEqual(['echo', 'long', 'excerpts'])
    expect('model' in (await harness.connections.resolve('ann', plugin('echo')))).toBe(true)
    provider.control({ listFault: null })
    await harness.ann.call(connectionsRoutes.discover, { params: { id: 'my-box' } })
    expect((await models()).items).toHaveLength(6)
  })

  test('models that are named do not stand for a server that is not there, nor hold what no id holds', async () => {
    expect(await refuse({ models: ['a\nb'] })).toMatchObject({ status: 400, code: 'validation_failed' })
    await provider.close()
    expect(await refuse({ models: ['echo'] })).toMatchObject({ status: 502, code: 'provider_unreachable' })
    await nothingStays()
    provider = await startProvider()
  })

  test('a quick connection gets another name, other models and another address; activations and keys stay', async () => {
    provider.control({ listFault: 'status-404' })
    await connect({ models: ['echo'] })
    const params = { id: 'my-box' }
    const change = { name: 'Your Box', models: ['echo', 'markdown'] }
    expect(await harness.ann.call(connectionsRoutes.updateConnection, { params, body: change })).toMatchObject({
      id: 'my-box',
      name: 'Your Box',
      modelCount: 2,
      active: true,
      hasKey: true,
    })
    expect(await harness.bob.refusal(connectionsRoutes.updateConnection, { params, body: change })).toMatchObject({
      status: 403,
    })
    await harness.ann.call(connectionsRoutes.saveVariables, {
      params,
      body: { variables: { endpoint: `${provider.url}/other/chat/completions`, temperature: 0.3 } },
    })
    const { items } = await harness.ann.call(connectionsRoutes.connections, {})
    expect(items).toMatchObject([{ endpoint: `${provider.url}/other/chat/completions`, keyState: 'other-route' }])
    expect(await harness.bob.call(connectionsRoutes.variables, { params })).toHaveProperty('temperature')
    const openai = { params: { id: 'openai' }, body: { name: 'Mine' } }
    expect(await harness.ann.refusal(connectionsRoutes.updateConnection, openai)).toMatchObject({
      code: 'validation_failed',
    })
  })

  test('a quick connection of an older version gets its variables when it is read', async () => {
    await connect()
    const params = { id: 'my-box' }
    const { variables: _, ...older } = (await (
      await harness.ann.answer(connectionsRoutes.exportPlugin, { params })
    ).json()) as Definition
    await harness.ann.call(connectionsRoutes.installPlugin, { body: older as Definition })
    expect(Object.keys(await harness.ann.call(connectionsRoutes.variables, { params }))).toEqual([
      'endpoint',
      'models_endpoint',
      'temperature',
      'max_tokens',
      'top_p',
    ])
    await harness.ann.call(connectionsRoutes.installPlugin, { body: { ...older, auth: { header: '', key_env: '' } } })
    expect(await harness.ann.call(connectionsRoutes.variables, { params })).toEqual({})
  })

  test('a provider that nobody runs is unreachable, and nothing stays', async () => {
    await provider.close()
    expect(await refuse()).toMatchObject({ status: 502, code: 'provider_unreachable' })
    await nothingStays()
    provider = await startProvider()
  })

  test('refusals never hold the provider’s words', async () => {
    provider.control({ listFault: 'status-500' })
    expect(JSON.stringify((await refuse()).problem)).not.toContain('sk-leaked')
  })

  test('a name can be used once, also by two at a time', async () => {
    const [first, second] = await Promise.allSettled([connect(), connect()])
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
    expect(await refuse()).toMatchObject({ status: 409, code: 'plugin_exists' })
    expect(await rows(harness, 'connection_definitions')).toHaveLength(1)
    expect(await rows(harness, 'connection_credentials')).toHaveLength(1)
  })

  test('only an administrator connects and removes', async () => {
    expect(await harness.bob.refusal(connectionsRoutes.quick, { body: body() })).toMatchObject({ status: 403 })
    await connect()
    const params = { id: 'my-box' }
    expect(await harness.bob.refusal(connectionsRoutes.remove, { params })).toMatchObject({ status: 403 })
    expect(await harness.bob.refusal(connectionsRoutes.found, {})).toMatchObject({ status: 403 })
  })

  test('a base URL is understood, and a connection without a key may get one later', async () => {
    provider.control({ apiKey: null })
    const { connection } = await connect({ url: `${provider.url}/v1`, apiKey: undefined })
    expect(connection).toMatchObject({ endpoint: chatUrl(), needsKey: false, hasKey: false })
    expect(provider.requests.at(-1)?.authorization).toBeNull()
    await harness.ann.call(connectionsRoutes.saveKey, { params: { id: 'my-box' }, body: { apiKey: key } })
    expect(provider.requests.at(-1)?.authorization).toBe(`Bearer ${key}`)
  })

  test('each account has its own activation and key', async () => {
    await connect()
    const params = { id: 'my-box' }
    expect((await harness.bob.call(connectionsRoutes.connections, {})).items).toMatchObject([
      { id: 'my-box', active: false, hasKey: false, keyEnding: null },
    ])
    expect((await models('bob')).items.map((model) => model.name)).toEqual(['Excerpts'])
    const asked = provider.count('/v1/models')
    const { discovery } = await harness.bob.call(connectionsRoutes.activate, { params })
    expect(discovery).toMatchObject({ outcome: 'missing_credentials' })
    expect(provider.count('/v1/models')).toBe(asked)
    expect((await models('bob')).providers).toContainEqual(expect.objectContaining({ state: 'key-needed' }))
    expect(await harness.connections.resolve('bob', plugin('echo'))).toEqual({
      unavailable: 'This connection needs your own API key.',
    })
    const saved = await harness.bob.call(connectionsRoutes.saveKey, { params, body: { apiKey: key } })
    expect(saved.discovery).toMatchObject({ outcome: 'updated', added: 6 })
    expect(await harness.connections.resolve('bob', plugin('echo'))).toHaveProperty('model')
    await harness.bob.call(connectionsRoutes.deactivate, { params })
    expect(await harness.connections.resolve('bob', plugin('echo'))).toMatchObject({
      unavailable: expect.stringContaining('is off'),
    })
    expect(await harness.connections.resolve('ann', plugin('echo'))).toHaveProperty('model')
  })

  test('a refresh has four outcomes, and a failure keeps the old catalogue', async () => {
    await connect()
    const refresh = async () =>
      (await harness.ann.call(connectionsRoutes.discover, { params: { id: 'my-box' } })).discovery
    expect(await refresh()).toEqual({ outcome: 'unchanged' })
    provider.control({ models: ['echo', 'new-one', 'embed-two'] })
    expect(await refresh()).toEqual({ outcome: 'updated', added: 2, removed: 5 })
    provider.control({ listFault: 'status-500' })
    expect(await refresh()).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('500') })
    const { items, providers } = await models()
    expect(items.map((model) => model.name)).toEqual(['echo', 'new-one', 'Excerpts'])
    expect(providers).toContainEqual(expect.objectContaining({ state: 'unreachable', providerId: 'my-box' }))
    await harness.ann.call(connectionsRoutes.removeKey, { params: { id: 'my-box' } })
    expect(await refresh()).toMatchObject({ outcome: 'missing_credentials' })
    expect((await models()).items).toHaveLength(3)
  })

  test('a revoked key is told when the models are asked for, and in the answer', async () => {
    await connect()
    provider.control({ apiKey: 'sk-another' })
    const { discovery } = await harness.ann.call(connectionsRoutes.discover, { params: { id: 'my-box' } })
    expect(discovery).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('refused the key') })
    const resolved = await harness.connections.resolve('ann', plugin('echo'))
    await expect(say(resolved)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('refused the key'),
    })
  })

  test('a chosen model answers, metered without content', async () => {
    await connect()
    const resolved = await harness.connections.resolve('ann', plugin('echo'))
    expect(resolved).toMatchObject({
      model: { name: 'echo', providerName: 'My Box', contextWindow: 8192, tools: true },
    })
    expect(await say(resolved)).toContain('You said: Hello')
    expect(provider.requests.at(-1)?.authorization).toBe(`Bearer ${key}`)
    expect(harness.metered).toMatchObject([
      { status: 'success', model: 'echo', subject: { accountId: 'ann', providerId: 'my-box' } },
    ])
    expect(JSON.stringify(harness.metered)).not.toMatch(/Hello|secret|127\.0\.0\.1/)
  })

  test('a selection is never rerouted', async () => {
    await connect()
    expect(await harness.connections.resolve('ann', plugin('gone'))).toMatchObject({
      unavailable: expect.stringContaining('no longer lists'),
    })
    await harness.ann.call(connectionsRoutes.remove, { params: { id: 'my-box' } })
    expect(await harness.connections.resolve('ann', plugin('echo'))).toMatchObject({
      unavailable: expect.stringContaining('removed'),
    })
    const local: Selection = { providerType: 'local', providerId: null, model: 'echo' }
    expect(await harness.connections.resolve('ann', local)).toMatchObject({
      unavailable: expect.stringContaining('is off'),
    })
  })

  test('removing a connection removes every account’s part of it', async () => {
    await connect()
    const params = { id: 'my-box' }
    await harness.bob.call(connectionsRoutes.saveKey, { params, body: { apiKey: key } })
    await harness.bob.call(connectionsRoutes.activate, { params })
    harness.told.length = 0
    await harness.ann.call(connectionsRoutes.remove, { params })
    for (const table of tables) {
      expect(await rows(harness, `connection_${table}`)).toEqual([])
    }
    expect(harness.told.sort()).toEqual(['ann models-changed', 'bob models-changed'])
    expect(await harness.ann.refusal(connectionsRoutes.remove, { params })).toMatchObject({ code: 'plugin_not_found' })
    for (const route of [
      connectionsRoutes.activate,
      connectionsRoutes.deactivate,
      connectionsRoutes.discover,
      connectionsRoutes.removeKey,
    ]) {
      expect(await harness.ann.refusal(route, { params })).toMatchObject({ status: 404, code: 'plugin_not_found' })
    }
  })

  test('a key saved for one route is not used for another', async () => {
    await connect()
    await harness.database
      .tables<{ connection_credentials: { route: string } }>()
      .updateTable('connection_credentials')
      .set({ route: 'elsewhere' })
      .execute()
    // As another process would say that wrote it.
    await harness.database.notify('connections-changed', 'ann')
    await until(async () => 'unavailable' in (await harness.connections.resolve('ann', plugin('echo'))))
    expect(await harness.connections.resolve('ann', plugin('echo'))).toMatchObject({
      unavailable: expect.stringContaining('Save it again'),
    })
  })

  test('an old catalogue is looked at again in the background, in nobody’s way', async () => {
    await connect()
    provider.control({ models: ['echo', 'brand-new'] })
    harness.clock.advance(21_600_001)
    expect((await models()).items).toHaveLength(6)
    await until(async () => (await models()).items.some((model) => model.name === 'brand-new'))
    const asked = provider.count('/v1/models')
    await models()
    await models()
    expect(provider.count('/v1/models')).toBe(asked)
  })

  test('what is known costs no question to the database, and is forgotten when somebody writes', async () => {
    await connect()
    const resolved = await harness.connections.resolve('ann', plugin('echo'))
    expect(resolved).toHaveProperty('model')
    await harness.database.tables<{ connection_activations: object }>().deleteFrom('connection_activations').execute()
    expect(await harness.connections.resolve('ann', plugin('echo'))).toHaveProperty('model')
    // Nobody told of it: it is found out after a while.
    harness.clock.advance(10_000)
    expect(await harness.connections.resolve('ann', plugin('echo'))).toMatchObject({
      unavailable: expect.stringContaining('is off'),
    })
    await harness.ann.call(connectionsRoutes.activate, { params: { id: 'my-box' } })
    expect(await harness.connections.resolve('ann', plugin('echo'))).toHaveProperty('model')
    await harness.ann.call(connectionsRoutes.deactivate, { params: { id: 'my-box' } })
    expect(await harness.connections.resolve('ann', plugin('echo'))).toHaveProperty('unavailable')
  })

  test('350 models are listed whole', async () => {
    provider.control({ extraModels: 350 })
    const { connection } = await connect()
    expect(connection.modelCount).toBe(355)
    expect((await models()).items).toHaveLength(356)
  })

  test('a new chat starts with the own default, else with what was used last, else with what is connected', async () => {
    expect((await models()).fallback).toMatchObject({ selection: { model: 'excerpts' }, because: 'only-model' })
    await connect()
    expect((await models()).fallback).toMatchObject({ selection: { model: 'echo' }, because: 'first-connected' })
    harness.preferred.set('ann', {
      recentModels: ['builtin:builtin:excerpts', 'plugin:gone:x', selectionKey(plugin('markdown'))],
    })
    expect((await models()).fallback).toMatchObject({ selection: { model: 'markdown' }, because: 'last-used' })
    harness.preferred.set('ann', { defaultModel: plugin('markdown'), recentModels: [selectionKey(plugin('echo'))] })
    expect((await models()).fallback).toMatchObject({ selection: { model: 'markdown' }, because: 'own-default' })
  })
})

withDatabase('the local runtime among the models', (open) => {
  test('is listed, answers, and keeps its last list when it goes away', async () => {
    const provider = await startProvider()
    const harness = await openConnections(open, {
      localRuntimeUrl: provider.url,
      maxContext: undefined,
      ttlMs: undefined,
    })
    try {
      const list = await harness.ann.call(connectionsRoutes.models, {})
      expect(list.items.map((model) => model.name)).toEqual([
        'echo',
        'markdown',
        'long',
        'thinker',
        'caller',
        'Excerpts',
      ])
      expect(list.items[0]).toMatchObject({
        selection: { providerType: 'local', providerId: null, model: 'echo:latest' },
        local: true,
        contextWindow: 8192,
        features: ['vision', 'tools'],
      })
      const long: Selection = { providerType: 'local', providerId: null, model: 'long:latest' }
      expect(await harness.connections.resolve('ann', long)).toMatchObject({
        model: { contextWindow: 32_768, sizesWindow: true },
      })
      const echo: Selection = { providerType: 'local', providerId: null, model: 'echo' }
      expect(await say(await harness.connections.resolve('ann', echo), { think: true })).toContain('You said: Hello')
      expect(provider.requests.at(-1)?.body).not.toHaveProperty('think')

      await provider.close()
      harness.clock.advance(60_000)
      await harness.ann.call(connectionsRoutes.models, {})
      await until(async () => {
        const { providers } = await harness.ann.call(connectionsRoutes.models, {})
        return providers[0]?.state === 'unreachable'
      })
      const after = await harness.ann.call(connectionsRoutes.models, {})
      expect(after.items).toHaveLength(6)
      expect(after.providers[0]).toMatchObject({
        state: 'unreachable',
        detail: expect.stringContaining('could not be reached'),
      })
    } finally {
      await harness.close()
      await provider.close()
    }
  })
})

withDatabase('finding local runtimes', (open) => {
  test('tells what answers on the usual ports, and what is connected already', async () => {
    const [a, b, c] = await Promise.all([startProvider(), startProvider(), startProvider()])
    await c.close()
    const port = (provider: Provider) => Number(new URL(provider.url).port)
    const harness = await openConnections(open, {
      usualPorts: [
        { port: port(a), kind: 'ollama', name: 'Ollama' },
        { port: port(b), kind: 'openai-compatible', name: 'LM Studio' },
        { port: port(c), kind: 'openai-compatible', name: 'Jan' },
      ],
    })
    try {
      const found = () => harness.ann.call(connectionsRoutes.found, {})
      expect((await found()).items).toEqual([
        { kind: 'ollama', pluginId: null, name: 'Ollama', url: a.url, modelCount: 6, connected: false },
        {
          kind: 'openai-compatible',
          pluginId: null,
          name: 'LM Studio',
          url: `${b.url}/v1/chat/completions`,
          modelCount: 5,
          connected: false,
        },
      ])
      await harness.ann.call(connectionsRoutes.quick, {
        body: { name: 'Mine', url: `${b.url}/v1`, allowPrivate: true },
      })
      await harness.settings.setLocalRuntime({ enabled: true, baseUrl: `http://localhost:${port(a)}` })
      expect((await found()).items.map((runtime) => runtime.connected)).toEqual([true, true])
      b.control({ listFault: 'stall-headers' })
      const begun = Date.now()
      expect((await found()).items).toHaveLength(1)
      // A second and a half each, all at once; the rest is for a busy machine.
      expect(Date.now() - begun).toBeLessThan(20_000)
    } finally {
      await harness.close()
      await Promise.all([a.close(), b.close()])
    }
  })
})

async function say(
  resolved: Awaited<ReturnType<ConnectionsHarness['connections']['resolve']>>,
  options: Turn['options'] = {},
) {
  if (!('model' in resolved)) throw new Error(resolved.unavailable)
  const turn: Turn = {
    model: 'ignored',
    system: null,
    messages: [{ role: 'user', text: 'Hello', images: [] }],
    tools: [],
    options,
  }
  let text = ''
  for await (const parts of resolved.model.ask(turn, new AbortController().signal)) {
    for (const part of parts) if (part.type === 'text') text += part.delta
  }
  return text
}

const tables = ['definitions', 'activations', 'credentials', 'catalogues', 'instance_values', 'values']

const rows = (harness: ConnectionsHarness, table: string): Promise<unknown[]> =>
  harness.database.tables<Record<string, Record<string, unknown>>>().selectFrom(table).selectAll().execute()

/** Every byte of every row of the area, in Latin 1 so that no byte is lost. */
async function wholeDatabase(harness: ConnectionsHarness): Promise<string> {
  const all = await Promise.all(
    [...tables.map((name) => `connection_${name}`), 'instance_settings'].map((table) => rows(harness, table)),
  )
  return all
    .flat()
    .flatMap((row) => Object.values(row as object))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n')
}
