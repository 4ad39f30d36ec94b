import { describe, expect, test } from 'vitest'
import { attributionHeaders } from './attribution.ts'
import { bundledDefinitions } from './definitions.ts'

const openrouter = bundledDefinitions().find(({ id }) => id === 'openrouter')
const home = 'https://openrouter.ai/api/v1/chat/completions'

describe('who asks', () => {
  test('is told to the aggregator, at its own host', () => {
    for (const address of [home, 'https://openrouter.ai/api/v1/images']) {
      expect(attributionHeaders(openrouter ?? {}, new URL(address))).toEqual({
        'http-referer': expect.stringMatching(/^https:/),
        'x-title': 'Atrium',
        'x-openrouter-categories': 'general-chat,personal-agent',
      })
    }
  })

  test.each([
    ['without TLS', 'http://openrouter.ai/api/v1/chat/completions'],
    ['at another port', 'https://openrouter.ai:8443/api/v1/chat/completions'],
    ['below the host', 'https://proxy.openrouter.ai/api/v1/chat/completions'],
    ['at a host that begins like it', 'https://openrouter.ai.example/api/v1/chat/completions'],
    ['at a host that ends like it', 'https://notopenrouter.ai/api/v1/chat/completions'],
    ['on a route of one’s own', 'https://gateway.example/api/v1/chat/completions'],
    ['with the host in the path', 'https://gateway.example/openrouter.ai/v1'],
  ])('is not told %s', (_where, address) => {
    expect(attributionHeaders(openrouter ?? {}, new URL(address))).toEqual({})
  })

  test('is not told in the name of any other definition, wherever it leads', () => {
    for (const definition of bundledDefinitions().filter(({ id }) => id !== 'openrouter')) {
      expect(attributionHeaders(definition, new URL(home))).toEqual({})
      expect(attributionHeaders(definition, new URL(definition.endpoint))).toEqual({})
    }
  })
})
