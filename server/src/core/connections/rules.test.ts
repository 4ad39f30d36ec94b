import { describe, expect, test } from 'vitest'
import type { Definition, Model } from '@atrium/contract/connections'
import { modelOfId } from '../../providers/model-list.ts'
import { compareModelLists } from './catalogue/models.ts'
import { selectionKey } from '../settings/index.ts'
import { missingKey, isValidKey } from './keys.ts'
import { routeFingerprint, routeOf } from './definitions/routing.ts'
import { quickDefinition } from './definitions/quick-definition.ts'
import { chatUrlOf, chooseFallback, idFromName, isDue } from './rules.ts'
import type { AccountConnection, AccountSettings } from './types.ts'

describe('the id of a connection', () => {
  test.each([
    ['OpenRouter', 'openrouter'],
    ['  My own — box (2) ', 'my-own-box-2'],
    ['Überlauf', 'uberlauf'],
    ['a.b_c', 'a-b-c'],
  ])('of %o is %o', (name, id) => {
    expect(idFromName(name)).toBe(id)
  })

  test('exists for names in any script, and is always the same', () => {
    expect(idFromName('مزوّدي')).toMatch(/^c-[0-9a-f]{12}$/)
    expect(idFromName('مزوّدي')).toBe(idFromName('مزوّدي'))
    expect(idFromName('مزوّدي')).not.toBe(idFromName('آخر'))
  })
})

describe('the address that was meant', () => {
  test.each([
    ['https://a.example/v1/chat/completions', 'https://a.example/v1/chat/completions'],
    ['https://a.example/v1', 'https://a.example/v1/chat/completions'],
    ['https://a.example/v1/', 'https://a.example/v1/chat/completions'],
    ['https://a.example/api/v2', 'https://a.example/api/v2/chat/completions'],
    ['http://a.example:1234', 'http://a.example:1234/v1/chat/completions'],
    ['https://a.example/v1/models', 'https://a.example/v1/chat/completions'],
    ['https://a.example/own/operation', 'https://a.example/own/operation'],
    ['https://a.example/v1/chat/completions?api-version=3', 'https://a.example/v1/chat/completions?api-version=3'],
  ])('by %s is %s', (written, url) => {
    expect(chatUrlOf(written)).toBe(url)
  })

  test.each([
    '',
    'a.example/v1',
    'ftp://a.example',
    'javascript:alert(1)',
    'https://me:pw@a.example/v1',
    'https://a.example/v1/responses',
    'https://a.example/v1/completions',
  ])('%o is refused', (written) => {
    expect(() => chatUrlOf(written)).toThrow(/address|http/i)
  })
})

describe('what a key is bound to', () => {
  const base = quickDefinition('Box', 'https://a.example/v1/chat/completions', true, ['m'])
  const changes: [string, Partial<Definition>, boolean][] = [
    ['another name', { name: 'Other' }, true],
    ['other fallback models', { model_map: ['x'] }, true],
    ['another endpoint', { endpoint: 'https://b.example/v1/chat/completions' }, false],
    ['another header', { auth: { ...base.auth, header: 'x-api-key' } }, false],
    ['another prefix', { auth: { ...base.auth, prefix: '' } }, false],
    [
      'a base URL that moves it',
      { variables: [{ name: 'base_url', type: 'string', label: '', default: 'https://b.example' }] },
      false,
    ],
  ]
  const boundTo = (definition: Definition) => routeFingerprint(definition, 'installed', routeOf(definition))
  test.each(changes)('%s', (_, change, same) => {
    expect(boundTo({ ...base, ...change }) === boundTo(base)).toBe(same)
  })

  test('a models endpoint of the variables is used', () => {
    const definition: Definition = {
      ...base,
      variables: [{ name: 'models_endpoint', type: 'string', label: '', default: 'https://lists.example/m' }],
    }
    expect(routeOf(definition).modelsUrl).toBe('https://lists.example/m')
  })
})

describe('the four outcomes', () => {
  const list = (...ids: string[]) => ids.map(modelOfId)
  test.each([
    [null, list('a', 'b'), { outcome: 'updated', added: 2, removed: 0 }],
    [list('a', 'b'), list('b', 'a'), { outcome: 'unchanged' }],
    [list('a', 'b'), list('b', 'c', 'd'), { outcome: 'updated', added: 2, removed: 1 }],
    [list('a'), [{ ...modelOfId('a'), contextWindow: 9 }], { outcome: 'updated', added: 0, removed: 0 }],
  ])('%#', (before, after, outcome) => {
    expect(compareModelLists(before, after)).toEqual(outcome)
  })
})

