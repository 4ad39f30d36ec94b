import type { Selection } from '@atrium/contract/common'
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '../../../platform/audit/index.ts'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { isConnectionVariable, routeOf } from './routing.ts'
import { turnDefaults } from './variables.ts'

const key = 'sk-very-secret-key-4242'

withDatabase('values of variables', (open) => {
  let provider: Provider
  let other: Provider
  let harness: ConnectionsHarness

  const definition = (): Definition => ({
    id: 'acme',
    name: 'Acme',
    type: 'completion',
    endpoint: `${provider.url}/v1/chat/completions`,
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: '' },
    model_map: ['echo'],
    variables: [
      { name: 'base_url', type: 'string', label: 'Base', default: `${provider.url}/v1` },
      { name: 'api_path', type: 'string', label: 'Path' },
      { name: 'endpoint', type: 'string', label: 'Endpoint' },
      { name: 'models_endpoint', type: 'string', label: 'List' },
      {
        name: 'api_mode',
        type: 'select',
        label: 'Mode',
        default: 'chat_completions',
        options: ['chat_completions', 'responses'],
      },
      { name: 'temperature', type: 'number', label: 'Temperature', default: 0.7, min: 0, max: 2 },
      { name: 'max_tokens', type: 'number', label: 'Longest', min: 1, max: 100 },
      { name: 'organisation', type: 'string', label: 'Organisation', sensitive: true },
      { name: 'stream', type: 'boolean', label: 'Stream', default: true },
    ],
  })

  beforeEach(async () => {
    provider = await startProvider()
    other = await startProvider()
    provider.control({ apiKey: key })
    harness = await openConnections(open, { bundled: [] })
    await harness.ann.call(settingsRoutes.updateInstance, {
      body: { privateAddresses: [provider.address, other.address] },
    })
    await harness.ann.call(connectionsRoutes.installPlugin, { body: definition() })
  })
  afterEach(async () => {
    await harness.close()
    await Promise.all([provider.close(), other.close()])
  })

  const params = { id: 'acme' }
  type Body = { variables: Record<string, string | number | boolean>; unset?: string[]; allowPrivate?: boolean }
  const save = (body: Body, who: 'ann' | 'bob' = 'ann') =>
    harness[who].call(connectionsRoutes.saveVariables, { params, body })
  const refuse = (body: Body, who: 'ann' | 'bob' = 'ann') =>
    harness[who].refusal(connectionsRoutes.saveVariables, { params, body })
  const values = (who: 'ann' | 'bob' = 'ann') => harness[who].call(connectionsRoutes.variables, { params })
  const echo: Selection = { providerType: 'plugin', providerId: 'acme', model: 'echo' }
  const begin = async (who: 'ann' | 'bob' = 'ann') => {
    await harness[who].call(connectionsRoutes.saveKey, { params, body: { apiKey: key } })
    return await harness[who].call(connectionsRoutes.activate, { params })
  }

  test('are each account’s own, and those of the route the instance’s', async () => {
    await save({ variables: { temperature: 0.2 } })
    await save({ variables: { temperature: 1.5 } }, 'bob')
    expect((await values())['temperature']).toMatchObject({ value: 0.2, hasValue: true, isConnection: false })
    expect((await values('bob'))['temperature']).toMatchObject({ value: 1.5 })
    await save({ variables: { base_url: `${other.url}/v1` } })
    expect((await values())['base_url']).toMatchObject({ value: `${other.url}/v1`, hasValue: true, isConnection: true })
    // Whoever is no administrator sees what the definition says.
    expect((await values('bob'))['base_url']).toMatchObject({ value: `${provider.url}/v1`, hasValue: false })
    expect(await refuse({ variables: { base_url: `${other.url}/v1` } }, 'bob')).toMatchObject({ status: 403 })
    expect(await refuse({ variables: {}, unset: ['base_url'] }, 'bob')).toMatchObject({ status: 403 })
  })

  test('sensitive ones are sealed, masked, and kept when the mask comes back', async () => {
    await save({ variables: { organisation: 'org-hidden-name' } })
    const shown = (await values())['organisation']
    expect(shown).toMatchObject({ isSensitive: true, hasValue: true })
    expect(shown?.value).toMatch(/^•+$/)
    await save({ variables: { organisation: String(shown?.value), temperature: 1 } })
    const rows = await harness.database
      .tables<{ connection_values: { document: Uint8Array } }>()
      .selectFrom('connection_values')
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]?.document ?? []).toString('latin1')).not.toContain('hidden')
    expect((await values('bob'))['organisation']).toMatchObject({ value: null, hasValue: false })
    await save({ variables: {}, unset: ['organisation'] })
    expect((await values())['organisation']).toMatchObject({ value: null, hasValue: false })
  })

  const faults: [string, Body, string][] = [
    ['a number that is text', { variables: { temperature: 'hot' } }, 'must be a number'],
    ['a number that is too large', { variables: { temperature: 3 } }, 'must be at most 2'],
    ['a number that is too small', { variables: { max_tokens: 0 } }, 'must be at least 1'],
    ['another choice', { variables: { api_mode: 'soap' } }, 'must be one of the options'],
    ['a switch that is none', { variables: { stream: 'yes' } }, 'must be true or false'],
    ['an address without a protocol', { variables: { base_url: 'b.example/v1' } }, 'must begin with http'],
    ['an address of another kind', { variables: { endpoint: 'ftp://b.example/v1' } }, 'must begin with http'],
    ['a name and password in an address', { variables: { endpoint: 'https://u:p@b.example' } }, 'user name'],
    ['a base with a query', { variables: { base_url: 'https://b.example/v1?x=1' } }, 'can’t have a query'],
    ['a path that climbs', { variables: { api_path: '/../admin' } }, 'A path must begin with one slash'],
    ['set and unset at once', { variables: { temperature: 1 }, unset: ['temperature'] }, 'at once'],
  ]
  test.each(faults)('%s is refused, and nothing is saved', async (_, body, words) => {
    const { problem } = await refuse(body)
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(problem.errors?.map((error) => error.message).join()).toContain(words)
    expect(Object.values(await values()).some((value) => value.hasValue)).toBe(false)
  })

  test('unknown names are left out, and a default of the route is not set', async () => {
    const after = await save({ variables: { nonsense: 1, base_url: `${provider.url}/v1` } })
    expect(after['base_url']).toMatchObject({ hasValue: false })
    expect(after).not.toHaveProperty('nonsense')
  })

  test('a private address is refused until an administrator allows it, in the same step if wished', async () => {
    const third = await startProvider()
    try {
      const body = { variables: { base_url: `${third.url}/v1` } }
      expect(await refuse(body)).toMatchObject({ status: 422, code: 'url_not_allowed' })
      expect((await values())['base_url']).toMatchObject({ hasValue: false })
      await save({ ...body, allowPrivate: true })
      expect((await harness.settings.instance()).privateAddresses.value).toContain(third.address)
      expect(await refuse({ ...body, allowPrivate: true }, 'bob')).toMatchObject({ status: 403 })
    } finally {
      await third.close()
    }
  })

  test('a route that changes clears what was found there, and lets go of every key saved for it', async () => {
    await begin()
    await begin('bob')
    harness.told.length = 0
    await save({ variables: { base_url: `${other.url}/v1` } })
    expect(harness.told).toContain('* models-changed')
    const catalogues = await harness.database
      .tables<{ connection_catalogues: object }>()
      .selectFrom('connection_catalogues')
      .selectAll()
      .execute()
    expect(catalogues).toEqual([])
    for (const who of ['ann', 'bob'] as const) {
      const { discovery, connection } = await harness[who].call(connectionsRoutes.discover, { params })
      expect(discovery).toMatchObject({ outcome: 'missing_credentials' })
      expect(connection).toMatchObject({ keyState: 'other-route', endpoint: `${other.url}/v1/chat/completions` })
      expect(await harness.connections.resolve(who, echo)).toMatchObject({
        unavailable: expect.stringContaining('Save it again'),
      })
    }
    expect(other.requests).toEqual([])
    await begin()
    expect(await harness.connections.resolve('ann', echo)).toHaveProperty('model')
    expect(other.requests.at(-1)?.authorization).toBe(`Bearer ${key}`)
  })

  test('the mode changes the path and the words, and a list elsewhere is asked there', async () => {
    await begin()
    await save({ variables: { api_mode: 'responses', models_endpoint: `${other.url}/v1/models` } })
    await begin()
    expect(other.count('/v1/models')).toBeGreaterThan(0)
    const resolved = await harness.connections.resolve('ann', echo)
    if (!('model' in resolved)) throw new Error(resolved.unavailable)
    await say(resolved.model)
    expect(provider.requests.at(-1)).toMatchObject({ path: '/v1/responses', body: { input: expect.anything() } })
  })

  test('are in the audit when they change for everybody, and when somebody tried who may not', async () => {
    const acts = async () =>
      (await createAudit(harness).page({ action: ['definition.update'] }, 20, undefined)).items.map((event) => [
        ...[event.actorUserId, event.targetId, event.result],
        event.details?.['fields'],
      ])
    await save({ variables: { temperature: 0.2 } })
    await save({ variables: { temperature: 1.5 } }, 'bob')
    await harness.bob.call(connectionsRoutes.resetVariables, { params })
    await harness.ann.call(connectionsRoutes.resetVariables, { params })
    expect(await acts()).toEqual([])
    await save({ variables: { endpoint: `http://${other.address}/v1` } })
    await refuse({ variables: { endpoint: `http://${provider.address}/v1` } }, 'bob')
    await harness.ann.call(connectionsRoutes.resetVariables, { params })
    expect(await acts()).toEqual([
      ['ann', 'acme', 'success', ['endpoint']],
      ['bob', 'acme', 'denied', ['endpoint']],
      ['ann', 'acme', 'success', ['endpoint']],
    ])
  })

  test('what an account set for itself is what its turns leave open', async () => {
    await begin()
    await save({ variables: { temperature: 0.25, max_tokens: 33 } })
    const resolved = await harness.connections.resolve('ann', echo)
    if (!('model' in resolved)) throw new Error(resolved.unavailable)
    await say(resolved.model)
    expect(provider.requests.at(-1)?.body).toMatchObject({ temperature: 0.25, max_tokens: 33 })
    await say(resolved.model, { temperature: undefined })
    expect(provider.requests.at(-1)?.body).toMatchObject({ temperature: 0.25 })
    await say(resolved.model, { temperature: 1.25 })
    expect(provider.requests.at(-1)?.body).toMatchObject({ temperature: 1.25, max_tokens: 33 })
    const reset = await harness.ann.call(connectionsRoutes.resetVariables, { params })
    expect(Object.values(reset).some((value) => value.hasValue)).toBe(false)
    const bare = await harness.connections.resolve('ann', echo)
    if (!('model' in bare)) throw new Error(bare.unavailable)
    await say(bare.model)
    expect(provider.requests.at(-1)?.body).not.toHaveProperty('temperature')
  })
})

