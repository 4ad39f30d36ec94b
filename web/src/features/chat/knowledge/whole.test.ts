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

  it('have the limit that the server named last', () => {
    expect(wholeLimit([])).toBe(32_000)
    const retrieval = (limit: number) => ({
      ...{ mode: 'keyword', query: 'x', documents: 1, excerpts: 1, tokens: 1, nothingMatched: false, asked: true },
      ...{ nearest: [], notes: [{ code: 'full_too_large', count: 90_000, limit }] },
    })
    const messages = [retrieval(8000), retrieval(64_000)].map((of) => ({ retrieval: of as never }))
    expect(wholeLimit([...messages, { retrieval: null }, {}])).toBe(64_000)
  })
})
