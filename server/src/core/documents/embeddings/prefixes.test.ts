import { expect, test } from 'vitest'
import { withPassagePrefix, withQueryPrefix } from './prefixes.ts'

test('models that were trained with words before a text get them, others do not', () => {
  const cases: [string, string, string][] = [
    ['nomic-embed-text:latest', 'search_query: x', 'search_document: x'],
    ['intfloat/multilingual-e5-large', 'query: x', 'passage: x'],
    ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: x', 'x'],
    ['text-embedding-3-small', 'x', 'x'],
    ['bge-m3', 'x', 'x'],
  ]
  for (const [model, question, passage] of cases)
    expect([withQueryPrefix(model, 'x'), withPassagePrefix(model, 'x')], model).toEqual([question, passage])
})