async function say(
  model: Extract<Awaited<ReturnType<ConnectionsHarness['connections']['resolve']>>, { model: unknown }>['model'],
  options: { temperature?: number | undefined } = {},
): Promise<void> {
  const turn = {
    model: 'ignored',
    system: null,
    messages: [{ role: 'user' as const, text: 'Hello', images: [] }],
    tools: [],
    options,
  }
  for await (const parts of model.ask(turn, new AbortController().signal)) expect(parts).toBeDefined()
}

describe('routes from definitions and values', () => {
  const base: Definition = {
    id: 'x',
    name: 'X',
    type: 'completion',
    endpoint: 'https://a.example/v1/chat/completions',
    auth: { header: '', key_env: '' },
    model_map: ['m'],
  }
  const variable = (name: string, preset?: string) => ({ name, type: 'string' as const, label: name, default: preset })
  const image = { endpoint: 'https://a.example/v1/images/generations', model_map: ['draw'] }
  const cases: [string, Partial<Definition>, Record<string, string>, object][] = [
    ['the declared endpoint', {}, {}, { url: base.endpoint, unmoved: true, fault: null }],
    [
      'a base URL of the definition',
      { base_url: 'https://b.example/v1', api_mode: 'responses' },
      {},
      { url: 'https://b.example/v1/responses', semantics: 'responses' },
    ],
    [
      'a saved override before a base',
      { variables: [variable('endpoint'), variable('base_url', 'https://b.example/v1')] },
      { endpoint: 'https://c.example/x/completions' },
      { url: 'https://c.example/x/completions', semantics: 'completions', unmoved: false },
    ],
    [
      'a default in the place of an override is none',
      { variables: [variable('endpoint', 'https://d.example/chat/completions')] },
      {},
      { url: base.endpoint },
    ],
    ['a value without a variable is none', {}, { base_url: 'https://evil.example' }, { url: base.endpoint }],
    [
      'images stay where they are when chat moves',
      { variables: [variable('base_url')], capabilities: { image } },
      { base_url: 'https://b.example/v1' },
      {
        url: 'https://b.example/v1/chat/completions',
        capabilities: { image: { url: image.endpoint, modelsUrl: null } },
      },
    ],
    [
      'images move by their own variable alone',
      { variables: [variable('image_endpoint')], capabilities: { image } },
      { image_endpoint: 'https://i.example/draw' },
      { url: base.endpoint, capabilities: { image: { url: 'https://i.example/draw' } } },
    ],
    [
      'a place in the address is filled',
      { endpoint: 'https://{region}.a.example/v1/chat/completions', variables: [variable('region', 'eu')] },
      { region: 'us-1' },
      { url: 'https://us-1.a.example/v1/chat/completions', unmoved: false },
    ],
    [
      'a place that is empty makes no address',
      { endpoint: 'https://{region}.a.example/v1', variables: [variable('region')] },
      {},
      { fault: expect.stringContaining('region') },
    ],
    [
      'a place takes no other host',
      { endpoint: 'https://{region}.a.example/v1', variables: [variable('region')] },
      { region: 'evil.example/' },
      { fault: expect.stringContaining('letters, digits') },
    ],
  ]
  test.each(cases)('%s', (_, change, values, expected) => {
    expect(routeOf({ ...base, ...change }, values)).toMatchObject(expected)
  })

  test('values that no turn knows are left out', () => {
    const definition: Definition = {
      ...base,
      variables: [
        { name: 'temperature', type: 'number', label: '' },
        { name: 'top_p', type: 'number', label: '' },
        { name: 'steps', type: 'number', label: '' },
      ],
    }
    const installed = {
      definition,
      source: 'installed' as const,
      bundled: null,
      values: {},
      route: routeOf(definition),
      fingerprint: '',
      createdAt: 0,
      updatedAt: 0,
    }
    expect(turnDefaults(installed, { temperature: 0.5, top_p: 7, steps: 3, seed: 1 })).toEqual({ temperature: 0.5 })
  })
})

