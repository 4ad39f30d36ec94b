import { expect, test } from 'vitest'
import { readOrder, rerankPassages, rewriteQuestion } from './model-steps.ts'

const signal = new AbortController().signal

test('an order is read from what a model wrote, and what it left out stays behind', () => {
  const cases: [string, number, number[] | null][] = [
    ['[2, 1, 3]', 3, [1, 0, 2]],
    ['Sure! Here is the order:\n```json\n[3,1]\n```', 3, [2, 0, 1]],
    ['{"order": [2]}', 3, [1, 0, 2]],
    ['[2] is best, then [3]', 3, [1, 2, 0]],
    ['2, 3, 1', 3, [1, 2, 0]],
    ['[9, 2, 2, 0]', 3, [1, 0, 2]],
    ['I cannot say.', 3, null],
    ['[7]', 3, null],
  ]
  for (const [answer, count, order] of cases) expect(readOrder(answer, count), answer).toEqual(order)
})

test('a question is read from its first line, without quotation marks', async () => {
  const said = (answer: string) =>
    rewriteQuestion(async () => answer, 'And it?', [{ role: 'user', text: 'The pump?' }], signal)
  expect(await said('\n“How long does the pump last?”\nBecause …')).toBe('How long does the pump last?')
  expect(await said('Question: How long?')).toBe('How long?')
  await expect(said(' \n ')).rejects.toThrow()
})

test('a model sees a bounded stretch of the conversation and of every passage', async () => {
  const seen: string[] = []
  const ask = async (_system: string, text: string) => {
    seen.push(text)
    return '[1]'
  }
  const long = 'word '.repeat(10_000)
  await rewriteQuestion(
    ask,
    'And it?',
    Array.from({ length: 50 }, () => ({ role: 'user' as const, text: long })),
    signal,
  )
  await rerankPassages(
    ask,
    long,
    Array.from({ length: 12 }, () => long),
    signal,
  )
  for (const text of seen) expect(text.length).toBeLessThan(12_000)
})
