import { describe, expect, test } from 'vitest'
import { modelOfId, readModelList } from './model-list.ts'

const only = (entry: object) => readModelList({ data: [{ id: 'm', ...entry }] })[0]

describe('the context window', () => {
  test.each([
    ['of the provider behind an aggregator', { context_length: 200, top_provider: { context_length: 100 } }, 100],
    ['context_length', { context_length: 8192 }, 8192],
    ['context_window', { context_window: 131_072 }, 131_072],
    ['max_context_length', { max_context_length: 32_768 }, 32_768],
    ['max_model_len', { max_model_len: 4096 }, 4096],
    ['inputTokenLimit', { inputTokenLimit: 1_000_000 }, 1_000_000],
    ['what llama.cpp runs with', { meta: { n_ctx: 2048, n_ctx_train: 8192 } }, 2048],
    ['nothing', {}, null],
    ['nonsense', { context_length: 'many' }, null],
    ['an absurd figure', { context_length: 1e30 }, null],
    ['another word for an absurd figure', { context_length: 1e30, max_model_len: 4096 }, 4096],
  ])('%s', (_, entry, tokens) => {
    expect(only(entry)?.contextWindow).toBe(tokens)
  })
})

describe('when a model was made', () => {
  test.each([
    ['seconds', { created: 1_752_500_000 }, 1_752_500_000],
    ['a date in words', { created_at: '2026-02-19T00:00:00Z' }, 1_771_459_200],
    ['nothing', {}, undefined],
    ['0, which says nothing', { created: 0 }, undefined],
    ['before all models', { created_at: '1970-01-01T00:00:00Z' }, undefined],
    ['milliseconds', { created: 1_752_500_000_000 }, undefined],
    ['an absurd figure', { created: 1e300 }, undefined],
    ['another kind', { created: { at: 1 } }, undefined],
    ['no date', { created_at: 'yesterday' }, undefined],
  ])('%s', (_, entry, seconds) => {
    expect(only(entry)?.createdAt).toBe(seconds)
  })
})

describe('what a model is for', () => {
  test.each([
    ['gpt-4o', 'chat'],
    ['text-embedding-3-large', 'embedding'],
    ['nomic-embed-text', 'embedding'],
    ['dall-e-3', 'image'],
    ['gpt-image-1', 'image'],
    ['stable-diffusion-xl', 'image'],
    ['tts-1-hd', 'tts'],
    ['gpt-4o-mini-tts', 'tts'],
    ['whisper-1', 'stt'],
    ['gpt-4o-transcribe', 'stt'],
    ['sora-2', 'video'],
    ['omni-moderation-latest', 'other'],
    ['rerank-v3', 'other'],
    ['sorano-7b', 'chat'],
    ['llama-3.3-70b-versatile', 'chat'],
    ['~vendor/model', 'chat'],
  ])('%s by its name: %s', (id, kind) => {
    expect(modelOfId(id).kind).toBe(kind)
  })

  test.each([
    [{ type: 'embeddings' }, 'embedding'],
    [{ type: 'image' }, 'image'],
    [{ type: 'llm' }, 'chat'],
    [{ architecture: { output_modalities: ['image'] } }, 'image'],
    [{ architecture: { output_modalities: ['text', 'image'] } }, 'chat'],
    [{ architecture: { output_modalities: ['audio'] } }, 'audio'],
    [{ architecture: { output_modalities: ['video'] } }, 'video'],
    [{ type: 'text-to-audio' }, 'audio'],
    [{ capabilities: { completion_chat: false } }, 'other'],
  ])('%o by its entry: %s', (entry, kind) => {
    expect(only(entry)?.kind).toBe(kind)
  })
})

test('a model that writes and draws is listed for both', () => {
  expect(only({ architecture: { output_modalities: ['text', 'image'] } })).toMatchObject({
    kind: 'chat',
    also: ['image'],
  })
  expect(only({})).not.toHaveProperty('also')
})

describe('features', () => {
  test('are read where they are said, and null where nobody says', () => {
    expect(only({ supported_parameters: ['tools', 'reasoning'] })).toMatchObject({
      tools: true,
      thinking: true,
      vision: null,
    })
    expect(only({ supported_parameters: ['temperature'] })).toMatchObject({ tools: false, thinking: false })
    expect(only({ capabilities: { function_calling: true, vision: false } })).toMatchObject({
      tools: true,
      vision: false,
    })
    expect(only({ capabilities: ['tool_use', 'vision'] })).toMatchObject({ tools: true, vision: true })
    expect(only({ architecture: { input_modalities: ['text', 'image'] } })?.vision).toBe(true)
    expect(only({ type: 'vlm' })?.vision).toBe(true)
    expect(only({})).toMatchObject({ tools: null, thinking: null, vision: null })
    expect(modelOfId('deepseek-r1:8b').thinking).toBe(true)
    expect(modelOfId('qwen2.5-vl-7b').vision).toBe(true)
  })
})

describe('the list itself', () => {
  test('takes a bare array, leaves out what has no sound id, and each id once', () => {
    const list = readModelList([
      { id: 'a' },
      { id: 'a' },
      { id: '' },
      { id: 7 },
      null,
      { id: '../x' },
      { id: 'b\u0000' },
      { id: '@cf/b' },
    ])
    expect(list.map((model) => model.id)).toEqual(['a', '@cf/b'])
  })

  test.each([[null], [{}], [{ data: [] }], [{ data: 'x' }], ['text'], [{ error: { message: 'sk-secret' } }]])(
    'refuses %o as nothing usable',
    (answer) => {
      expect(() => readModelList(answer)).toThrow(/listed no models/)
    },
  )
})