const own: AccountSettings = {
  activatedAt: 1,
  shared: false,
  excluded: false,
  sharedKey: null,
  key: null,
  keyElsewhere: false,
  values: {},
  catalogue: null,
}
const connection = (change: Partial<AccountSettings>, withKey = true): AccountConnection => {
  const definition = quickDefinition('Box', 'https://a.example/v1', withKey, ['m'])
  const route = routeOf(definition)
  const fingerprint = routeFingerprint(definition, 'installed', route)
  return {
    installed: {
      definition,
      route,
      fingerprint,
      source: 'installed',
      bundled: null,
      values: {},
      createdAt: 0,
      updatedAt: 0,
    },
    own: { ...own, ...change },
  }
}

test('a missing key is told, with what the environment cannot do about it', () => {
  const nothing = () => undefined
  expect(missingKey(connection({ key: 'k' }), nothing)).toBeNull()
  expect(missingKey(connection({}, false), nothing)).toBeNull()
  expect(missingKey(connection({}), nothing)).toBe('This connection needs your own API key.')
  expect(missingKey(connection({}), (name) => (name === 'BOX_API_KEY' ? 'sk-operator' : undefined))).toMatch(
    /environment is not used/,
  )
  expect(missingKey(connection({ keyElsewhere: true }), nothing)).toMatch(/Save it again/)
})

test('a catalogue is looked at again when it is old, later after a failure, and without a key never', () => {
  const waits = { ttlMs: 1000, retryMs: 100 }
  const looked = (
    outcome: NonNullable<AccountSettings['catalogue']>['outcome'],
    key: string | null = 'k',
  ): AccountSettings => ({
    ...own,
    key,
    catalogue: { models: [], discoveredAt: 0, checkedAt: 0, outcome },
  })
  expect(isDue(own, 0, waits, true)).toBe(true)
  expect(isDue(looked({ outcome: 'unchanged' }), 999, waits, true)).toBe(false)
  expect(isDue(looked({ outcome: 'unchanged' }), 1000, waits, true)).toBe(true)
  expect(isDue(looked({ outcome: 'unavailable', reason: '' }), 99, waits, true)).toBe(false)
  expect(isDue(looked({ outcome: 'unavailable', reason: '' }), 100, waits, true)).toBe(true)
  expect(isDue(looked({ outcome: 'missing_credentials', reason: '' }, null), 9e9, waits, false)).toBe(false)
  expect(isDue(looked({ outcome: 'missing_credentials', reason: '' }), 0, waits, true)).toBe(true)
})

describe('the model of a new chat', () => {
  const model = (providerType: 'plugin' | 'builtin', name: string): Model => ({
    selection: { providerType, providerId: 'p', model: name },
    name,
    providerName: 'P',
    contextWindow: null,
    features: [],
    capabilities: ['chat'],
    price: null,
    firstTokenMs: null,
    errorShare: null,
    local: false,
    sizeBytes: null,
  })
  const builtin = model('builtin', 'excerpts')
  test.each([
    [[builtin], null, [], 'excerpts', 'only-model'],
    [[model('plugin', 'a'), builtin], null, [], 'a', 'only-model'],
    [[model('plugin', 'a'), builtin], null, ['excerpts', 'a'], 'a', 'only-model'],
    [[model('plugin', 'a'), model('plugin', 'b'), builtin], null, [], 'a', 'first-connected'],
    [[model('plugin', 'a'), model('plugin', 'b'), builtin], null, ['b', 'a'], 'b', 'last-used'],
    [[model('plugin', 'a'), model('plugin', 'b'), builtin], null, ['gone', 'b'], 'b', 'last-used'],
    [[model('plugin', 'a'), model('plugin', 'b'), builtin], null, ['excerpts'], 'a', 'first-connected'],
    [[model('plugin', 'a'), model('plugin', 'b'), builtin], 'b', ['a'], 'b', 'own-default'],
    [[model('plugin', 'a'), model('plugin', 'b'), builtin], 'gone', [], 'a', 'first-connected'],
  ] as const)('%#', (items, ownDefault, used, name, because) => {
    const defaultModel = ownDefault && model('plugin', ownDefault).selection
    const recentModels = used.map((each) =>
      selectionKey(each === 'excerpts' ? builtin.selection : model('plugin', each).selection),
    )
    expect(chooseFallback(items, { defaultModel, recentModels })).toMatchObject({ selection: { model: name }, because })
  })
})

test('a key that no header can carry is no key', () => {
  expect(isValidKey('sk-abc_123.def')).toBe(true)
  for (const bad of ['', 'a b', 'a\nb', 'schlüssel', 'a\u0000']) expect(isValidKey(bad)).toBe(false)
})
