import { connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { withScheme } from './probe.ts'

test.each([
  ['http://10.0.0.2:8080', 'http://10.0.0.2:8080'],
  ['localhost:11434', 'http://localhost:11434'],
  ['192.168.1.5', 'http://192.168.1.5'],
  ['[::1]:11434', 'http://[::1]:11434'],
  ['nas.local:11434/api', 'http://nas.local:11434/api'],
  ['spark', 'http://spark'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
])('%s is taken for %s', (written, address) => {
  expect(withScheme(written)).toBe(address)
})

withDatabase('what stands at an address', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness

  beforeEach(async () => {
    provider = await startProvider()
    harness = await openConnections(open)
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  const probe = (url: string, allowPrivate = true) =>
    harness.ann.call(connectionsRoutes.probe, { body: { url, allowPrivate } })
  const refusal = (url: string, allowPrivate = true) =>
    harness.ann.refusal(connectionsRoutes.probe, { body: { url, allowPrivate } })

  test('a base address tells a local runtime from an endpoint, and nothing is kept of the look', async () => {
    expect(await probe(provider.url)).toEqual({ kind: 'ollama', url: provider.url })
    expect(await probe(provider.address)).toEqual({ kind: 'ollama', url: provider.url })
    expect(await probe(`${provider.url}/api/`)).toEqual({ kind: 'ollama', url: provider.url })
    const endpoint = { kind: 'openai-compatible', url: `${provider.url}/v1/chat/completions` }
    expect(await probe(`${provider.url}/v1`)).toEqual(endpoint)
    expect(await probe(endpoint.url)).toEqual(endpoint)
    expect((await harness.settings.instance()).privateAddresses.value).toEqual([])
    expect((await harness.ann.call(connectionsRoutes.connections, {})).items).toEqual([])
  })

  test('an address where nothing answers is taken for an endpoint, which says what is wrong when it is connected', async () => {
    await provider.close()
    expect(await probe(provider.url)).toEqual({
      kind: 'openai-compatible',
      url: `${provider.url}/v1/chat/completions`,
    })
  })

  test('an address of a private network is asked only when it was allowed, and only by administrators', async () => {
    expect(await refusal(provider.url, false)).toMatchObject({ code: 'url_not_allowed' })
    expect(await refusal('http://169.254.169.254/')).toMatchObject({ code: 'url_not_allowed' })
    expect(await refusal('ftp://example.com')).toMatchObject({ code: 'validation_failed' })
    expect(await refusal('no address at all')).toMatchObject({ code: 'validation_failed' })
    expect(provider.requests).toEqual([])
    const body = { url: provider.url }
    expect(await harness.bob.refusal(connectionsRoutes.probe, { body })).toMatchObject({ status: 403 })
  })
})