describe('a region that the host of a definition holds', () => {
  const definition: Definition = {
    id: 'cloud',
    name: 'Cloud',
    type: 'completion',
    endpoint: 'https://models.us-east-1.example.com/v1/chat/completions',
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: '' },
    model_map: ['echo'],
    variables: [{ name: 'region', type: 'string', label: 'Region', default: 'us-east-1' }],
  }

  test('is replaced by the one that is set, everywhere in the host and nowhere else', () => {
    expect(routeOf(definition).url).toBe('https://models.us-east-1.example.com/v1/chat/completions')
    expect(routeOf(definition, { region: 'eu-west-1' }).url).toBe(
      'https://models.eu-west-1.example.com/v1/chat/completions',
    )
    const path = { ...definition, endpoint: 'https://models.example.com/us-east-1/v1/chat/completions' }
    expect(routeOf(path, { region: 'eu-west-1' }).url).toBe(path.endpoint)
  })

  test('is part of the route, which administrators set', () => {
    expect(isConnectionVariable(definition, 'region')).toBe(true)
    expect(isConnectionVariable({ ...definition, endpoint: 'https://example.com/v1/x' }, 'region')).toBe(false)
  })

  test('names no other host', () => {
    for (const region of ['evil.example', 'a/b', 'a@b', '-a'])
      expect(routeOf(definition, { region }).fault, region).toContain('region')
  })
})
