import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Selection } from '@atrium/contract/common'
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import type { BundledDefinition } from '../../../providers/definitions.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'

const key = 'sk-very-secret-key-4242'

withDatabase('definitions', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness
  let environment: Record<string, string>

  const definition = (extra: Partial<Definition> = {}): Definition => ({
    id: 'acme',
    name: 'Acme',
    type: 'completion',
    endpoint: `${provider.url}/v1/chat/completions`,
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'ACME_API_KEY' },
    model_map: ['echo', 'markdown'],
    ...extra,
  })
  const ours = (): BundledDefinition => ({ ...definition({ id: 'ours', name: 'Ours' }), wire: 'chat-completions' })

  beforeEach(async () => {
    provider = await startProvider()
    provider.control({ apiKey: key })
    environment = {}
    harness = await openConnections(open, {
      privateAddresses: [provider.address],
      bundled: [ours()],
      environmentKey: (name) => environment[name],
    })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  const install = (extra: Partial<Definition> = {}) =>
    harness.ann.call(connectionsRoutes.installPlugin, { body: definition(extra) })
  const upload = (content: unknown, name = 'acme.json', file = JSON.stringify(content)) =>
    harness.ann.call(connectionsRoutes.uploadPlugin, { query: { name }, file: new Blob([file]) })
  const exported = async (id: string): Promise<unknown> => {
    const response = await harness.bob.answer(connectionsRoutes.exportPlugin, { params: { id } })
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    return await response.json()
  }
  const echo = (providerId: string): Selection => ({ providerType: 'plugin', providerId, model: 'echo' })
  const use = (id: string) => harness.ann.call(connectionsRoutes.activate, { params: { id } })
  const saveKey = (id: string) => harness.ann.call(connectionsRoutes.saveKey, { params: { id }, body: { apiKey: key } })

  test('are installed, seen by everybody, changed, taken along and removed', async () => {
    const installed = await install({ description: 'A box' })
    expect(installed).toMatchObject({ id: 'acme', source: 'installed', active: false, available: false })
    const { items } = await harness.bob.call(connectionsRoutes.plugins, {})
    expect(items.map(({ id, source }) => [id, source])).toEqual([
      ['acme', 'installed'],
      ['ours', 'bundled'],
    ])
    expect(await exported('acme')).toEqual(definition({ description: 'A box' }))
    const params = { id: 'acme' }
    const changed = await harness.ann.call(connectionsRoutes.updatePlugin, {
      params,
      body: definition({ name: 'Other' }),
    })
    expect(changed).toMatchObject({ name: 'Other' })
    expect(await harness.bob.call(connectionsRoutes.plugin, { params })).toMatchObject({ name: 'Other' })
    await harness.ann.call(connectionsRoutes.remove, { params })
    expect(await harness.bob.refusal(connectionsRoutes.plugin, { params })).toMatchObject({ code: 'plugin_not_found' })
  })

  test('are changed by administrators only', async () => {
    await install()
    const params = { id: 'acme' }
    const refusals = await Promise.all([
      harness.bob.refusal(connectionsRoutes.installPlugin, { body: definition() }),
      harness.bob.refusal(connectionsRoutes.uploadPlugin, { file: new Blob(['{}']) }),
      harness.bob.refusal(connectionsRoutes.updatePlugin, { params, body: definition() }),
      harness.bob.refusal(connectionsRoutes.remove, { params }),
      harness.bob.refusal(connectionsRoutes.allowPlugin, { params }),
    ])
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 403, code: 'forbidden' })
  })

  test('come as a file, raw or in a form; an installed id is refused, one of Atrium’s own is not', async () => {
    expect(await upload(definition())).toMatchObject({ id: 'acme' })
    await expect(upload(definition())).rejects.toMatchObject({ problem: { code: 'plugin_exists', status: 409 } })
    expect(await upload(definition({ id: 'ours' }))).toMatchObject({ source: 'replacing' })
    const form = new FormData()
    form.set('plugin', new File([JSON.stringify(definition({ id: 'third' }))], 'third.json'))
    const response = await harness.ann.raw('/api/plugins/upload', { method: 'POST', body: form })
    expect([response.status, await response.json()]).toMatchObject([200, { id: 'third' }])
  })

  const files: [string, string, string, string, string | RegExp][] = [
    ['an archive', 'x.zip', 'PK\u0003\u0004', 'unsupported_media_type', /JSON/],
    ['an archive under another name', 'x.json', 'PK\u0003\u0004', 'unsupported_media_type', /JSON/],
    ['half a file', 'x.json', '{"id":', 'validation_failed', /isn’t JSON/],
    ['something else', 'x.json', '[1]', 'validation_failed', /usable definition/],
    ['an empty file', 'x.json', '', 'validation_failed', /isn’t JSON/],
  ]
  test.each(files)('%s is refused with words', async (_, name, content, code, words) => {
    await expect(upload(null, name, content)).rejects.toMatchObject({
      problem: { code, detail: expect.stringMatching(words) },
    })
  })

  const faults: [string, object, string][] = [
    ['no name', { name: '' }, 'body.name'],
    ['an id that climbs', { id: '../x' }, 'body.id'],
    ['an id of dots', { id: '..' }, 'body.id'],
    ['no models', { model_map: [] }, 'body.model_map'],
    ['a wire of its own', { wire: 'anthropic' }, 'body'],
    ['a sign-in of its own', { signIn: true }, 'body'],
    ['an unknown mode', { api_mode: 'soap' }, 'body.api_mode'],
    ['a relative endpoint', { endpoint: '/v1' }, 'body.endpoint'],
    ['a documentation that runs', { documentation_url: 'javascript:alert(1)' }, 'body.documentation_url'],
    ['a header of the request itself', { auth: { header: 'Host', key_env: '' } }, 'body.auth.header'],
    ['a header that breaks out', { auth: { header: 'x\r\ny', key_env: '' } }, 'body.auth.header'],
    ['a prefix without a header', { auth: { header: '', prefix: 'Bearer ', key_env: '' } }, 'body.auth.header'],
    ['a key name without a header', { auth: { header: '', key_env: 'X_KEY' } }, 'body.auth.header'],
    ['a path without a base', { api_path: '/chat' }, 'body'],
    [
      'one name twice',
      {
        variables: [
          { name: 'a', type: 'string', label: '' },
          { name: 'a', type: 'number', label: '' },
        ],
      },
      'body.variables',
    ],
    ['a capability of the wrong form', { capabilities: { image: { endpoint: 'x' } } }, 'body.capabilities.image'],
  ]
  test.each(faults)('%s is refused, with the place', async (_, extra, path) => {
    const { problem } = await harness.ann.refusal(connectionsRoutes.installPlugin, {
      body: { ...definition(), ...extra } as Definition,
    })
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(problem.errors?.some((error) => error.path.startsWith(path))).toBe(true)
  })

  test('an id in the body that is not the one in the address is refused', async () => {
    await install()
    const call = { params: { id: 'acme' }, body: definition({ id: 'other' }) }
    expect(await harness.ann.refusal(connectionsRoutes.updatePlugin, call)).toMatchObject({ code: 'validation_failed' })
    const gone = { params: { id: 'ours' }, body: definition({ id: 'ours' }) }
    expect(await harness.ann.refusal(connectionsRoutes.updatePlugin, gone)).toMatchObject({ code: 'plugin_not_found' })
  })

  test('a change ends every activation, and a key serves on only while the route stays', async () => {
    await install()
    await saveKey('acme')
    await use('acme')
    expect(await harness.connections.resolve('ann', echo('acme'))).toHaveProperty('model')
    harness.told.length = 0
    await install({ name: 'Renamed' })
    expect(harness.told).toContain('ann models-changed')
    expect(await harness.connections.resolve('ann', echo('acme'))).toMatchObject({
      unavailable: expect.stringContaining('is off'),
    })
    await use('acme')
    expect(await harness.connections.resolve('ann', echo('acme'))).toHaveProperty('model')
    expect(await countRows('connection_catalogues')).toBe(1)

    await install({ endpoint: `${provider.url}/other/chat/completions` })
    expect(await countRows('connection_catalogues')).toBe(0)
    const { connection, discovery } = await use('acme')
    expect(discovery).toMatchObject({
      outcome: 'missing_credentials',
      reason: expect.stringContaining('Save it again'),
    })
    expect(connection).toMatchObject({ keyState: 'other-route', hasKey: false })
    await install()
    await use('acme')
    expect(await harness.connections.resolve('ann', echo('acme'))).toHaveProperty('model')
  })

  test('one in the place of Atrium’s own takes nothing of it over, and gives the place back', async () => {
    await use('ours')
    await saveKey('ours')
    expect(await harness.connections.resolve('ann', echo('ours'))).toHaveProperty('model')
    await install({ id: 'ours' })
    const replaced = await harness.ann.call(connectionsRoutes.plugin, { params: { id: 'ours' } })
    expect(replaced).toMatchObject({ source: 'replacing', active: false, available: false })
    expect((await use('ours')).connection).toMatchObject({ source: 'replacing', keyState: 'other-route' })
    await harness.ann.call(connectionsRoutes.remove, { params: { id: 'ours' } })
    expect(await harness.ann.call(connectionsRoutes.plugin, { params: { id: 'ours' } })).toMatchObject({
      source: 'bundled',
      active: false,
    })
    expect(await countRows('connection_credentials')).toBe(0)
    expect(await harness.ann.refusal(connectionsRoutes.remove, { params: { id: 'ours' } })).toMatchObject({
      status: 404,
    })
  })

  test('a key of the operator serves Atrium’s own definition alone, on its own route, and that is said', async () => {
    environment['ACME_API_KEY'] = key
    const { connection, discovery } = await use('ours')
    expect(discovery).toMatchObject({ outcome: 'updated' })
    expect(connection).toMatchObject({ keyState: 'environment', hasKey: false, keyEnding: null, keyDetail: null })
    expect(provider.requests.at(-1)?.authorization).toBe(`Bearer ${key}`)
    expect(await harness.connections.resolve('ann', echo('ours'))).toHaveProperty('model')

    await install()
    const own = await use('acme')
    expect(own.discovery).toEqual({
      outcome: 'missing_credentials',
      reason:
        'This connection needs your own API key. A key in the environment is not used for an installed connection.',
    })
    const asked = provider.requests.length
    await install({ id: 'ours' })
    expect((await use('ours')).discovery).toMatchObject({
      outcome: 'missing_credentials',
      reason: expect.stringContaining('environment is not used'),
    })
    expect(provider.requests).toHaveLength(asked)
  })

  test('a key check tells the truth without asking anybody', async () => {
    await install()
    const check = () => harness.ann.call(connectionsRoutes.checkKey, { params: { id: 'acme' } })
    expect(await check()).toMatchObject({ usable: false, state: 'missing' })
    await saveKey('acme')
    const asked = provider.requests.length
    expect(await check()).toEqual({ usable: true, state: 'saved', detail: null })
    expect(provider.requests).toHaveLength(asked)
    expect(await harness.bob.call(connectionsRoutes.checkKey, { params: { id: 'acme' } })).toMatchObject({
      usable: false,
    })
    const { items } = await harness.ann.call(connectionsRoutes.keys, {})
    expect(items).toMatchObject([{ pluginId: 'acme', hasApiKey: true }])
    expect((await harness.bob.call(connectionsRoutes.keys, {})).items).toEqual([])
  })

  test('what is in use is told, and all of it is left at once', async () => {
    await install({ auth: { header: '', key_env: '' } })
    provider.control({ apiKey: null })
    expect((await harness.ann.call(connectionsRoutes.currentPlugin, {})).plugin).toBeNull()
    await use('acme')
    await use('ours')
    expect((await harness.ann.call(connectionsRoutes.activePlugins, {})).items.map(({ id }) => id)).toEqual([
      'acme',
      'ours',
    ])
    expect((await harness.ann.call(connectionsRoutes.currentPlugin, {})).plugin).toMatchObject({ id: 'acme' })
    expect((await harness.ann.call(connectionsRoutes.pluginStatus, {})).items).toEqual([
      { id: 'acme', active: true, available: true },
      { id: 'ours', active: true, available: false },
    ])
    expect((await harness.bob.call(connectionsRoutes.activePlugins, {})).items).toEqual([])
    await harness.ann.call(connectionsRoutes.deactivateAll, {})
    expect((await harness.ann.call(connectionsRoutes.activePlugins, {})).items).toEqual([])
  })

  test('a quick connection never takes the place of Atrium’s own', async () => {
    const { connection } = await harness.ann.call(connectionsRoutes.quick, {
      body: { name: 'Ours', url: `${provider.url}/v1`, apiKey: key },
    })
    expect(connection).toMatchObject({ id: 'ours-custom', source: 'installed' })
  })

  const countRows = async (table: string): Promise<number> => {
    const rows = await harness.database.tables<Record<string, object>>().selectFrom(table).selectAll().execute()
    return rows.length
  }
})

