import { ChatAnthropic } from '@langchain/anthropic'
import { AIMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
beforeAll(async () => {
  harness = await startPublicApi()
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

const key = () => harness.admin.token ?? ''
const chatOpenAi = (model: string, useResponsesApi: boolean) =>
  new ChatOpenAI({
    model,
    apiKey: key(),
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${harness.app.url}/v1` },
  })
const shapes = {
  ChatOpenAI: (model: string) => chatOpenAi(model, false),
  'ChatOpenAI for responses': (model: string) => chatOpenAi(model, true),
  ChatAnthropic: (model: string) =>
    new ChatAnthropic({ model, apiKey: key(), maxRetries: 0, maxTokens: 200, anthropicApiUrl: harness.app.url }),
}
type Shape = keyof typeof shapes
const cases = (Object.keys(shapes) as Shape[]).flatMap((shape) =>
  Object.entries(providerOfWire).map(([wire, provider]) => [shape, wire, provider] as const),
)
const weather = tool(({ query }) => `It rains, as to ${query}`, {
  name: 'weather',
  description: 'The weather',
  schema: z.object({ query: z.string() }),
})

describe.each(cases)('LangChain’s %s over the wire %s', (shape, _wire, provider) => {
  const model = (name: string) => shapes[shape](`${provider}/${name}`)

  test('gets an answer, whole and streamed, with what it used', async () => {
    const answer = await model('echo').invoke('Hello there')
    expect(answer.text).toContain('You said: Hello there')
    expect(answer.usage_metadata?.output_tokens).toBeGreaterThan(0)
    let text = ''
    for await (const piece of await model('echo').stream('Hello there')) text += piece.text
    expect(text).toContain('You said: Hello there')
  })

  test('calls a tool and goes on with its result', async () => {
    const bound = model('caller').bindTools([weather])
    const question = new HumanMessage('Rome')
    const asked = await bound.invoke([question])
    expect(asked.tool_calls).toMatchObject([{ name: 'weather', args: { query: 'Rome' } }])
    const result: ToolMessage = await weather.invoke(asked.tool_calls![0]!)
    const answer = await bound.invoke([question, new AIMessage(asked), result])
    expect(answer.text).toContain('It rains, as to Rome')
  })

  test('is told of a limit', async () => {
    const error: unknown = await model('status-429')
      .invoke('Hello')
      .catch((failure: unknown) => failure)
    expect(error).toMatchObject({ status: 429 })
  })
})

test('LangChain embeds', async () => {
  harness.provider.control({ models: null })
  const embeddings = new OpenAIEmbeddings({
    model: 'local/embedder',
    apiKey: key(),
    maxRetries: 0,
    configuration: { baseURL: `${harness.app.url}/v1` },
  })
  const vectors = await embeddings.embedDocuments(['one', 'two'])
  expect(vectors.map((vector) => vector.length > 3)).toEqual([true, true])
})
