import { connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import type { BundledDefinition } from '../../../providers/definitions.ts'
import type { Part, Turn } from '../../../providers/types.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const pair = `AKIDEXAMPLE:${secret}`
const question = { role: 'user', text: 'How high do kites fly?', images: [] } as const
const turn: Turn = { model: '', system: 'Be brief.', messages: [question], tools: [], options: {} }
const tools = [{ name: 'weather', description: 'Tells the weather', parameters: { type: 'object' } }]

withDatabase('connections of formats of their own', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness

  beforeEach(async () => {
    provider = await startProvider()
    const shared = { type: 'completion' as const, model_map: ['echo'] }
    const bundled: BundledDefinition[] = [
      {
        ...shared,
        id: 'gemini',
        name: 'Gemini',
        wire: 'gemini',
        endpoint: `${provider.url}/v1beta/models/{model}:generateContent`,
        auth: { header: 'x-goog-api-key', prefix: '', key_env: 'GEMINI_API_KEY' },
      },
      {
        ...shared,
        id: 'bedrock',
        name: 'Bedrock',
        wire: 'bedrock',
        endpoint: `${provider.url}/model/{model}/converse`,
        modelsUrl: `${provider.url}/foundation-models`,
        auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'AWS_BEARER_TOKEN_BEDROCK' },
      },
    ]
    harness = await openConnections(open, { bundled, privateAddresses: [provider.address] })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  const connect = async (id: string, apiKey: string) => {
    const params = { id }
    await harness.ann.call(connectionsRoutes.activate, { params })
    return await harness.ann.call(connectionsRoutes.saveKey, { params, body: { apiKey } })
  }
  const ask = async (providerId: string, model: string, more: Partial<Turn> = {}) => {
    const found = await harness.connections.resolve('ann', { providerType: 'plugin', providerId, model })
    if ('unavailable' in found) throw new Error(found.unavailable)
    const parts: Part[] = []
    for await (const some of found.model.ask({ ...turn, ...more }, new AbortController().signal)) parts.push(...some)
    return parts
  }
  const textOf = (parts: readonly Part[]) => parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')

  /** A question with a tool, its call, its result, and what is said then. */
  const withTool = async (providerId: string) => {
    const first = await ask(providerId, 'caller', { tools })
    expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' })
    const calls = first.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []))
    expect(calls).toMatchObject([{ name: 'weather', arguments: JSON.stringify({ query: question.text }) }])
    const items = first.flatMap((part) => (part.type === 'replay' ? [part.item] : []))
    const replay = { wire: providerId, model: 'caller', items }
    const results = calls.map(({ id, name }) => ({ role: 'tool', callId: id, name, text: 'Snow.' }) as const)
    const messages = [question, { role: 'assistant', text: '', toolCalls: calls, replay } as const, ...results]
    expect(textOf(await ask(providerId, 'caller', { tools, messages }))).toContain('You said: Snow.')
  }

  test('Gemini lists its models, answers at the address of each, and gets its signatures back', async () => {
    provider.control({ apiKey: 'AIza-secret' })
    const { discovery } = await connect('gemini', 'AIza-secret')
    expect(discovery).toMatchObject({ outcome: 'updated' })
    expect(textOf(await ask('gemini', 'echo'))).toContain('You said: How high do kites fly?')
    const { path, headers } = provider.requests.at(-1) ?? {}
    expect(path).toBe('/v1beta/models/echo:streamGenerateContent')
    expect(headers).toMatchObject({ 'x-goog-api-key': 'AIza-secret' })
    await withTool('gemini')
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('c2lnbmVkLWJ5LXRoZS1tb2RlbA==')
    expect(harness.metered.at(-1)).toMatchObject({
      status: 'success',
      model: 'caller',
      outputTokens: expect.any(Number),
    })
  })

  test('Gemini gives embeddings next to its chats, and nothing else', async () => {
    await connect('gemini', 'AIza-secret')
    const models = await harness.connections.capabilityModels('ann', 'embedding')
    expect(models).toMatchObject([{ providerId: 'gemini', model: 'embedder' }])
    const found = await harness.connections.capability('ann', 'embedding', { providerId: 'gemini', model: 'embedder' })
    if ('unavailable' in found) throw new Error(found.unavailable)
    const input = Array.from({ length: 100 }, () => 'aaaa')
    const { vectors } = await found.usable.call({ input }, new AbortController().signal)
    expect(vectors).toHaveLength(100)
    expect(provider.count('/v1beta/models/embedder:batchEmbedContents')).toBe(2)
    expect(harness.metered.map(({ units }) => units?.input)).toEqual([96, 4])
    expect(provider.requests.at(-1)?.headers).toMatchObject({ 'x-goog-api-key': 'AIza-secret' })
    expect(await harness.connections.capabilityModels('ann', 'image')).toEqual([])
  })

  test('Gemini says of a wrong key that it is one', async () => {
    provider.control({ apiKey: 'AIza-secret' })
    const { discovery } = await connect('gemini', 'AIza-other')
    expect(discovery).toEqual({ outcome: 'unavailable', reason: 'The provider refused the key.' })
  })

  describe('Bedrock', () => {
    test('takes calls that a pair of keys has signed, and the list as well; the pair itself is sent nowhere', async () => {
      provider.control({ awsKey: pair })
      const { discovery } = await connect('bedrock', pair)
      expect(discovery).toMatchObject({ outcome: 'updated' })
      provider.control({ models: ['eu.anthropic.claude-v9:0', 'caller', 'echo'] })
      const parts = await ask('bedrock', 'eu.anthropic.claude-v9:0')
      expect(textOf(parts)).toContain('You said: How high do kites fly?')
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
      await withTool('bedrock')
      expect(provider.requests.every(({ authorization }) => authorization?.startsWith('AWS4-HMAC-SHA256 '))).toBe(true)
      expect(JSON.stringify(provider.requests)).not.toContain(secret)
    })

    test('says that a pair with a wrong secret was refused, and not which', async () => {
      provider.control({ awsKey: pair })
      const { discovery } = await connect('bedrock', `AKIDEXAMPLE:${'x'.repeat(40)}`)
      expect(discovery).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('refused the key') })
      const failure = await ask('bedrock', 'echo').catch((error: unknown) => error as Error)
      expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('refused the key') })
      expect(JSON.stringify([failure, (failure as Error).stack])).not.toContain('xxxx')
    })

    test('takes a bearer key as it is', async () => {
      provider.control({ apiKey: 'ABSK-secret' })
      const { discovery } = await connect('bedrock', 'ABSK-secret')
      expect(discovery).toMatchObject({ outcome: 'updated' })
      expect(textOf(await ask('bedrock', 'echo'))).toContain('You said')
      expect(provider.requests.at(-1)?.authorization).toBe('Bearer ABSK-secret')
    })
  })
})
