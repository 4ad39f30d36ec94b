import Anthropic from '@anthropic-ai/sdk'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { usageRoutes } from '@atrium/contract/usage'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
beforeAll(async () => {
  harness = await startPublicApi()
})
afterAll(() => harness?.close())

const messages = [{ role: 'user' as const, content: 'How high do kites fly?' }]
const totals = async () => (await harness.admin.call(usageRoutes.report, { query: {} })).totals

test('every call through /v1 is counted once, with its tokens, however it was answered', async () => {
  const openai = harness.openai()
  const anthropic = harness.anthropic()
  for (const provider of Object.values(providerOfWire)) {
    const model = `${provider}/echo`
    await openai.chat.completions.create({ model, messages })
    await openai.chat.completions.stream({ model, messages }).finalChatCompletion()
    await openai.responses.create({ model, input: 'Hello' })
    await anthropic.messages.stream({ model, messages, max_tokens: 100 }).finalMessage()
  }
  const calls = 4 * Object.keys(providerOfWire).length
  await expect.poll(async () => (await totals()).calls).toBe(calls)
  expect(await totals()).toMatchObject({ successfulCalls: calls, meteredCalls: calls, errors: 0 })
})

test('a token whose budget is used up is refused before the provider is asked, in the shape of its client', async () => {
  const body = { name: 'small', scopes: ['inference' as const] }
  const { token, record } = await harness.admin.call(apiTokensRoutes.createToken, { body })
  const principal = { principalType: 'token' as const, principalId: record.id }
  const terms = { unit: 'tokens' as const, amount: '5', period: 'daily' as const, mode: 'block' as const }
  await harness.admin.call(usageRoutes.addBudget, { body: { name: 'Five', ...principal, ...terms } })
  for (const provider of Object.values(providerOfWire)) {
    const model = `${provider}/echo`
    const asked = harness.provider.requests.length
    const limit = { model, messages, max_tokens: 100 }
    const foreign = await harness
      .openai(token)
      .chat.completions.create(limit)
      .catch((error: unknown) => error)
    expect(foreign, model).toBeInstanceOf(OpenAI.RateLimitError)
    expect(foreign, model).toMatchObject({ code: 'insufficient_quota' })
    const other = await harness
      .anthropic(token)
      .messages.create(limit)
      .catch((error: unknown) => error)
    expect(other, model).toBeInstanceOf(Anthropic.RateLimitError)
    expect(harness.provider.requests.length, model).toBe(asked)
  }
  // Nobody else is held to it.
  expect((await harness.openai().chat.completions.create({ model: 'chat/echo', messages })).choices).toHaveLength(1)
})
