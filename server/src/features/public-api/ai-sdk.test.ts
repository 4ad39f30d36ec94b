import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModel, Output, generateText, isStepCount, streamText, tool } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
beforeAll(async () => {
  harness = await startPublicApi()
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

/** The shapes of `/v1` that the AI SDK speaks, each by the provider of it that people use. */
const shapes: Readonly<Record<string, (model: string) => LanguageModel>> = {
  'openai.chat': (model) => openai().chat(model),
  'openai.responses': (model) => openai().responses(model),
  'openai-compatible': (model) =>
    createOpenAICompatible({ name: 'atrium', ...about(), includeUsage: true, supportsStructuredOutputs: true })(model),
  anthropic: (model) => createAnthropic(about())(model),
}
const about = () => ({ baseURL: `${harness.app.url}/v1`, apiKey: harness.admin.token ?? '' })
const openai = () => createOpenAI(about())

const weather = tool({
  description: 'The weather',
  inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) => `It rains, as to ${query}`,
})
const cases = Object.keys(shapes).flatMap((shape) =>
  Object.entries(providerOfWire).map(([wire, provider]) => [shape, wire, provider] as const),
)

describe.each(cases)('the AI SDK as %s over the wire %s', (shape, _wire, provider) => {
  const model = (name: string): LanguageModel => shapes[shape]!(`${provider}/${name}`)
  const once = { maxRetries: 0, maxOutputTokens: 200 }

  test('gets an answer, with what it used', async () => {
    const { text, usage, finishReason } = await generateText({ ...once, model: model('echo'), prompt: 'Hello there' })
    expect(text).toContain('You said: Hello there')
    expect([finishReason, Number(usage.inputTokens) > 0, Number(usage.outputTokens) > 0]).toEqual(['stop', true, true])
  })

  test('gets an answer as a stream', async () => {
    const stream = streamText({ ...once, model: model('echo'), prompt: 'Hello there' })
    let text = ''
    for await (const piece of stream.textStream) text += piece
    expect(text).toContain('You said: Hello there')
    expect([await stream.finishReason, Number((await stream.usage).outputTokens) > 0]).toEqual(['stop', true])
  })

  test('calls a tool and goes on with its result, whole and streamed', async () => {
    const asked = { ...once, model: model('caller'), prompt: 'Rome', tools: { weather }, stopWhen: isStepCount(3) }
    const { text, steps } = await generateText(asked)
    expect([steps.length, text]).toEqual([2, expect.stringContaining('It rains, as to Rome')])
    expect(await streamText(asked).text).toContain('It rains, as to Rome')
  })

  test('reads an object by its schema', async () => {
    harness.provider.control({ answers: [{ match: 'capital', answer: '{"city":"Lisbon"}' }] })
    const { output } = await generateText({
      ...once,
      model: model('echo'),
      prompt: 'What is the capital of Portugal?',
      output: Output.object({ schema: z.object({ city: z.string() }) }),
    })
    expect(output).toEqual({ city: 'Lisbon' })
  })

  test('is told of a limit as one that can be tried again', async () => {
    const error: unknown = await generateText({ ...once, model: model('status-429'), prompt: 'Hello' }).catch(
      (failure: unknown) => failure,
    )
    expect(APICallError.isInstance(error) && [error.statusCode, error.isRetryable]).toEqual([429, true])
  })

  test('is told of an answer that breaks off', async () => {
    const errors: unknown[] = []
    harness.provider.control({ fault: 'reset', after: 2 })
    const onError = ({ error }: { error: unknown }): void => void errors.push(error)
    await streamText({ ...once, model: model('long-50'), prompt: 'Go', onError }).consumeStream()
    expect(errors).not.toEqual([])
  })
})