// Real definitions lie beside the project where there are any; without them these lists are empty.
const folder = new URL('../../../../../../shared/data/plugins/', import.meta.url)
const shared = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

withDatabase('definitions that people share', (open) => {
  test('are taken in and come out as the same values, each of them', async () => {
    const harness = await openConnections(open)
    try {
      for (const file of shared) {
        const text = readFileSync(new URL(file, folder), 'utf8')
        const call = { query: { name: file }, file: new Blob([text]) }
        if (JSON.parse(text).id === 'codex-oauth') {
          // That id is the server's own sign-in's, by whatever way a definition comes.
          const taken = { status: 409, code: 'plugin_exists' }
          expect(await harness.ann.refusal(connectionsRoutes.uploadPlugin, call)).toMatchObject(taken)
          expect(await harness.ann.refusal(connectionsRoutes.installPlugin, { body: JSON.parse(text) })).toMatchObject(
            taken,
          )
          continue
        }
        const { id } = await harness.ann.call(connectionsRoutes.uploadPlugin, call)
        const response = await harness.ann.answer(connectionsRoutes.exportPlugin, { params: { id } })
        expect([file, await response.json()]).toEqual([file, JSON.parse(text)])
        await harness.ann.call(connectionsRoutes.installPlugin, { body: JSON.parse(text) })
        await harness.ann.call(connectionsRoutes.remove, { params: { id } })
      }
      expect((await harness.ann.call(connectionsRoutes.connections, {})).items).toEqual([])
    } finally {
      await harness.close()
    }
  })
})
