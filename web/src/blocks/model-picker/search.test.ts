import type { Model } from '@atrium/contract/connections'
import { describe, expect, it } from 'vitest'
import { modelKey, unavailableReason } from '../models.ts'
import { countSections, featuresOffered, missingChoices, filterModels } from './search.ts'

const model = (id: string, provider = 'p1', more: Partial<Model> = {}): Model => ({
  selection: { providerType: 'plugin', providerId: provider, model: id },
  name: id,
  providerName: provider,
  contextWindow: null,
  features: [],
  capabilities: ['chat'],
  price: null,
  firstTokenMs: null,
  errorShare: null,
  local: false,
  sizeBytes: null,
  ...more,
})
const all = { words: '', features: [], section: 'all' }
const names = (models: Model[]) => models.map((m) => m.name)

describe('finding a model', () => {
  const models = [
    model('gpt-4o'),
    model('gpt-4o-mini'),
    model('llama3.2', 'p2', { features: ['tools'], local: true }),
    model('mini-gpt'),
  ]

  it('takes words from name, id and provider, in any order', () => {
    expect(names(filterModels(models, { ...all, words: 'mini 4o' }, [], []))).toEqual(['gpt-4o-mini'])
    expect(names(filterModels(models, { ...all, words: 'p2 llama' }, [], []))).toEqual(['llama3.2'])
  })
  it('puts what begins with the word first', () => {
    expect(names(filterModels(models, { ...all, words: 'mini' }, [], []))[0]).toBe('mini-gpt')
  })
  it('forgives left-out letters', () => {
    expect(names(filterModels(models, { ...all, words: 'g4o' }, [], []))).toContain('gpt-4o')
    expect(names(filterModels(models, { ...all, words: 'xyz' }, [], []))).toEqual([])
  })
  it('keeps favourites first, also while searching', () => {
    const favourite = modelKey((models[1] as Model).selection)
    expect(names(filterModels(models, { ...all, words: 'gpt' }, [favourite], []))[0]).toBe('gpt-4o-mini')
  })
  it('filters by what a model can do', () => {
    expect(names(filterModels(models, { ...all, features: ['tools', 'local'] }, [], []))).toEqual(['llama3.2'])
  })
  it('finds what reads much, and what costs little', () => {
    const some = [
      model('long', 'p1', { contextWindow: 128_000 }),
      model('short', 'p1', { contextWindow: 8192, price: { input: 0.1, output: 0.4 } }),
      model('dear', 'p1', { price: { input: 3, output: 15 } }),
    ]
    expect(names(filterModels(some, { ...all, features: ['long'] }, [], []))).toEqual(['long'])
    expect(names(filterModels(some, { ...all, features: ['cheap'] }, [], []))).toEqual(['short'])
  })
  it('finds what begins soon here, and offers to only where figures are known', () => {
    const some = [
      model('quick', 'p1', { firstTokenMs: 1000 }),
      model('slow', 'p1', { firstTokenMs: 1001 }),
      model('unknown'),
    ]
    expect(names(filterModels(some, { ...all, features: ['fast'] }, [], []))).toEqual(['quick'])
    expect(featuresOffered(some)).toContain('fast')
    const untold = [model('unknown', 'p1', { errorShare: 0 })]
    expect(featuresOffered(untold)).toEqual(['vision', 'tools', 'thinking', 'long', 'local'])
  })
  it('keeps the order of use among recent models', () => {
    const recent = ['plugin:p1:mini-gpt', 'plugin:p1:gpt-4o']
    expect(names(filterModels(models, { ...all, section: 'recent' }, [], recent))).toEqual(['mini-gpt', 'gpt-4o'])
  })
  it('is fast with thousands', () => {
    const many = Array.from({ length: 5000 }, (_, i) => model(`family-${i}-instruct`))
    const start = performance.now()
    filterModels(many, { ...all, words: 'fam 49 inst' }, [], [])
    // Some milliseconds; were each compared with each, it would be many seconds.
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('the sections', () => {
  it('count what the search finds in each, with favourites and recent ones', () => {
    const models = [model('swan-7b'), model('swan-70b', 'p2'), model('heron', 'p2')]
    const [swan, other] = models.map(({ selection }) => modelKey(selection))
    const counts = countSections(models, { ...all, words: 'swan' }, [swan ?? ''], [other ?? ''])
    expect(counts.get('all')).toBe(2)
    expect(counts.get('favourites')).toBe(1)
    expect(counts.get('recent')).toBe(1)
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(2 + 1 + 1 + 2)
  })
})

describe('a choice that is not there', () => {
  it('says why', () => {
    const selection = model('gone').selection
    const list = (state?: 'ready' | 'key-needed') => ({
      items: [],
      fallback: null,
      providers: state
        ? [{ providerType: 'plugin' as const, providerId: 'p1', name: 'p1', modelCount: 0, state, detail: null }]
        : [],
    })
    expect(unavailableReason(list(), selection)).toBe('removed')
    expect(unavailableReason(list('key-needed'), selection)).toBe('key-needed')
    expect(unavailableReason(list('ready'), selection)).toBe('model-gone')
    expect(unavailableReason(undefined, selection)).toBeNull()
  })
})

describe('choices that are not there keep their place', () => {
  const list = {
    items: [model('here')],
    fallback: null,
    providers: [
      {
        providerType: 'plugin' as const,
        providerId: 'p1',
        name: 'Provider',
        modelCount: 1,
        state: 'ready' as const,
        detail: null,
      },
    ],
  }
  const value = model('gone').selection
  const places = { favourites: ['plugin:p1:here', 'plugin:p1:old', 'plugin:p2:older'], recent: [], value }
  const told = (more: object) =>
    missingChoices(list, { ...all, ...more }, places).map((m) => [m.selection.model, m.why])

  it('what is chosen among all, what is starred among the favourites', () => {
    expect(told({})).toEqual([['gone', 'model-gone']])
    expect(told({ section: 'plugin:p1' })).toEqual([['gone', 'model-gone']])
    expect(told({ section: 'favourites' })).toEqual([
      ['old', 'model-gone'],
      ['older', 'removed'],
    ])
  })
  it('is narrowed by words, and left out where abilities are asked for', () => {
    expect(told({ words: 'gon' })).toEqual([['gone', 'model-gone']])
    expect(told({ words: 'other' })).toEqual([])
    expect(told({ features: ['tools'] })).toEqual([])
  })
})
