import { expect, test } from 'vitest'
import type { CostOf } from '../../../core/generation/index.ts'
import type { Part, Turn } from '../../../providers/types.ts'
import { askWithin } from './cost-limit.ts'

/** A token costs a thousandth, of whichever kind. */
const costOf: CostOf = ({ inputTokens, outputTokens }) => ({
  amount: (((inputTokens ?? 0) + (outputTokens ?? 0)) / 1000).toFixed(3),
  currency: 'EUR',
})
const turn = { messages: [] } as unknown as Turn
const words = (count: number): Part => ({ type: 'text', delta: 'word '.repeat(count) })
const usage = (inputTokens: number, outputTokens: number): Part => ({ type: 'usage', inputTokens, outputTokens })
const says = (...parts: Part[]) =>
  async function* () {
    for (const part of parts) yield [part]
  }
const read = async (asked: AsyncIterable<readonly Part[]>): Promise<{ parts: Part[]; code: string | null }> => {
  const parts: Part[] = []
  try {
    for await (const some of asked) parts.push(...some)
    return { parts, code: null }
  } catch (error) {
    return { parts, code: (error as { code?: string }).code ?? String(error) }
  }
}
const signal = new AbortController().signal

test('a model is asked again for one answer until that has cost as much as it may', async () => {
  let asked = 0
  const ask = askWithin('0.1', costOf, () => {
    asked += 1
    return says(words(3), usage(30, 20))()
  })
  for (const code of [null, null, 'cost_limit', 'cost_limit']) expect((await read(ask(turn, signal))).code).toBe(code)
  expect(asked).toBe(2)
})

test('an answer that passes it while it is written is stopped there, and says what it used', async () => {
  const many = Array.from({ length: 50 }, () => words(100))
  const { parts, code } = await read(askWithin('1', costOf, says(...many))(turn, signal))
  expect(code).toBe('cost_limit')
  expect(parts.length).toBeLessThan(30)
  const told = parts.at(-1)
  expect(told?.type === 'usage' && told.outputTokens).toBeGreaterThan(1000)
  expect(told?.type === 'usage' && told.outputTokens).toBeLessThan(1200)
})

test('without a price there is no bound, and what ends within it ends as it does', async () => {
  expect(await read(askWithin('0', () => null, says(words(5000)))(turn, signal))).toMatchObject({ code: null })
  expect(await read(askWithin('9', costOf, says(words(500), usage(1, 500)))(turn, signal))).toMatchObject({
    code: null,
  })
  expect(await read(askWithin('0', costOf, says(words(1)))(turn, signal))).toEqual({ parts: [], code: 'cost_limit' })
})
