import { expect, test } from 'vitest'
import { joinAnswers, splitAsk } from './portions.ts'

test('texts are asked for in portions, and come back as one', () => {
  const input = Array.from({ length: 200 }, (_, at) => String(at))
  const asked = splitAsk('embedding', { input, dimensions: 8 }, {}, null)
  expect(asked.map((ask) => [ask.input.length, ask.input[0], ask.dimensions])).toEqual([
    [96, '0', 8],
    [96, '96', 8],
    [8, '192', 8],
  ])
  const answers = [
    { vectors: [[1], [2]], inputTokens: 3 },
    { vectors: [[3]], inputTokens: null },
  ]
  expect(joinAnswers('embedding', answers, asked)).toEqual({ vectors: [[1], [2], [3]], inputTokens: 3 })
})

test.each([
  ['one at a time', { supports_n: false, max_n: 4 }, 3, [1, 1, 1]],
  ['as many as it says', { max_n: 4 }, 9, [4, 4, 1]],
  ['all at once', {}, 9, [9]],
  ['one, where nobody says', { max_n: 4 }, undefined, [1]],
])('pictures are asked for %s', (_, config, count, counts) => {
  expect(splitAsk('image', { prompt: 'A boat', count }, config, null).map((ask) => ask.count)).toEqual(counts)
})

test('pictures are asked for one at a time where the format gives no more', () => {
  const asked = splitAsk('image', { prompt: 'A boat', count: 3 }, { max_n: 4 }, 1)
  expect(asked.map((ask) => ask.count)).toEqual([1, 1, 1])
})

test('what nobody counted has no sum', () => {
  const none = { pictures: [], missing: null, inputTokens: null, outputTokens: null }
  expect(joinAnswers('image', [none, none], [])).toEqual(none)
})
