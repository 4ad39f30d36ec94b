import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type ConnectionsHarness, openConnections } from '../../testing/connections.ts'
import { withDatabase } from '../../testing/databases.ts'

withDatabase('rows of connections', (open) => {
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

  const chatUrl = () => `${provider.url}/v1/chat/completions`
  const connect = (name: string) =>
    harness.ann.call(connectionsRoutes.quick, { body: { name, url: chatUrl(), allowPrivate: true } })
  const connections = async () => await harness.ann.call(connectionsRoutes.connections, {})
  const ids = async () => (await connections()).items.map(({ id }) => id)
  const tables = () => harness.database.tables<Record<string, Record<string, unknown>>>()
  const modelsOf = async (id: string) =>
    (await harness.ann.call(connectionsRoutes.models, {})).items.filter(({ selection }) => selection.providerId === id)

  /** Puts a definition into the database without any check, in the place of what stands there. */
  const store = async (id: string, definition: unknown) => {
    const keyring = await harness.vault.keyring(null)
    const document = keyring.seal('connection_definitions.document', id, JSON.stringify(definition))
    await tables()
      .insertInto('connection_definitions')
      .values({ id, document, created_at: 1, updated_at: 1 })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ document }))
      .execute()
  }
  /** What quick connections looked like when a variable was named after the id alone. */
  const older = (id: string): Definition => ({
    id,
    name: '127.0.0.1',
    type: 'completion',
    endpoint: chatUrl(),
    api_mode: 'chat_completions',
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: '127_0_0_1_API_KEY', optional: true },
    model_map: ['echo'],
  })
  /** Forgets what is kept in memory, as a start does. */
  const startAgain = () => harness.clock.advance(60_000)

  test.each(['127.0.0.1', '7B models', '4', '١٢٧'])(
    'a connection named %s is stored in a form that is read again',
    async (name) => {
      const { connection } = await connect(name)
      expect(await connections()).toMatchObject({ items: [{ id: connection.id, name }], unreadable: [] })
      expect((await harness.bob.call(connectionsRoutes.plugins, {})).items.map(({ id }) => id)).toContain(connection.id)
      expect(await modelsOf(connection.id)).not.toEqual([])
    },
  )

  test('a definition of an older version whose variable begins with a digit is read, with its key and its models', async () => {
    const { connection } = await connect('127.0.0.1')
    await harness.ann.call(connectionsRoutes.saveKey, {
      params: { id: connection.id },
      body: { apiKey: 'sk-older-key-4242' },
    })
    const before = await modelsOf(connection.id)
    await store(connection.id, older(connection.id))
    startAgain()
    expect(await connections()).toMatchObject({ items: [{ id: connection.id, keyEnding: '4242' }], unreadable: [] })
    expect(await modelsOf(connection.id)).toEqual(before)
    const plugin = await harness.ann.call(connectionsRoutes.plugin, { params: { id: connection.id } })
    expect(plugin.auth.key_env).toBe('CONNECTION_127_0_0_1_API_KEY')
  })

  test('a definition that cannot be read stands in the lists as such, harms no other, and can be deleted', async () => {
    const { connection } = await connect('Sound')
    await store('broken', { ...older('broken'), type: 'no such type' })
    startAgain()
    for (const who of [harness.ann, harness.bob]) {
      expect((await who.call(connectionsRoutes.connections, {})).unreadable).toEqual(['broken'])
      expect((await who.call(connectionsRoutes.plugins, {})).unreadable).toEqual(['broken'])
    }
    expect(await ids()).toEqual([connection.id])
    expect(await modelsOf(connection.id)).not.toEqual([])
    expect((await connect('Another')).connection.id).toBe('another')
    expect(await harness.bob.refusal(connectionsRoutes.remove, { params: { id: 'broken' } })).toMatchObject({
      status: 403,
    })
    await harness.ann.call(connectionsRoutes.remove, { params: { id: 'broken' } })
    expect((await connections()).unreadable).toEqual([])
  })

  test('a definition that cannot be read again is refused before anything is stored', async () => {
    // With the path that is added, it is longer than any address that is read.
    const url = `${provider.url}/`.padEnd(2045, 'a') + '/v1'
    const refusal = await harness.ann.refusal(connectionsRoutes.quick, {
      body: { name: 'Long', url, allowPrivate: true },
    })
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(await ids()).toEqual([])
  })

  test('an address of the instance that cannot be read stops the calls of its connection, until it is reset', async () => {
    const { connection } = await connect('Box')
    const id = connection.id
    await tables()
      .insertInto('connection_instance_values')
      .values({ connection_id: id, document: Buffer.from('no seal at all, but long enough to be one'), updated_at: 1 })
      .execute()
    startAgain()
    const [now] = (await connections()).items
    expect(now?.keyDetail).toMatch(/address can’t be read/)
    await harness.ann.call(connectionsRoutes.resetVariables, { params: { id } })
    expect((await connections()).items[0]?.keyDetail).toBeNull()
  })

  test('a list of models with an absurd window, stored by an older version, is read without it', async () => {
    const { connection } = await connect('Box')
    const own = `ann/${connection.id}`
    const before = await modelsOf(connection.id)
    const keyring = await harness.vault.keyring('ann')
    const [row] = await tables().selectFrom('connection_catalogues').select('models').execute()
    const listed = JSON.parse(
      keyring.open('connection_catalogues.models', own, row?.['models'] as Uint8Array),
    ) as object[]
    const absurd = JSON.stringify(listed.map((model) => ({ ...model, contextWindow: 1e30 })))
    const models = keyring.seal('connection_catalogues.models', own, absurd)
    await tables().updateTable('connection_catalogues').set({ models }).execute()
    startAgain()
    expect(await modelsOf(connection.id)).toEqual(before.map((model) => ({ ...model, contextWindow: null })))
  })

  test('a key, values or a catalogue that cannot be read are as good as none, and harm nothing else', async () => {
    const { connection } = await connect('Box')
    const own = { account_id: 'ann', connection_id: connection.id }
    const bytes = Buffer.from('no seal at all, but long enough to be one')
    await tables()
      .insertInto('connection_values')
      .values({ ...own, document: bytes, updated_at: 1 })
      .execute()
    await harness.ann.call(connectionsRoutes.saveKey, {
      params: { id: own.connection_id },
      body: { apiKey: 'sk-key-12345678' },
    })
    await tables().updateTable('connection_credentials').set({ secret: bytes }).execute()
    await tables().updateTable('connection_catalogues').set({ models: bytes, outcome: '{"outcome":' }).execute()
    startAgain()
    expect(await connections()).toMatchObject({
      items: [{ id: own.connection_id, hasKey: false, keyState: 'other-route' }],
    })
    expect(await modelsOf(own.connection_id)).not.toEqual([])
  })
})
