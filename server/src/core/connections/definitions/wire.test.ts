import { existsSync, readFileSync } from 'node:fs'
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { bundledDefinitions } from '../../../providers/definitions.ts'
import type { Part } from '../../../providers/types.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { routeOf } from './routing.ts'
import { wireOf, wireOfAddress } from './wire.ts'

describe('the format of an address', () => {
  test.each([
    ['https://a.example/v1/chat/completions', 'chat-completions'],
    ['https://a.example/v1/chat/completions/?x=1', 'chat-completions'],
    ['https://a.example/v1/responses', 'responses'],
    ['https://a.example/anthropic/v1/messages', 'anthropic'],
    ['https://a.example/v1beta/models/{model}:generateContent', 'gemini'],
    ['https://a.example/v1beta/models/{model}:streamGenerateContent?alt=sse', 'gemini'],
    ['https://a.example/model/{model}/converse', 'bedrock'],
    ['https://a.example/model/{model}/converse-stream', 'bedrock'],
    ['https://a.example/messages', null],
    ['https://a.example/v1/completions', null],
    ['https://a.example/', null],
    ['https://{resource}.example/v1', null],
  ])('%s: %s', (address, wire) => {
    expect(wireOfAddress(address)).toBe(wire)
  })

  test('every definition that comes with Atrium is asked in the format that it names', () => {
    const asked = bundledDefinitions().map((own) => [
      own.id,
      wireOf({ bundled: own, source: 'bundled', route: routeOf(own, {}, own) }),
    ])
    expect(asked).toEqual(bundledDefinitions().map(({ id, wire }) => [id, wire]))
  })
})

// Real definitions lie beside the project where there are any.
const published = new URL('../../../../../../shared/data/plugins/', import.meta.url)
const readPublished = (id: string): string | null => {
  const file = new URL(`${id}.json`, published)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
const auths = {
  anthropic: { header: 'x-api-key', prefix: '', key_env: 'A' },
  gemini: { header: 'x-goog-api-key', prefix: '', key_env: 'G' },
} as const
const bearer = { header: 'Authorization', prefix: 'Bearer ', key_env: 'B' } as const

withDatabase('an installed definition', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness

  beforeEach(async () => {
    provider = await startProvider()
    harness = await openConnections(open, { privateAddresses: [provider.address] })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  const plain = { type: 'completion' as const, model_map: ['echo'] }
  const ask = async (body: Definition) => {
    const params = { id: body.id }
    await harness.ann.call(connectionsRoutes.installPlugin, { body })
    await harness.ann.call(connectionsRoutes.activate, { params })
    await harness.ann.call(connectionsRoutes.saveKey, { params, body: { apiKey: 'key-of-this-account' } })
    const selection = { providerType: 'plugin', providerId: body.id, model: 'echo' } as const
    const found = await harness.connections.resolve('ann', selection)
    if ('unavailable' in found) throw new Error(found.unavailable)
    const messages = [{ role: 'user', text: 'Hello there', images: [] }] as const
    const turn = { model: 'echo', system: null, messages, tools: [], options: {} }
    const parts: Part[] = []
    for await (const some of found.model.ask(turn, AbortSignal.timeout(120_000))) parts.push(...some)
    const text = parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')
    return { text, request: provider.requests.at(-1) }
  }

  test.each([
    ['anthropic', '/v1/messages', '/v1/messages', auths.anthropic],
    ['gemini', '/v1beta/models/{model}:generateContent', '/v1beta/models/echo:streamGenerateContent', auths.gemini],
    ['bedrock', '/model/{model}/converse', '/model/echo/converse-stream', bearer],
    ['chat-completions', '/v1/chat/completions', '/v1/chat/completions', bearer],
    ['responses', '/v1/responses', '/v1/responses', bearer],
  ] as const)('under an id of its own is asked in the format of its path: %s', async (wire, end, path, auth) => {
    const { text, request } = await ask({
      ...plain,
      id: 'second',
      name: 'Second',
      endpoint: provider.url + end,
      auth,
    })
    expect(text).toContain('Hello there')
    expect(new URL(request?.path ?? '', provider.url).pathname).toBe(path)
    if (wire === 'anthropic') expect(request?.headers['anthropic-version']).toBeDefined()
  })

  test('with the id of Atrium’s own is asked by its route, not in the format of that id', async () => {
    const { text, request } = await ask({
      ...plain,
      id: 'bedrock',
      name: 'Bedrock',
      endpoint: `${provider.url}/v1/chat/completions`,
      auth: bearer,
    })
    expect(text).toContain('Hello there')
    expect(request?.path).toBe('/v1/chat/completions')
  })

  test('that people share works under its id, and under another one', async () => {
    for (const id of ['anthropic', 'gemini', 'openai', 'mistral']) {
      const text = readPublished(id)
      if (text === null) continue
      const { origin } = new URL((JSON.parse(text) as Definition).endpoint)
      const moved = JSON.parse(text.replaceAll(origin, provider.url)) as Definition
      for (const name of [id, `${id}-second`]) {
        const answer = await ask({ ...moved, id: name, model_map: ['echo'] })
        expect([name, answer.text]).toEqual([name, expect.stringContaining('Hello there')])
      }
    }
  })
})
