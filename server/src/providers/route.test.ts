import { describe, expect, test } from 'vitest'
import { modelsUrlOf, resolveCapability, resolveRoute, type RouteParts, withModel } from './route.ts'

const endpoint = 'https://api.example.com/v1/chat/completions'

describe('a completion route', () => {
  const cases: [string, Omit<RouteParts, 'endpoint'>, string, string][] = [
    ['the definition’s endpoint, when nothing else is set', {}, endpoint, 'chat_completions'],
    [
      'an override goes first',
      { override: 'https://other.example/x/responses', baseUrl: 'https://b.example' },
      'https://other.example/x/responses',
      'responses',
    ],
    [
      'an override equal to the default is none',
      { override: endpoint, baseUrl: 'https://b.example/v1' },
      'https://b.example/v1/chat/completions',
      'chat_completions',
    ],
    [
      'a base URL takes the default path of the mode',
      { baseUrl: 'https://b.example/v1/' },
      'https://b.example/v1/chat/completions',
      'chat_completions',
    ],
    [
      'the mode changes the default path',
      { baseUrl: 'https://b.example/v1', apiMode: 'responses' },
      'https://b.example/v1/responses',
      'responses',
    ],
    [
      'a path goes behind the base URL',
      { baseUrl: 'https://b.example/v1', apiPath: '/own/chat' },
      'https://b.example/v1/own/chat',
      'chat_completions',
    ],
    [
      'an unknown path keeps the chosen mode',
      { baseUrl: 'https://b.example', apiPath: '/own', apiMode: 'responses' },
      'https://b.example/own',
      'responses',
    ],
    [
      'a known suffix says the semantics, whatever the mode',
      { baseUrl: 'https://b.example', apiPath: '/v2/completions', apiMode: 'responses' },
      'https://b.example/v2/completions',
      'completions',
    ],
    ['empty strings count as not set', { override: '', baseUrl: '', apiPath: '' }, endpoint, 'chat_completions'],
    [
      'another mode does not change a declared endpoint that names its operation',
      { apiMode: 'responses' },
      endpoint,
      'chat_completions',
    ],
    [
      'the place of a model stays readable',
      { override: 'https://b.example/models/{model}/chat' },
      'https://b.example/models/{model}/chat',
      'chat_completions',
    ],
    [
      'a format with a path of its own keeps it under another base',
      { baseUrl: 'https://b.example/v1', defaultPath: '/messages' },
      'https://b.example/v1/messages',
      'chat_completions',
    ],
    [
      'a suffix counts with a slash behind it and a query',
      { override: 'https://b.example/v1/responses/?v=2' },
      'https://b.example/v1/responses/?v=2',
      'responses',
    ],
    [
      'an escape in a path is kept when it is harmless',
      { baseUrl: 'https://b.example', apiPath: '/a%20b/responses' },
      'https://b.example/a%20b/responses',
      'responses',
    ],
  ]
  test.each(cases)('%s', (_, parts, url, semantics) => {
    expect(resolveRoute({ endpoint, ...parts })).toMatchObject({ url, semantics })
  })

  const refused: [string, Partial<RouteParts>][] = [
    ['a relative address', { endpoint: '/v1/chat/completions' }],
    ['another protocol', { endpoint: 'ftp://example.com/v1' }],
    ['a file', { endpoint: 'file:///etc/passwd' }],
    ['a name and password inside', { endpoint: 'https://me:secret@example.com/v1' }],
    ['a base URL with a query', { baseUrl: 'https://b.example/v1?x=1' }],
    ['a path without a base', { apiPath: '/v1' }],
    ['a path that climbs', { baseUrl: 'https://b.example', apiPath: '/v1/../admin' }],
    ['a path that climbs in disguise', { baseUrl: 'https://b.example', apiPath: '/v1/%252e%252e/admin' }],
    ['a path that names another host', { baseUrl: 'https://b.example', apiPath: '//evil.example' }],
    ['a path with a query', { baseUrl: 'https://b.example', apiPath: '/v1?key=1' }],
    ['a path with a fragment', { baseUrl: 'https://b.example', apiPath: '/v1#x' }],
    ['a path without its slash', { baseUrl: 'https://b.example', apiPath: 'v1' }],
    ['a path that was encoded without end', { baseUrl: 'https://b.example', apiPath: `/%${'25'.repeat(10)}2e` }],
    ['a path with a broken escape', { baseUrl: 'https://b.example', apiPath: '/%zz' }],
    ['a base URL with a fragment', { baseUrl: 'https://b.example/v1#x' }],
    ['an override without a protocol', { override: 'b.example/v1' }],
    ['a list of models elsewhere than on the web', { modelsEndpoint: 'file:///etc/passwd' }],
  ]
  test.each(refused)('refuses %s', (_, parts) => {
    expect(() => resolveRoute({ endpoint, ...parts })).toThrow(/address|base URL|path/i)
  })

  test('a models endpoint that was set goes before the derived one', () => {
    expect(resolveRoute({ endpoint, modelsEndpoint: 'https://lists.example/all' }).modelsUrl).toBe(
      'https://lists.example/all',
    )
    expect(resolveRoute({ endpoint, modelsEndpoint: '' }).modelsUrl).toBe('https://api.example.com/v1/models')
  })
})

describe('the address of the model list', () => {
  const cases: [string, string][] = [
    ['https://a.example/v1/models', 'https://a.example/v1/models'],
    ['https://a.example/v1/chat/completions', 'https://a.example/v1/models'],
    ['https://a.example/v1/chat/completions/', 'https://a.example/v1/models'],
    ['https://a.example/v1/completions', 'https://a.example/v1/models'],
    ['https://a.example/v1/responses', 'https://a.example/v1/models'],
    ['https://a.example/v1/embeddings', 'https://a.example/v1/models'],
    ['https://a.example/v1/messages', 'https://a.example/v1/models'],
    ['https://a.example/v1', 'https://a.example/v1/models'],
    ['https://a.example', 'https://a.example/models'],
    ['https://a.example/v1/chat/completions?api-version=2', 'https://a.example/v1/models?api-version=2'],
    ['https://a.example/v1beta/models/{model}:generateContent', 'https://a.example/v1beta/models'],
    ['https://a.example/own/operation', 'https://a.example/own/operation/models'],
  ]
  test.each(cases)('of %s is %s', (route, models) => {
    expect(modelsUrlOf(route)).toBe(models)
  })
})

test('a capability keeps its own endpoint, wherever chat goes', () => {
  const declared = 'https://a.example/v1/images/generations'
  expect(resolveCapability(declared)).toBe(declared)
  expect(resolveCapability(declared, '')).toBe(declared)
  expect(resolveCapability(declared, 'https://b.example/img')).toBe('https://b.example/img')
  expect(() => resolveCapability(declared, 'https://u:p@b.example')).toThrow(/user name/)
})

test('a model stands in an address with each of its segments encoded', () => {
  const route = 'https://a.example/models/{model}/run'
  expect(withModel(route, 'org/big model?')).toBe('https://a.example/models/org/big%20model%3F/run')
  expect(withModel(route, '$&')).toBe('https://a.example/models/%24%26/run')
  expect(withModel('https://a.example/v1', 'm')).toBe('https://a.example/v1')
})
