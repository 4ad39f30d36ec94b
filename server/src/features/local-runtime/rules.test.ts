import { describe, expect, test } from 'vitest'
import { createTotals, plainBaseUrl } from './rules.ts'

test('the pieces of a download are added up', () => {
  const totals = createTotals()
  const of = (status: string, digest: string | null, completed = 0, total: number | null = null) =>
    totals({ status, digest, completed, total })
  expect(of('pulling manifest', null)).toEqual({ current: 0, total: null, message: 'pulling manifest' })
  expect(of('pulling abc', 'abc', 10, 100)).toEqual({ current: 10, total: 100, message: 'pulling' })
  expect(of('pulling def', 'def', 5, 50)).toEqual({ current: 15, total: 150, message: 'pulling' })
  expect(of('pulling abc', 'abc', 100, 100)).toEqual({ current: 105, total: 150, message: 'pulling' })
  expect(of('success', null)).toEqual({ current: 105, total: 150, message: 'success' })
})

describe('the base address', () => {
  test.each([
    ['http://localhost:11434', 'http://localhost:11434'],
    ['http://localhost:11434/', 'http://localhost:11434'],
    ['https://models.example/ollama/', 'https://models.example/ollama'],
  ])('%s is kept as %s', (written, plain) => {
    expect(plainBaseUrl(written)).toBe(plain)
  })

  test.each(['localhost:11434', 'ftp://x', 'http://me:pw@x', 'http://x/?q=1', ''])('%o is refused', (written) => {
    expect(() => plainBaseUrl(written)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
  })

  test('a network that is never called is refused', () => {
    expect(() => plainBaseUrl('http://169.254.169.254')).toThrow(expect.objectContaining({ code: 'url_not_allowed' }))
  })
})
