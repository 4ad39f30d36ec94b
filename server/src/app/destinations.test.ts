import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { documentsRoutes } from '@atrium/contract/documents'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { settingsRoutes } from '@atrium/contract/settings'
import { webSearchRoutes } from '@atrium/contract/web-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { followTest, stepsOf } from '../testing/trial.ts'

/** Counts who comes, and lets nobody in. */
const startCanary = async (): Promise<{ port: number; visits: () => number; close(): Promise<void> }> => {
  let visits = 0
  const server: Server = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    close: () => new Promise((go) => server.close(() => go())),
  }
}

describe('a destination that nobody allowed', () => {
  let app: TestApp
  let ann: Client
  let canary: Awaited<ReturnType<typeof startCanary>>

  beforeAll(async () => {
    canary = await startCanary()
    app = await startTestApp()
    ann = await app.signUpAdmin()
  })
  afterAll(async () => {
    await app.close()
    await canary.close()
  })

  const definition = (endpoint: string, extra: Partial<Definition> = {}): Definition => ({
    id: 'canary',
    name: 'Canary',
    type: 'completion',
    endpoint,
    auth: { header: '', key_env: '' },
    model_map: ['m'],
    ...extra,
  })
  const at = (host: string) => `http://${host}:${canary.port}/v1/chat/completions`
  /** Written in a way that hides what it means, or never called by anybody. */
  const odd: [string, () => string][] = [
    ['hexadecimal', () => at('0x7f.1')],
    ['one hexadecimal number', () => at('0x7f000001')],
    ['one decimal number', () => at('2130706433')],
    ['octal', () => at('0177.0.0.1')],
    ['one octal number', () => at('017700000001')],
    ['shortened', () => at('127.1')],
    ['zero', () => at('0')],
    ['unspecified', () => at('0.0.0.0')],
    ['mapped into version 6', () => at('[::ffff:127.0.0.1]')],
    ['mapped in hexadecimal', () => at('[::ffff:7f00:1]')],
    ['compatible with version 4', () => at('[::127.0.0.1]')],
    ['translated', () => at('[64:ff9b::7f00:1]')],
    ['unspecified in version 6', () => at('[::]')],
    ['with a name', () => at('user@127.0.0.1')],
    ['with a name and a password', () => at('user:secret@127.0.0.1')],
    ['behind another name', () => at('api.example.com@127.0.0.1')],
    ['with a dot at its end', () => at('localhost.')],
    ['in full-width digits', () => at('１２７.０.０.１')],
    ['in circled digits', () => at('①②⑦.0.0.1')],
    ['with ideographic dots', () => at('127。0。0。1')],
    ['escaped', () => at('%31%32%37.0.0.1')],
    ['with a backslash', () => `http://example.com\\@127.0.0.1:${canary.port}/`],
    ['link-local', () => 'http://169.254.169.254/latest/meta-data'],
    ['another protocol', () => `gopher://127.0.0.1:${canary.port}/`],
    ['a file', () => 'file:///etc/passwd'],
    ['no address', () => 'example'],
  ]
  /** Plainly private: a definition of a server at home may say so, and still nothing is called. */
  const near: [string, () => string][] = [
    ['the loopback address', () => at('127.0.0.1')],
    ['another one of them', () => at('127.9.9.9')],
    ['the name of this machine', () => at('localhost')],
    ['a name under it', () => at('app.localhost')],
    ['the loopback address of version 6', () => at('[::1]')],
    ['a private network', () => 'http://10.255.255.1/v1/chat/completions'],
  ]
  const isRefused = (answer: { status: number; code: string }) => {
    expect(['url_not_allowed', 'validation_failed']).toContain(answer.code)
    expect([400, 422]).toContain(answer.status)
  }

  describe.each([...odd, ...near])('%s', (_, address) => {
    test('is refused as a quick connection', async () => {
      isRefused(await ann.refusal(connectionsRoutes.quick, { body: { name: 'Canary', url: address() } }))
    })

    test('is refused as a page to be taken in', async () => {
      isRefused(await ann.refusal(documentsRoutes.fetchUrl, { body: { url: address() } }))
      expect((await ann.call(documentsRoutes.list, {})).items).toEqual([])
    })

    test('is refused as the value of a variable', async () => {
      const base = definition('https://api.example.com/v1/chat/completions', {
        id: 'moved',
        variables: ['endpoint', 'base_url', 'models_endpoint', 'image_endpoint'].map((name) => ({
          name,
          type: 'string',
          label: name,
        })),
      })
      await ann.call(connectionsRoutes.installPlugin, { body: base })
      for (const { name } of base.variables ?? []) {
        const call = { params: { id: 'moved' }, body: { variables: { [name]: address() } } }
        isRefused(await ann.refusal(connectionsRoutes.saveVariables, call))
      }
    })
  })

  test.each(odd)('%s is refused wherever a definition may say it', async (_, address) => {
    const good = 'https://api.example.com/v1/chat/completions'
    const block = { endpoint: good, model_map: ['m'] }
    const ways: Definition[] = [
      definition(address()),
      definition(good, { base_url: address() }),
      definition(good, { variables: [{ name: 'endpoint', type: 'string', label: '', default: address() }] }),
      definition(good, { variables: [{ name: 'models_endpoint', type: 'string', label: '', default: address() }] }),
      definition(good, { capabilities: { image: { ...block, endpoint: address() } } }),
      definition(good, { capabilities: { tts: { ...block, models_endpoint: address() } } }),
      definition(good, { capabilities: { image: { ...block, config: { edit_endpoint: address() } } } }),
    ]
    await ann.call(connectionsRoutes.installPlugin, { body: definition(good) })
    for (const body of ways) {
      isRefused(await ann.refusal(connectionsRoutes.installPlugin, { body }))
      isRefused(await ann.refusal(connectionsRoutes.updatePlugin, { params: { id: 'canary' }, body }))
      const file = new Blob([JSON.stringify({ ...body, id: 'fresh' })])
      isRefused(await ann.refusal(connectionsRoutes.uploadPlugin, { query: { name: 'x.json' }, file }))
    }
  })

  test.each(near)('%s can be defined, and is not called', async (_, address) => {
    const url = address()
    const body = definition(url, { capabilities: { image: { endpoint: url, models_endpoint: url, model_map: ['d'] } } })
    await ann.call(connectionsRoutes.installPlugin, { body })
    const params = { id: 'canary' }
    const { discovery } = await ann.call(connectionsRoutes.activate, { params })
    expect(discovery).toMatchObject({ outcome: 'unavailable', reason: expect.stringMatching(/private network/) })
    const steps = stepsOf(await followTest(ann, { params, body: {} }))
    expect(steps[0]).toMatchObject({ step: 'resolve', state: 'failed' })
    await ann.call(connectionsRoutes.models, {})
  })

  test.each(odd)('%s is no place for a search engine, whoever allows it', async (_, address) => {
    const body = { enabled: true, engine: 'searxng' as const, url: address(), allowPrivate: true }
    isRefused(await ann.refusal(webSearchRoutes.updateConfig, { body }))
  })

  test.each(near)('%s is no place for a search engine that nobody allowed', async (_, address) => {
    const body = { enabled: true, engine: 'searxng' as const, url: address() }
    isRefused(await ann.refusal(webSearchRoutes.updateConfig, { body }))
  })

  test.each(odd)('%s is no place for the local runtime', async (_, address) => {
    isRefused(await ann.refusal(localRuntimeRoutes.updateSettings, { body: { enabled: true, baseUrl: address() } }))
  })

  test.each(['0x7f.1:80', '169.254.169.254:80', '[::ffff:127.0.0.1]:80', '0.0.0.0:80', 'user@host:80', 'host'])(
    '%s cannot be put on the list of what is allowed, or allows nothing',
    async (entry) => {
      const body = { privateAddresses: [entry] }
      const response = await ann.answer(settingsRoutes.updateInstance, { body })
      if (response.ok) {
        const call = { body: { name: 'Fresh', url: `http://${entry}/v1`, allowPrivate: true } }
        isRefused(await ann.refusal(connectionsRoutes.quick, call))
      } else expect([400, 422]).toContain(response.status)
      await ann.call(settingsRoutes.updateInstance, { body: { privateAddresses: [] } })
    },
  )

  test('a redirect leads nowhere', async () => {
    const seen: string[] = []
    const leading = createWebServer((request, response) => {
      seen.push(request.url ?? '')
      response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/v1/models` })
      response.end()
    })
    await new Promise<void>((go) => leading.listen(0, '127.0.0.1', go))
    const place = `127.0.0.1:${(leading.address() as AddressInfo).port}`
    // The target is allowed too: a redirect is not followed even then.
    const privateAddresses = [place, `127.0.0.1:${canary.port}`]
    await ann.call(settingsRoutes.updateInstance, { body: { privateAddresses } })
    try {
      const params = { id: 'canary' }
      await ann.call(connectionsRoutes.installPlugin, { body: definition(`http://${place}/v1/chat/completions`) })
      const { discovery } = await ann.call(connectionsRoutes.activate, { params })
      expect(discovery).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('isn’t followed') })
      const steps = stepsOf(await followTest(ann, { params, body: {} }))
      expect(steps.find(({ step }) => step === 'chat')).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining('isn’t followed'),
      })
      const quick = { body: { name: 'Leading', url: `http://${place}/v1` } }
      expect(await ann.refusal(connectionsRoutes.quick, quick)).toMatchObject({ status: 502 })
      expect(seen.length).toBeGreaterThan(2)
    } finally {
      await ann.call(settingsRoutes.updateInstance, { body: { privateAddresses: [] } })
      await new Promise((go) => leading.close(go))
    }
  })

  test('has never been connected to', () => {
    expect(canary.visits()).toBe(0)
  })
})
