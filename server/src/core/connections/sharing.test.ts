import type { Selection } from '@atrium/contract/common'
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import type { BundledDefinition } from '../../providers/definitions.ts'
import { type ConnectionsHarness, openConnections } from '../../testing/connections.ts'
import { withDatabase } from '../../testing/databases.ts'

const key = 'sk-very-secret-key-4242'
const teamKey = 'sk-everybodys-key-7777'

withDatabase('connections that administrators share', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness
  let environment: Record<string, string>
  let groupsOfBob: string[]

  const definition = (extra: Partial<Definition> = {}): Definition => ({
    id: 'acme',
    name: 'Acme',
    type: 'completion',
    endpoint: `${provider.url}/v1/chat/completions`,
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'ACME_API_KEY' },
    model_map: ['echo', 'markdown'],
    ...extra,
  })
  const withoutKey = { id: 'open', name: 'Open', auth: { header: '', key_env: '' } }
  const ours = (): BundledDefinition => ({
    ...definition({
      id: 'ours',
      name: 'Ours',
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'OURS_API_KEY' },
      variables: [{ name: 'base_url', type: 'string', label: 'Base URL' }],
    }),
    wire: 'chat-completions',
  })

  beforeEach(async () => {
    provider = await startProvider()
    provider.control({ apiKey: teamKey })
    environment = {}
    groupsOfBob = []
    harness = await openConnections(open, {
      privateAddresses: [provider.address],
      bundled: [ours()],
      environmentKey: (name) => environment[name],
      isAdministrator: async (accountId) => accountId === 'ann',
      administratorIds: async () => ['ann'],
      accountNames: async (ids) => new Map(ids.map((id) => [id, `Name of ${id}`])),
      groupsOf: async (accountId) => (accountId === 'bob' ? groupsOfBob : []),
      groupNames: async (ids) => new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `The ${id}`])),
    })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  const install = (extra: Partial<Definition> = {}) =>
    harness.ann.call(connectionsRoutes.installPlugin, { body: definition(extra) })
  const share = (id: string, mode: 'opt-in' | 'everyone' | 'groups' | 'private', groupIds?: string[]) =>
    harness.ann.call(connectionsRoutes.saveSharing, { params: { id }, body: { mode, ...(groupIds && { groupIds }) } })
  const sharing = (id: string) => harness.ann.call(connectionsRoutes.sharing, { params: { id } })
  const keepKey = (id: string) =>
    harness.ann.call(connectionsRoutes.saveSharedKey, { params: { id }, body: { apiKey: teamKey } })
  const connectionsOf = async (who: 'ann' | 'bob') => (await harness[who].call(connectionsRoutes.connections, {})).items
  const modelsOf = async (who: 'ann' | 'bob') =>
    (await harness[who].call(connectionsRoutes.models, {})).items.map(({ selection }) => selection.model)
  const echo = (providerId: string): Selection => ({ providerType: 'plugin', providerId, model: 'echo' })
  const ask = async (who: string, id: string): Promise<string> => {
    const found = await harness.connections.resolve(who, echo(id))
    if ('unavailable' in found) return found.unavailable
    const messages = [{ role: 'user' as const, text: 'Hello there', images: [] }]
    const turn = { model: 'echo', system: null, messages, tools: [], options: {} }
    let text = ''
    for await (const parts of found.model.ask(turn, AbortSignal.timeout(120_000)))
      for (const part of parts) if (part.type === 'text') text += part.delta
    return text
  }

  test('a member asks at once, with the key that an administrator keeps', async () => {
    expect(await sharing('ours')).toEqual({
      mode: 'opt-in',
      groups: [],
      own: false,
      key: { state: 'none', ending: null, savedAt: null },
    })
    expect(await modelsOf('bob')).toEqual(['excerpts'])
    await keepKey('ours')
    expect(await share('ours', 'everyone')).toMatchObject({ mode: 'everyone', key: { state: 'saved', ending: '7777' } })
    expect(harness.told).toContain('* models-changed')
    expect(await modelsOf('bob')).toEqual(['echo', 'markdown', 'excerpts'])
    expect(await connectionsOf('bob')).toMatchObject([
      { id: 'ours', active: true, shared: true, hasKey: false, keyState: 'shared', keyDetail: null, keyEnding: null },
    ])
    expect(await ask('bob', 'ours')).not.toBe('')
    expect(provider.requests.at(-1)?.authorization).toBe(`Bearer ${teamKey}`)
  })

  test('an own key goes before the one that is kept for everybody, and that before the environment’s', async () => {
    environment['OURS_API_KEY'] = 'sk-environment'
    await share('ours', 'everyone')
    const stateOf = async () => (await connectionsOf('bob'))[0]?.keyState
    expect(await stateOf()).toBe('environment')
    await keepKey('ours')
    expect(await stateOf()).toBe('shared')
    await harness.bob.call(connectionsRoutes.saveKey, { params: { id: 'ours' }, body: { apiKey: key } })
    expect(await stateOf()).toBe('saved')
    await harness.ann.call(connectionsRoutes.removeSharedKey, { params: { id: 'ours' } })
    await harness.bob.call(connectionsRoutes.removeKey, { params: { id: 'ours' } })
    expect(await stateOf()).toBe('environment')
  })

  test('the key that is kept serves nobody who was not given the connection', async () => {
    await keepKey('ours')
    await harness.bob.call(connectionsRoutes.activate, { params: { id: 'ours' } })
    expect(await ask('bob', 'ours')).toBe('This connection needs your own API key.')
    await share('ours', 'groups', ['staff'])
    expect(await ask('bob', 'ours')).toMatch(/removed/)
  })

  test('a key that is kept never goes to another address than the one it was saved for', async () => {
    await keepKey('ours')
    await share('ours', 'everyone')
    const params = { id: 'ours' }
    await harness.ann.call(connectionsRoutes.saveVariables, {
      params,
      body: { variables: { base_url: `${provider.url}/elsewhere` } },
    })
    expect(await sharing('ours')).toMatchObject({ mode: 'everyone', key: { state: 'not-possible' } })
    expect(await ask('bob', 'ours')).toMatch(/needs your own API key/)
    const refusal = await harness.ann.refusal(connectionsRoutes.saveSharedKey, { params, body: { apiKey: teamKey } })
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' })
    const elsewhere = provider.requests.filter(({ path }) => path.startsWith('/elsewhere'))
    expect(elsewhere.map(({ authorization }) => authorization)).not.toContain(`Bearer ${teamKey}`)
    await harness.ann.call(connectionsRoutes.resetVariables, { params })
    expect(await sharing('ours')).toMatchObject({ key: { state: 'saved' } })
    await install({ id: 'ours', name: 'Not ours' })
    expect(await sharing('ours')).toMatchObject({ key: { state: 'not-possible' } })
    expect(await ask('bob', 'ours')).toMatch(/needs your own API key/)
  })

  test('an installed connection is on for everybody, and asks each account for its own key', async () => {
    await install()
    const refusal = await harness.ann.refusal(connectionsRoutes.saveSharedKey, {
      params: { id: 'acme' },
      body: { apiKey: teamKey },
    })
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' })
    await share('acme', 'everyone')
    expect(await connectionsOf('bob')).toMatchObject([{ id: 'acme', active: true, keyState: 'missing' }])
    await install(withoutKey)
    await share('open', 'everyone')
    provider.control({ apiKey: null })
    expect(await ask('bob', 'open')).not.toBe('')
  })

  test('a connection for groups is there for their members alone, as long as they are in one', async () => {
    await install(withoutKey)
    provider.control({ apiKey: null })
    await share('open', 'groups', ['staff', 'guests'])
    expect(await sharing('open')).toMatchObject({
      mode: 'groups',
      groups: [
        { id: 'staff', name: 'The staff' },
        { id: 'guests', name: 'The guests' },
      ],
    })
    expect(await connectionsOf('bob')).toEqual([])
    const params = { id: 'open' }
    expect(await harness.bob.refusal(connectionsRoutes.plugin, { params })).toMatchObject({ code: 'plugin_not_found' })
    expect(await harness.bob.refusal(connectionsRoutes.activate, { params })).toMatchObject({
      code: 'plugin_not_found',
    })
    expect(await modelsOf('bob')).toEqual(['excerpts'])
    groupsOfBob = ['guests']
    await harness.connections.groupsChanged(['bob'])
    expect(harness.told).toContain('bob models-changed')
    expect(await modelsOf('bob')).toContain('echo')
    expect(await ask('bob', 'open')).not.toBe('')
    groupsOfBob = []
    await harness.connections.groupsChanged(['bob'])
    expect(await ask('bob', 'open')).toMatch(/removed/)
    // An administrator goes on seeing it, and uses it only where it is switched on.
    expect(await connectionsOf('ann')).toMatchObject([{ id: 'open', active: false, shared: false }])
  })

  test('a private connection is seen by administrators alone, and on for the one who set it', async () => {
    await install(withoutKey)
    await harness.bob.call(connectionsRoutes.activate, { params: { id: 'open' } })
    expect(await share('open', 'private')).toMatchObject({ mode: 'private', own: true })
    expect(await connectionsOf('bob')).toEqual([])
    expect(await connectionsOf('ann')).toMatchObject([{ id: 'open', active: true, shared: true }])
    await share('open', 'opt-in')
    expect(await connectionsOf('bob')).toMatchObject([{ id: 'open', active: true, shared: false }])
  })

  test('whoever switches it off keeps it off, also when it is shared with more people', async () => {
    await install(withoutKey)
    const params = { id: 'open' }
    await harness.bob.call(connectionsRoutes.activate, { params })
    await harness.bob.call(connectionsRoutes.deactivate, { params })
    harness.clock.advance(1000)
    await share('open', 'everyone')
    expect(await connectionsOf('bob')).toMatchObject([{ active: true }])
    harness.clock.advance(1000)
    expect(await harness.bob.call(connectionsRoutes.deactivate, { params })).toMatchObject({
      active: false,
      shared: true,
    })
    await share('open', 'everyone')
    await install(withoutKey)
    expect(await connectionsOf('bob')).toMatchObject([{ active: false }])
    expect(await harness.bob.call(connectionsRoutes.activate, { params })).toMatchObject({
      connection: { active: true },
    })
    await harness.bob.call(connectionsRoutes.deactivateAll, {})
    expect(await connectionsOf('bob')).toMatchObject([{ active: false }])
  })

  test('an account without a model asks for one once, and is answered when a connection is given to everybody', async () => {
    const ask = () => harness.bob.call(connectionsRoutes.requestModel, {})
    const waiting = async () => (await harness.ann.call(connectionsRoutes.modelRequests, {})).items
    expect(await harness.bob.call(connectionsRoutes.modelRequest, {})).toEqual({
      requestedAt: null,
      administrators: ['Name of ann'],
    })
    const { requestedAt } = await ask()
    harness.clock.advance(1000)
    expect(await ask()).toMatchObject({ requestedAt })
    expect(harness.told.filter((news) => news === 'ann model-requests-changed')).toHaveLength(1)
    expect(await waiting()).toEqual([{ accountId: 'bob', name: 'Name of bob', requestedAt }])
    await harness.ann.call(connectionsRoutes.dismissModelRequest, { params: { accountId: 'bob' } })
    expect(await waiting()).toEqual([])
    await ask()
    await install(withoutKey)
    await share('open', 'groups', ['staff'])
    expect(await waiting()).toHaveLength(1)
    await share('open', 'everyone')
    expect(await waiting()).toEqual([])
  })

  test('deleting a connection deletes what was decided about it', async () => {
    await install(withoutKey)
    await share('open', 'private')
    await harness.ann.call(connectionsRoutes.remove, { params: { id: 'open' } })
    await install(withoutKey)
    expect(await sharing('open')).toMatchObject({ mode: 'opt-in' })
    expect(await connectionsOf('bob')).toMatchObject([{ id: 'open', active: false }])
  })

  test('what cannot be carried out is refused, and nothing changes', async () => {
    await install(withoutKey)
    const params = { id: 'open' }
    const refuse = (body: { mode: 'groups'; groupIds?: string[] }) =>
      harness.ann.refusal(connectionsRoutes.saveSharing, { params, body })
    expect(await refuse({ mode: 'groups' })).toMatchObject({ code: 'validation_failed' })
    expect(await refuse({ mode: 'groups', groupIds: ['gone'] })).toMatchObject({ code: 'group_not_found' })
    const unknown = { params: { id: 'nowhere' }, body: { mode: 'everyone' } } as const
    expect(await harness.ann.refusal(connectionsRoutes.saveSharing, unknown)).toMatchObject({
      code: 'plugin_not_found',
    })
    expect(await sharing('open')).toMatchObject({ mode: 'opt-in' })
  })

  test('what cannot be read is closed to everybody but administrators', async () => {
    await install(withoutKey)
    await share('open', 'everyone')
    const tables = harness.database.tables<{ connection_sharing: { mode: string } }>()
    await tables.updateTable('connection_sharing').set({ mode: 'nonsense' }).execute()
    await harness.connections.groupsChanged(['bob'])
    expect(await connectionsOf('bob')).toEqual([])
    expect(await connectionsOf('ann')).toMatchObject([{ id: 'open', active: false }])
  })

  test('a key that is kept is sealed, and in no answer', async () => {
    await keepKey('ours')
    await share('ours', 'everyone')
    const rows = await harness.database
      .tables<{ connection_shared_keys: { secret: Uint8Array } }>()
      .selectFrom('connection_shared_keys')
      .select('secret')
      .execute()
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]?.secret ?? []).toString('latin1')).not.toContain(teamKey)
    const answers = await Promise.all([connectionsOf('ann'), connectionsOf('bob'), sharing('ours')])
    expect(JSON.stringify(answers)).not.toContain(teamKey)
  })
})
