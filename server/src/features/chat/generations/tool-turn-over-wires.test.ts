import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PublicApiHarness, providerOfWire, startPublicApi, type TestedWire } from '../../../testing/public-api.ts'

/** What each wire calls the results in its requests. */
const saidAs: Readonly<Record<TestedWire, { readonly path: string; readonly result: RegExp }>> = {
  ollama: { path: '/api/chat', result: /"role":"tool"/g },
  'chat-completions': { path: '/v1/chat/completions', result: /"role":"tool","tool_call_id"/g },
  responses: { path: '/v1/responses', result: /"type":"function_call_output"/g },
  anthropic: { path: '/v1/messages', result: /"type":"tool_result"/g },
  gemini: { path: 'echo:streamGenerateContent', result: /"functionResponse"/g },
  bedrock: { path: 'echo/converse-stream', result: /"toolResult"/g },
}

describe('tools of the app as it runs', () => {
  let harness: PublicApiHarness
  beforeAll(async () => {
    harness = await startPublicApi()
    await harness.admin.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(() => harness.close())

  test.each(Object.keys(saidAs) as TestedWire[])('are called over %s, and their results told again', async (wire) => {
    const { admin, provider } = harness
    const { path, result } = saidAs[wire]
    const providerId = providerOfWire[wire]
    const selection =
      wire === 'ollama'
        ? { providerType: 'local' as const, providerId: null, model: 'echo' }
        : { providerType: 'plugin' as const, providerId, model: 'echo' }
    const { id } = await admin.call(chatRoutes.create, { body: { selection } })
    const say = (message: string) => admin.call(chatRoutes.generate, { params: { sessionId: id }, body: { message } })
    const asked = () => JSON.stringify(provider.requests.findLast((seen) => seen.path.endsWith(path))?.body)

    const first = await say(
      '<<calculate {"expression":"6*7"}>> <<calculate {"expression":"2^70"}>> then <<calculate {"expression":"1/0"}>>',
    )
    expect(first.status).toBe('complete')
    expect(first.toolCalls).toMatchObject([
      { name: 'calculate', round: 1, status: 'succeeded', result: { text: expect.stringContaining('42') } },
      { round: 1, status: 'succeeded', result: { text: expect.stringContaining('1180591620717411303424') } },
      { round: 2, status: 'failed' },
    ])
    expect(new Set(first.toolCalls.map((call) => call.id)).size).toBe(3)
    expect(first.content).toContain('You said: ')
    expect(asked().match(result)).toHaveLength(3)

    expect((await say('And now?')).content).toContain('You said: And now?')
    expect(asked().match(result)).toHaveLength(3)
    expect(asked()).toContain('1180591620717411303424')

    // Without tools the calls of before are still in the chat.
    const off = await admin.call(chatRoutes.generate, {
      params: { sessionId: id },
      body: { message: 'And without?', tools: { choice: 'off' } },
    })
    expect(off).toMatchObject({ status: 'complete', toolCalls: [] })
    expect(asked()).toContain('1180591620717411303424')
  })
})
