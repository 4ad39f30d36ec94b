import { expect, test } from 'vitest'
import { readModelList } from './model-list.ts'

test('reads the list of Gemini, with what it tells of each model', () => {
  const models = readModelList({
    models: [
      {
        name: 'models/gemini-2.5-flash',
        displayName: 'Gemini 2.5 Flash',
        inputTokenLimit: 1_048_576,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
        thinking: true,
      },
      { name: 'models/gemini-2.5-flash-preview-tts', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/gemini-embedding-001', inputTokenLimit: 2048, supportedGenerationMethods: ['embedContent'] },
      { name: 'models/imagen-4.0-generate-001', supportedGenerationMethods: ['predict'] },
      { name: 'models/veo-3.0-generate-001', supportedGenerationMethods: ['predictLongRunning'] },
      { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
      { name: 'models/gemini-live-2.5', supportedGenerationMethods: ['bidiGenerateContent'] },
      { displayName: 'no name' },
    ],
    nextPageToken: 'more',
  })
  expect(models.map(({ id, kind }) => [id, kind])).toEqual([
    ['gemini-2.5-flash', 'chat'],
    ['gemini-2.5-flash-preview-tts', 'tts'],
    ['gemini-embedding-001', 'embedding'],
    ['imagen-4.0-generate-001', 'image'],
    ['veo-3.0-generate-001', 'video'],
    ['aqa', 'other'],
    ['gemini-live-2.5', 'other'],
  ])
  expect(models[0]).toMatchObject({ contextWindow: 1_048_576, vision: true, thinking: true })
})

test('reads the list of Bedrock, with ids that can be called', () => {
  const entry = (modelId: string, extra: object = {}) => ({
    modelArn: `arn:aws:bedrock:eu-central-1::foundation-model/${modelId}`,
    modelId,
    inputModalities: ['TEXT'],
    outputModalities: ['TEXT'],
    inferenceTypesSupported: ['ON_DEMAND'],
    ...extra,
  })
  const models = readModelList({
    modelSummaries: [
      entry('amazon.nova-lite-v1:0', { inputModalities: ['TEXT', 'IMAGE', 'VIDEO'] }),
      entry('anthropic.claude-sonnet-4-5-20250929-v1:0', { inferenceTypesSupported: ['INFERENCE_PROFILE'] }),
      entry('amazon.titan-embed-text-v2:0', { outputModalities: ['EMBEDDING'] }),
      entry('amazon.nova-canvas-v1:0', { outputModalities: ['IMAGE'] }),
    ],
  })
  expect(models.map(({ id, kind, vision }) => [id, kind, vision])).toEqual([
    ['amazon.nova-lite-v1:0', 'chat', true],
    ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'chat', false],
    ['amazon.titan-embed-text-v2:0', 'embedding', false],
    ['amazon.nova-canvas-v1:0', 'image', false],
  ])
})

test('a list of another shape is no list', () => {
  expect(() => readModelList({ models: 'all' })).toThrow('listed no models')
  expect(() => readModelList({ items: [] })).toThrow('listed no models')
})
