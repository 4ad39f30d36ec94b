import type { ModelVisibility } from '@atrium/contract/local-runtime'
import type { Model, ModelList } from '@atrium/contract/connections'
import { expect, test } from 'vitest'
import { applyVisibility } from './model-visibility.ts'

const model = (providerId: string | null, name: string): Model => ({
  selection: { providerType: providerId === null ? 'local' : 'plugin', providerId, model: name },
  name,
  providerName: providerId ?? 'Ollama',
  contextWindow: null,
  features: [],
  capabilities: ['chat'],
  price: null,
  firstTokenMs: null,
  errorShare: null,
  local: providerId === null,
  sizeBytes: null,
})
const provider = (providerId: string | null, modelCount: number): ModelList['providers'][number] => ({
  providerType: providerId === null ? 'local' : 'plugin',
  providerId,
  name: providerId ?? 'Ollama',
  modelCount,
  state: 'ready',
  detail: null,
})
const list: ModelList = {
  items: [model(null, 'echo:latest'), model(null, 'long:latest'), model('cloud', 'long:latest'), model('cloud', 'big')],
  providers: [provider(null, 2), provider('cloud', 2)],
  fallback: { selection: model(null, 'echo:latest').selection, because: 'first-connected' },
}
const none = { defaultModel: null, recentModels: [] }
const set = (change: Partial<ModelVisibility>): ModelVisibility => ({
  hidden: [],
  order: [],
  starred: [],
  metadata: {},
  ...change,
})
const keys = ({ items }: ModelList) => items.map(({ selection: s }) => `${s.providerId ?? ''}/${s.model}`)

test('what nobody set is shown as it came', () => {
  expect(applyVisibility(list, set({}), false, none)).toEqual(list)
})

test('what is hidden is shown to administrators alone, and marked for them', () => {
  const visibility = set({ hidden: ['long:latest', 'cloud/big', 'gone'] })
  const seen = applyVisibility(list, visibility, false, none)
  expect(keys(seen)).toEqual(['/echo:latest', 'cloud/long:latest'])
  expect(seen.providers.map(({ modelCount }) => modelCount)).toEqual([1, 1])
  const all = applyVisibility(list, visibility, true, none)
  expect(all.items.filter(({ hidden }) => hidden).map(({ name }) => name)).toEqual(['long:latest', 'big'])
  expect(all.items).toHaveLength(4)
})

test('what is recommended comes first, then what has a place, then the rest as it came', () => {
  const visibility = set({ order: ['cloud/big', 'cloud/long:latest'], starred: ['long:latest', 'cloud/long:latest'] })
  const seen = applyVisibility(list, visibility, false, none)
  expect(keys(seen)).toEqual(['cloud/long:latest', '/long:latest', 'cloud/big', '/echo:latest'])
  expect(seen.items.map(({ starred }) => starred === true, none)).toEqual([true, true, false, false])
})

test('a model is called as the instance calls it, and chosen by its own name', () => {
  const { items } = applyVisibility(
    list,
    set({ metadata: { 'cloud/big': { label: 'The big one' }, 'echo:latest': {} } }),
    false,
    none,
  )
  expect(items[3]).toMatchObject({ name: 'The big one', selection: { model: 'big' } })
  expect(items[0]?.name).toBe('echo:latest')
})

test('a new chat starts with what is shown: the own default, or the first', () => {
  const hidden = set({ hidden: ['echo:latest'] })
  expect(applyVisibility(list, hidden, false, none).fallback).toMatchObject({ selection: { model: 'long:latest' } })
  expect(applyVisibility(list, hidden, true, none).fallback).toMatchObject({ selection: { model: 'long:latest' } })
  const own = { defaultModel: model('cloud', 'big').selection, recentModels: [] }
  const kept = { selection: own.defaultModel, because: 'own-default' }
  expect(applyVisibility(list, set({ order: ['long:latest'] }), false, own).fallback).toEqual(kept)
  expect(applyVisibility(list, set({ hidden: ['cloud/big'] }), true, own).fallback).toEqual(kept)
  expect(applyVisibility(list, set({ hidden: ['cloud/big'] }), false, own).fallback?.because).toBe('first-connected')
  const used = { defaultModel: null, recentModels: ['plugin:cloud:big', 'plugin:cloud:long:latest'] }
  expect(applyVisibility(list, set({}), false, used).fallback).toMatchObject({
    selection: { model: 'big' },
    because: 'last-used',
  })
  const without = applyVisibility(list, set({ hidden: ['cloud/big'] }), false, used)
  expect(without.fallback).toMatchObject({
    selection: { providerId: 'cloud', model: 'long:latest' },
    because: 'last-used',
  })
})
