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
  groups: {},
  defaultModel: null,
  ...change,
})
const member = { isAdministrator: false, groupIds: [] }
const admin = { isAdministrator: true, groupIds: [] }
const keys = ({ items }: ModelList) => items.map(({ selection: s }) => `${s.providerId ?? ''}/${s.model}`)

test('what nobody set is shown as it came', () => {
  expect(applyVisibility(list, set({}), member, none)).toEqual(list)
})

test('what is hidden is shown to administrators alone, and marked for them', () => {
  const visibility = set({ hidden: ['long:latest', 'cloud/big', 'gone'] })
  const seen = applyVisibility(list, visibility, member, none)
  expect(keys(seen)).toEqual(['/echo:latest', 'cloud/long:latest'])
  expect(seen.providers.map(({ modelCount }) => modelCount)).toEqual([1, 1])
  const all = applyVisibility(list, visibility, admin, none)
  expect(all.items.filter(({ hidden }) => hidden).map(({ name }) => name)).toEqual(['long:latest', 'big'])
  expect(all.items).toHaveLength(4)
})

test('what is recommended comes first, then what has a place, then the rest as it came', () => {
  const visibility = set({ order: ['cloud/big', 'cloud/long:latest'], starred: ['long:latest', 'cloud/long:latest'] })
  const seen = applyVisibility(list, visibility, member, none)
  expect(keys(seen)).toEqual(['cloud/long:latest', '/long:latest', 'cloud/big', '/echo:latest'])
  expect(seen.items.map(({ starred }) => starred === true, none)).toEqual([true, true, false, false])
})

test('a model is called as the instance calls it, and chosen by its own name', () => {
  const { items } = applyVisibility(
    list,
    set({ metadata: { 'cloud/big': { label: 'The big one' }, 'echo:latest': {} } }),
    member,
    none,
  )
  expect(items[3]).toMatchObject({ name: 'The big one', selection: { model: 'big' } })
  expect(items[0]?.name).toBe('echo:latest')
})

test('a new chat starts with what is shown: the own default, or the first', () => {
  const hidden = set({ hidden: ['echo:latest'] })
  expect(applyVisibility(list, hidden, member, none).fallback).toMatchObject({ selection: { model: 'long:latest' } })
  expect(applyVisibility(list, hidden, admin, none).fallback).toMatchObject({ selection: { model: 'long:latest' } })
  const own = { defaultModel: model('cloud', 'big').selection, recentModels: [] }
  const kept = { selection: own.defaultModel, because: 'own-default' }
  expect(applyVisibility(list, set({ order: ['long:latest'] }), member, own).fallback).toEqual(kept)
  expect(applyVisibility(list, set({ hidden: ['cloud/big'] }), admin, own).fallback).toEqual(kept)
  expect(applyVisibility(list, set({ hidden: ['cloud/big'] }), member, own).fallback?.because).toBe('first-connected')
  const used = { defaultModel: null, recentModels: ['plugin:cloud:big', 'plugin:cloud:long:latest'] }
  expect(applyVisibility(list, set({}), member, used).fallback).toMatchObject({
    selection: { model: 'big' },
    because: 'last-used',
  })
  const without = applyVisibility(list, set({ hidden: ['cloud/big'] }), member, used)
  expect(without.fallback).toMatchObject({
    selection: { providerId: 'cloud', model: 'long:latest' },
    because: 'last-used',
  })
})

test('new chats start with the instance’s default, unless somebody chose or used another model', () => {
  const visibility = set({ defaultModel: model('cloud', 'big').selection })
  const start = (preferences: Parameters<typeof applyVisibility>[3], change: Partial<ModelVisibility> = {}) =>
    applyVisibility(list, { ...visibility, ...change }, member, preferences).fallback
  expect(start(none)).toEqual({ selection: visibility.defaultModel, because: 'instance-default' })
  expect(start({ defaultModel: null, recentModels: ['local::echo:latest'] })?.because).toBe('last-used')
  expect(start({ defaultModel: model(null, 'long:latest').selection, recentModels: [] })?.because).toBe('own-default')
  expect(start(none, { hidden: ['cloud/big'] })?.because).toBe('first-connected')
})

test('what the environment names stands over the default that was set, where one model can be meant', () => {
  const start = (fixedModel: string, change: Partial<ModelVisibility> = {}) => {
    const visibility = set({ defaultModel: model('cloud', 'big').selection, ...change })
    return applyVisibility(list, { ...visibility, fixedModel }, member, none).fallback
  }
  const local = { selection: model(null, 'long:latest').selection, because: 'instance-default' }
  // By key it is the local runtime's; a connection has one of the same name.
  expect(start('long:latest')).toEqual(local)
  expect(start('long')).toEqual(local)
  expect(start('cloud/long')?.selection).toMatchObject({ providerId: 'cloud', model: 'long:latest' })
  expect(start('big')?.selection).toMatchObject({ providerId: 'cloud', model: 'big' })
  expect(start('gone')?.because).toBe('first-connected')
  expect(start('big', { hidden: ['cloud/big'] })?.because).toBe('first-connected')
})

test('a model for groups is seen by their members and by administrators', () => {
  const visibility = set({ groups: { 'cloud/big': ['staff'], 'echo:latest': ['guests', 'staff'] } })
  expect(keys(applyVisibility(list, visibility, member, none))).toEqual(['/long:latest', 'cloud/long:latest'])
  const guest = { isAdministrator: false, groupIds: ['guests'] }
  expect(keys(applyVisibility(list, visibility, guest, none))).toContain('/echo:latest')
  expect(applyVisibility(list, visibility, admin, none).items).toHaveLength(4)
})
