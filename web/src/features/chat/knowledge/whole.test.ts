import { describe, expect, it } from 'vitest'
import { tokensOf, wholeLimit } from './whole.ts'

describe('documents that are sent whole', () => {
  it('count when they are read', () => {
    const documents = [
      { processingStatus: 'completed', tokens: 1200 },
      { processingStatus: 'completed', tokens: 300 },
      { processingStatus: 'processing', tokens: 9000 },
      { processingStatus: 'failed', tokens: 0 },
    ] as const
    expect(tokensOf(documents)).toBe(1500)
  })

  it('have the limit of the server, or of the window that the last answer had', () => {
    expect(wholeLimit(48_000, [])).toBe(48_000)
    const retrieval = (limit?: number) => ({
      mode: 'keyword',
      query: 'x',
      documents: 1,
      excerpts: 1,
      tokens: 1,
      nothingMatched: false,
      asked: true,
      nearest: [],
      notes: limit === undefined ? [] : [{ code: 'full_too_large', count: 90_000, limit }],
    })
    const limitAfter = (...limits: (number | undefined)[]) =>
      wholeLimit(48_000, [
        ...limits.map((limit) => ({ retrieval: retrieval(limit) as never })),
        { retrieval: null },
        {},
      ])
    expect(limitAfter(64_000, 8000)).toBe(8000)
    expect(limitAfter(8000, 64_000)).toBe(48_000)
    expect(limitAfter(8000, undefined)).toBe(48_000)
  })
})
