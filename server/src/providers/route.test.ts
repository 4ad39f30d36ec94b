import { describe, expect, test } from 'vitest'
import { modelsUrlOf, resolveRoute, type RouteParts } from './route.ts'

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
  ]
  test.each(cases)('of %s is %s', (route, models) => {
    expect(modelsUrlOf(route)).toBe(models)
  })
})
