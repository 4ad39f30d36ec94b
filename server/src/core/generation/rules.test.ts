import type { ContextPlan, Retrieval } from '@atrium/contract/generation'
import { describe, expect, test } from 'vitest'
import {
  type TokenEstimate,
  answerFromEvents,
  answerReserve,
  chooseWindow,
  estimateTokens,
  planContext,
  sameWindow,
  windowToAskFor,
} from './rules.ts'
import { withoutThoughts } from './complete.ts'

describe('tokens', () => {
  test.each([
    ['', 0],
    ['four', 1],
    ['five!', 2],
    ['你好', 2],
    ['日本語 text', 3 + 2],
    ['안녕', 2],
  ])('%j is estimated as %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })
})

describe('the window', () => {
  const cloud = { contextWindow: 128_000, sizesWindow: false }
  const runtime = { contextWindow: 32_768, sizesWindow: true }
  test('is what the provider says, a requested size where it takes one, or the default', () => {
    expect(chooseWindow(cloud, { num_ctx: 4096 })).toEqual({ tokens: 128_000, source: 'provider' })
    expect(chooseWindow(runtime, { num_ctx: 4096 })).toEqual({ tokens: 4096, source: 'options' })
    expect(chooseWindow(runtime, { num_ctx: 1_000_000 })).toEqual({ tokens: 32_768, source: 'options' })
    expect(chooseWindow(runtime, {})).toEqual({ tokens: 32_768, source: 'provider' })
    expect(chooseWindow({ contextWindow: null, sizesWindow: false }, {})).toEqual({ tokens: 8192, source: 'default' })
  })

  test('keeps room for the answer, at most half of it', () => {
    expect(answerReserve(8192, {})).toBe(2048)
    expect(answerReserve(128_000, {})).toBe(4096)
    expect(answerReserve(8192, { num_predict: 100 })).toBe(100)
    expect(answerReserve(1000, { num_predict: 5000 })).toBe(500)
  })
})

interface Named extends TokenEstimate {
  readonly name: number
}
const message = (
  name: number,
  tokens: number,
  role: TokenEstimate['role'] = name % 2 ? 'assistant' : 'user',
): Named => ({
  name,
  role,
  textTokens: tokens - 4,
  attachmentTokens: 0,
  droppedImages: 0,
})

const none = () => ({ history: pulling([]).history })

/** History newest first, that counts how often it was pulled. */
const pulling = (messages: readonly Named[]) => {
  const pulled = { count: 0 }
  async function* walk(): AsyncGenerator<Named> {
    for (const one of messages) {
      pulled.count += 1
      yield one
    }
  }
  return { pulled, history: walk() }
}

describe('the plan', () => {
  const base = {
    window: { tokens: 1000, source: 'provider' as const },
    reserveTokens: 200,
    systemTokens: 50,
    summary: null,
  }

  test('takes history newest first while it fits, begins with a question, and pulls no further', async () => {
    const all = Array.from({ length: 10_000 }, (_, n) => message(9999 - n, 100))
    const { history, pulled } = pulling(all)
    const result = await planContext({ ...base, needed: [message(10_000, 100)], earlier: 10_000, history })
    if (!result.fits) throw new Error('it does not fit')
    expect(result.messages.map(({ name }) => name)).toEqual([9994, 9995, 9996, 9997, 9998, 9999, 10_000])
    expect(pulled.count).toBe(7)
    expect(result.plan).toMatchObject({ includedMessages: 7, droppedMessages: 9994, historyTokens: 700 })
  })

  test('leaves an answer away that would come first', async () => {
    const { history } = pulling([message(3, 100), message(2, 100), message(1, 450), message(0, 100)])
    const result = await planContext({ ...base, needed: [message(4, 100)], earlier: 4, history })
    if (!result.fits) throw new Error('it does not fit')
    expect(result.messages.map(({ name }) => name)).toEqual([2, 3, 4])
    expect(result.plan).toMatchObject({ droppedMessages: 2, historyTokens: 300 })
  })

  test('keeps everything where there is room, also an answer that stands at the very beginning', async () => {
    const { history } = pulling([message(1, 10)])
    const result = await planContext({ ...base, needed: [message(2, 10)], earlier: 1, history })
    expect(result.plan).toMatchObject({ includedMessages: 2, droppedMessages: 0 })
  })

  test('counts a summary and what it stands for', async () => {
    const { history } = pulling([])
    const summary = { tokens: 70, messages: 30 }
    const result = await planContext({ ...base, summary, needed: [message(30, 10)], earlier: 0, history })
    expect(result.plan).toMatchObject({ summaryTokens: 70, summarisedMessages: 30, droppedMessages: 0 })
  })

  test('does not fit when the question alone is too long, and pulls nothing then', async () => {
    const { history, pulled } = pulling([message(1, 10)])
    const result = await planContext({ ...base, needed: [message(2, 800)], earlier: 1, history })
    expect(result).toMatchObject({ fits: false, neededTokens: 1050 })
    expect(pulled.count).toBe(0)
  })

  test('counts the excerpts that go with a question, and says nothing of them where there are none', async () => {
    const found = { ...message(0, 10), excerptTokens: 300 }
    const { plan } = await planContext({ ...base, needed: [found], earlier: 0, ...none() })
    expect(plan.excerptTokens).toBe(300)
    const plain = await planContext({ ...base, needed: [message(0, 10)], earlier: 0, ...none() })
    expect(plain.plan).not.toHaveProperty('excerptTokens')
    const long = { ...found, excerptTokens: 100_000 }
    expect((await planContext({ ...base, needed: [long], earlier: 0, ...none() })).fits).toBe(false)
  })

  test('asks runtimes for a window in few steps, the same for side requests as before', async () => {
    const { history } = pulling([])
    const big = { tokens: 32_768, source: 'provider' as const }
    const model = { contextWindow: 32_768, sizesWindow: true }
    const planned = async (tokens: number) =>
      (await planContext({ ...base, window: big, needed: [message(0, tokens)], earlier: 0, history })).plan
    expect(windowToAskFor(await planned(10), big)).toBe(8192)
    expect(windowToAskFor(await planned(9000), big)).toBe(16_384)
    expect(windowToAskFor(await planned(30_000), big)).toBe(32_768)
    expect(sameWindow(model, {}, await planned(9000))).toEqual({ num_ctx: 16_384 })
    expect(sameWindow(model, {}, null)).toEqual({ num_ctx: 8192 })
    expect(sameWindow({ ...model, sizesWindow: false }, {}, null)).toEqual({})
  })
})

test('an answer is put together again from its events', () => {
  const answer = answerFromEvents([
    { type: 'start', data: { generationId: 'g', context: null } },
    { type: 'reasoning', data: { delta: 'hm' } },
    { type: 'text', data: { delta: 'a' } },
    { type: 'text', data: { delta: 'b' } },
  ])
  expect(answer).toMatchObject({ text: 'ab', reasoning: 'hm', usage: null, finishReason: null })
})

test('what was found for an answer is put together again, too', () => {
  const plan = { windowTokens: 8192 } as ContextPlan
  const retrieval = { mode: 'keyword', excerpts: 1 } as Retrieval
  const items = [{ number: 1, name: 'a.pdf', section: null, passage: 'p', score: 1 }]
  const answer = answerFromEvents([
    { type: 'start', data: { generationId: 'g', context: null } },
    { type: 'search', data: { status: 'searching', where: 'documents' } },
    { type: 'search', data: { status: 'done', where: 'documents', retrieval, context: plan } },
    { type: 'sources', data: { items } },
    { type: 'text', data: { delta: 'half' } },
  ])
  expect(answer).toMatchObject({ text: 'half', sources: items, retrieval, plan })
})

test.each([
  ['plain', 'plain'],
  ['<think>a\nb</think>\n\nTitle', 'Title'],
  ['a b</think>Title', 'Title'],
  ['Title <thinking>never ended', 'Title'],
])('thoughts are taken out of %j', (text, rest) => {
  expect(withoutThoughts(text)).toBe(rest)
})

test('a million beginnings of thoughts cost one pass', () => {
  expect(withoutThoughts(`Kites${'<think>'.repeat(1_000_000)}`)).toBe('Kites')
  expect(withoutThoughts(`${'</think>'.repeat(1_000_000)}Kites`)).toBe('Kites')
})
