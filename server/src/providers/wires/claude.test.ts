import { expect, test } from 'vitest'
import {
  thinksAdaptively,
  claudeOf,
  closedSchema,
  outputCeiling,
  samplingOf,
  takesSchema,
  thinkingOf,
} from './claude.ts'

test.each([
  ['claude-3-haiku-20240307', 300, 'haiku'],
  ['claude-3-5-sonnet-latest', 305, 'sonnet'],
  ['claude-3-7-sonnet-20250219', 307, 'sonnet'],
  ['claude-opus-4-20250514', 400, 'opus'],
  ['claude-opus-4-1-20250805', 401, 'opus'],
  ['claude-sonnet-4-5-20250929', 405, 'sonnet'],
  ['claude-opus-4-6', 406, 'opus'],
  ['claude-sonnet-5', 500, 'sonnet'],
  ['claude-fable-5-2', 502, 'fable'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 405, 'sonnet'],
  ['anthropic/claude-opus-4.6', 406, 'opus'],
  ['claude-sonnet-4@20250514', 400, 'sonnet'],
  ['claude-mythos-preview', 999, 'mythos'],
  ['kimi-k2', null, ''],
])('%s is read as %s of the family %s', (model, version, family) => {
  expect(claudeOf(model)).toEqual({ version, family })
})

test.each([
  ['claude-3-haiku-20240307', 4096, false, false],
  ['claude-3-5-haiku-latest', 8192, false, false],
  ['claude-opus-4-1', 32_000, true, false],
  ['claude-sonnet-4-20250514', 64_000, false, false],
  ['claude-haiku-4-5', 64_000, true, false],
  ['claude-opus-4-5', 64_000, true, false],
  ['claude-sonnet-5', 128_000, true, true],
  ['other', null, false, false],
])('%s writes at most %s tokens; by schema: %s; adapts its thinking: %s', (model, ceiling, schema, adaptive) => {
  const claude = claudeOf(model)
  expect([outputCeiling(claude), takesSchema(claude), thinksAdaptively(claude)]).toEqual([ceiling, schema, adaptive])
})

const enabled = (budget_tokens: number) => ({ type: 'enabled', budget_tokens })
const adaptive = { type: 'adaptive', display: 'summarized' }

test.each([
  ['claude-sonnet-4-5', {}, { max_tokens: 16_384 }],
  ['claude-3-haiku-20240307', {}, { max_tokens: 4096 }],
  ['claude-opus-5', {}, { max_tokens: 32_000, thinking: adaptive }],
  ['claude-opus-4-8', {}, { max_tokens: 32_000 }],
  ['other', {}, { max_tokens: 8192 }],
  ['claude-sonnet-4-5', { num_predict: 100 }, { max_tokens: 100 }],
  ['claude-3-5-haiku-latest', { num_predict: 100_000 }, { max_tokens: 8192 }],
  ['claude-sonnet-4-5', { think: true }, { max_tokens: 24_576, thinking: enabled(8192) }],
  ['claude-sonnet-4-5', { think: 'low' }, { max_tokens: 18_432, thinking: enabled(2048) }],
  ['claude-sonnet-4-5', { think: 'medium' }, { max_tokens: 24_576, thinking: enabled(8192) }],
  ['claude-sonnet-4-5', { think: 'high' }, { max_tokens: 32_768, thinking: enabled(16_384) }],
  ['claude-sonnet-4-5', { think: 'low', num_predict: 10 }, { max_tokens: 3072, thinking: enabled(2048) }],
  ['claude-opus-4-1', { think: 'high', num_predict: 30_000 }, { max_tokens: 32_000, thinking: enabled(16_384) }],
  ['claude-sonnet-4-5', { think: false }, { max_tokens: 16_384 }],
  ['claude-opus-4-7', { think: true }, { max_tokens: 32_000, thinking: adaptive }],
  ['claude-opus-4-7', { think: 'low' }, { max_tokens: 32_000, thinking: adaptive, effort: 'low' }],
  ['claude-sonnet-5', { think: false }, { max_tokens: 32_000, thinking: { type: 'disabled' } }],
  ['claude-fable-5', { think: false }, { max_tokens: 32_000 }],
  ['claude-opus-5-5', { think: false }, { max_tokens: 32_000 }],
] as const)('%s with %j asks for %j', (model, options, asked) => {
  expect(thinkingOf(model, options, true)).toEqual(asked)
})

test('a request that does not allow thinking does without', () => {
  expect(thinkingOf('claude-sonnet-4-5', { think: 'high' }, false)).toEqual({ max_tokens: 16_384 })
  expect(thinkingOf('claude-opus-5', { think: 'high' }, false)).toMatchObject({ thinking: { type: 'disabled' } })
})

test.each([
  [
    'claude-3-5-sonnet-latest',
    { temperature: 1.6, top_p: 0.9, top_k: 40 },
    false,
    { temperature: 1, top_p: 0.9, top_k: 40 },
  ],
  ['claude-sonnet-4-5', { temperature: 0.2, top_p: 0.9 }, false, { temperature: 0.2 }],
  ['claude-sonnet-4-5', { top_p: 0.9 }, false, { top_p: 0.9 }],
  ['claude-sonnet-4-5', { temperature: 0.2 }, true, {}],
  ['claude-opus-4-7', { temperature: 0.2 }, false, {}],
])('%s takes of %j (thinking: %s) %j', (model, options, thinking, taken) => {
  expect(samplingOf(model, options, thinking)).toEqual(taken)
})

test('a schema is closed, and freed of what the API refuses', () => {
  const schema = {
    type: 'object',
    properties: {
      minimum: { type: 'integer', minimum: 1, maximum: 5 },
      tags: { type: 'array', minItems: 2, maxItems: 9, items: { type: 'object', properties: {} } },
      kind: { enum: ['minimum', 'maximum'] },
    },
    $defs: { inner: { type: 'object', properties: { a: { type: 'string', minLength: 1 } } } },
  }
  expect(closedSchema(schema)).toEqual({
    type: 'object',
    properties: {
      minimum: { type: 'integer' },
      tags: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false } },
      kind: { enum: ['minimum', 'maximum'] },
    },
    $defs: { inner: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false } },
    additionalProperties: false,
  })
})
