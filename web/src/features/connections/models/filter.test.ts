import type { Model } from '@atrium/contract/connections'
import { expect, test } from 'vitest'
import { asTheyCome } from '../../../blocks/model-visibility/change.ts'
import { countStates, filterModels } from './filter.ts'

const model = (providerId: string | null, name: string, price: Model['price'] = null): Model => ({
  selection: { providerType: providerId === null ? 'local' : 'plugin', providerId, model: name },
  name,
  providerName: providerId ?? 'Ollama',
  contextWindow: null,
  features: [],
  capabilities: ['chat'],
  price,
  firstTokenMs: null,
  errorShare: null,
  local: providerId === null,
  sizeBytes: null,
})
const models = [model(null, 'echo'), model('cloud', 'big', { input: 1, output: 2 }), model('cloud', 'small')]
const visibility = {
  ...asTheyCome,
  hidden: ['echo'],
  starred: ['cloud/small'],
  metadata: { 'cloud/big': { label: 'The giant' } },
  groups: { 'cloud/big': ['staff'] },
}
const names = (filter: Partial<Parameters<typeof filterModels>[2]>) =>
  filterModels(models, visibility, { words: '', provider: 'all', state: 'all', ...filter }).map(({ name }) => name)

test('models are found by their names, their own and those that people see, and by their provider', () => {
  expect(names({})).toEqual(['small', 'echo', 'big'])
  expect(names({ words: 'giant' })).toEqual(['big'])
  expect(names({ words: 'cloud' })).toEqual(['small', 'big'])
  expect(names({ provider: '' })).toEqual(['echo'])
  expect(names({ provider: 'cloud', words: 'sm' })).toEqual(['small'])
})

test('and by how they are shown', () => {
  expect(names({ state: 'hidden' })).toEqual(['echo'])
  expect(names({ state: 'shown' })).toEqual(['small', 'big'])
  expect(names({ state: 'recommended' })).toEqual(['small'])
  expect(names({ state: 'groups' })).toEqual(['big'])
  // A model of this machine has no price to set.
  expect(names({ state: 'unpriced' })).toEqual(['small'])
  expect(countStates(models, visibility)).toEqual({
    all: 3,
    shown: 2,
    hidden: 1,
    recommended: 1,
    groups: 1,
    unpriced: 1,
  })
})
