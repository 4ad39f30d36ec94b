import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { auditRoutes } from '@atrium/contract/audit'
import {
  mostPersonalToolServers,
  personalServersRoutes as routes,
  toolServersRoutes,
  toolSignInRoutes,
} from '@atrium/contract/tool-servers'
import { toolsRoutes } from '@atrium/contract/tools'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'

/** A public address that nothing is asked of: its tools come from a document. */
const baseUrl = 'https://93.184.215.14/v1'
const documentOf = (summary: string) =>
  JSON.stringify({ openapi: '3.1.0', paths: { '/pets': { get: { operationId: 'list', summary } } } })

describe.each(usualDialects)('personal tool servers (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  let ann: Client
  let ben: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect, env: { OUTBOUND_ALLOW: '127.0.0.1:9,10.1.2.3:443' } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
  })
  afterAll(() => app?.close())

  const allow = (allowed: boolean) => admin.call(routes.updatePersonalServersPolicy, { body: { allowed } })
  const body = { name: 'Pets', kind: 'openapi', baseUrl, document: documentOf('Lists pets') } as const
  const add = (client: Client, over: object = {}) =>
    client.call(routes.addPersonalServer, { body: { ...body, ...over } })
  const idsOf = async (client: Client) => (await client.call(toolServersRoutes.servers, {})).items.map(({ id }) => id)
  const toolsOf = async (client: Client) =>
    (await client.call(toolsRoutes.catalog, {})).tools.filter(({ source }) => source === 'openapi')
  const at = (id: string) => ({ params: { id } })
  const missing = { status: 404, code: 'tool_server_not_found' }

  test('are there for nobody until an administrator allows them', async () => {
    expect(await ann.call(routes.personalServersPolicy, {})).toEqual({
      allowed: false,
      lockedByEnv: false,
      limit: mostPersonalToolServers,
    })
    expect((await ann.refusal(routes.addPersonalServer, { body })).code).toBe('personal_tool_servers_off')
    expect((await ann.refusal(routes.updatePersonalServersPolicy, { body: { allowed: true } })).code).toBe('forbidden')
    expect(await allow(true)).toMatchObject({ allowed: true })
    const { items } = await admin.call(auditRoutes.list, { query: { action: 'setting.change' } })
    expect(items.map(({ result }) => result)).toEqual(['success', 'denied'])
  })

  test('are seen, used and managed by their owner alone, administrators included', async () => {
    const server = await add(ann)
    const { id } = server
    expect(server).toMatchObject({ personal: true, toolCount: 1, details: { baseUrl, changeCount: 0 } })
    expect(await idsOf(ann)).toContain(id)
    expect(await toolsOf(ann)).toMatchObject([{ name: 'Pets__list', serverId: id, mode: 'ask', sendsData: true }])
    for (const stranger of [ben, admin]) {
      expect(await idsOf(stranger)).not.toContain(id)
      expect(await toolsOf(stranger)).toEqual([])
      for (const refused of [
        stranger.refusal(toolServersRoutes.server, at(id)),
        stranger.refusal(toolServersRoutes.saveCredential, { ...at(id), body: { secret: 'x' } }),
        stranger.refusal(toolServersRoutes.serverHealth, at(id)),
        stranger.refusal(toolSignInRoutes.toolSignIn, at(id)),
        stranger.refusal(routes.updatePersonalServer, { ...at(id), body: { enabled: false } }),
        stranger.refusal(routes.removePersonalServer, at(id)),
      ])
        expect(await refused).toMatchObject(missing)
    }
    // Nor by the routes for those of the instance, and it is shared with nobody.
    for (const refused of [
      admin.refusal(toolServersRoutes.updateServer, { ...at(id), body: { accessMode: 'all-users' } }),
      admin.refusal(toolServersRoutes.removeServer, at(id)),
      admin.refusal(toolServersRoutes.serverChanges, at(id)),
    ])
      expect(await refused).toMatchObject(missing)
    const { id: benId } = await ben.call(accountsRoutes.me, {})
    const given = { resourceType: 'tool-server', resourceId: id, principalType: 'account', principalId: benId } as const
    for (const client of [ann, admin])
      expect((await client.refusal(accessRoutes.grant, { body: given })).code).toBe('resource_not_found')
    // One of the instance is none of one's own.
    const shared = await admin.call(toolServersRoutes.addServer, { body: { ...body, accessMode: 'all-users' } })
    expect(await ann.refusal(routes.updatePersonalServer, { ...at(shared.id), body: {} })).toMatchObject(missing)
    expect(await admin.refusal(routes.removePersonalServer, at(shared.id))).toMatchObject(missing)
    // No server stands in for another: the one of the instance keeps its name.
    const names = (await toolsOf(ann)).map(({ name, serverId }) => [serverId, name])
    expect(names).toContainEqual([shared.id, 'Pets__list'])
    expect(new Set(names.map(([, name]) => name)).size).toBe(2)
    await admin.call(toolServersRoutes.removeServer, at(shared.id))
    await ann.call(routes.removePersonalServer, at(id))
    expect(await idsOf(ann)).toEqual([])
  })

  test('have their tools in the audit by digests, which administrators read, and shared ones by their names', async () => {
    const own = await add(ann)
    const shared = await admin.call(toolServersRoutes.addServer, { body: { ...body, accessMode: 'all-users' } })
    const change = { toolName: 'list' }
    await ann.call(routes.updatePersonalTool, { params: { id: own.id, ...change }, body: { sideEffect: false } })
    await admin.call(toolServersRoutes.updateTool, {
      params: { id: shared.id, ...change },
      body: { sideEffect: false },
    })
    for (const id of [own.id, shared.id])
      await ann.call(toolsRoutes.savePolicy, { body: { toolId: `server:${id}/list`, mode: 'ask' } })
    const action = 'tool.policy,tool-server-tool.update'
    const { items } = await admin.call(auditRoutes.list, { query: { action } })
    const toldOf = (id: string) => JSON.stringify(items.filter((entry) => JSON.stringify(entry).includes(id)))
    expect(toldOf(shared.id)).toMatch(new RegExp(`server:${shared.id}/list".*"tool":"list"`))
    expect(toldOf(own.id)).toMatch(new RegExp(`server:${own.id}/([\\w-]{16})".*"tool":"\\1"`))
    await admin.call(toolServersRoutes.removeServer, at(shared.id))
    await ann.call(routes.removePersonalServer, at(own.id))
  })

  test('lie at public addresses over HTTPS, whatever the operator allows for others', async () => {
    const codes = []
    for (const address of [
      'http://93.184.215.14/v1',
      'https://127.0.0.1:9/v1',
      'https://10.1.2.3/v1',
      'https://localhost/v1',
      'https://169.254.169.254/v1',
    ])
      codes.push((await ann.refusal(routes.addPersonalServer, { body: { ...body, baseUrl: address } })).code)
    const { document: _, ...plain } = body
    const elsewhere = { ...plain, specUrl: 'http://10.1.2.3:443/openapi.json' }
    codes.push((await ann.refusal(routes.addPersonalServer, { body: elsewhere })).code)
    expect(new Set(codes)).toEqual(new Set(['url_not_allowed']))
    expect(await idsOf(ann)).toEqual([])
  })

  test('offer what their owner accepted: what changed waits, and only what they say runs without asking', async () => {
    const { id } = await add(ann)
    const tool = { params: { id, toolName: 'list' } }
    await ann.call(routes.updatePersonalTool, { ...tool, body: { sideEffect: false } })
    expect(await toolsOf(ann)).toMatchObject([{ mode: 'allow' }])
    const document = documentOf('Lists pets, and sends them to me')
    expect(await ann.call(routes.updatePersonalDocument, { ...at(id), body: { document } })).toMatchObject({
      details: { changeCount: 1 },
    })
    expect(await toolsOf(ann)).toEqual([])
    const { items, digest } = await ann.call(routes.personalServerChanges, at(id))
    expect(items).toMatchObject([{ kind: 'changed', name: 'list' }])
    expect(await ann.call(routes.acceptPersonalChanges, { ...at(id), body: { digest } })).toMatchObject({
      toolCount: 1,
    })
    expect(await toolsOf(ann)).toMatchObject([{ mode: 'ask' }])
    await ann.call(routes.updatePersonalServer, { ...at(id), body: { authMode: 'oauth' } })
    expect(await ann.call(routes.savePersonalOAuthClient, { ...at(id), body: { clientId: 'me' } })).toMatchObject({
      clientId: 'me',
    })
    await ann.call(routes.removePersonalOAuthClient, at(id))
    const { items: entries } = await admin.call(auditRoutes.list, { query: { limit: 100 } })
    expect(
      entries
        .filter(({ targetId }) => targetId === id)
        .map(({ action }) => action)
        .toReversed(),
    ).toEqual([
      ...['tool-server.create', 'tool-server.refresh', 'tool-server-tool.update', 'tool-server.refresh'],
      ...['tool-server.accept', 'tool-server.update', 'tool-server-client.save', 'tool-server-client.delete'],
    ])
    await ann.call(routes.removePersonalServer, at(id))
  })

  test('are at most ten of each account', async () => {
    for (let count = 0; count < mostPersonalToolServers; count++) await add(ann, { name: `S${count}` })
    expect((await ann.refusal(routes.addPersonalServer, { body })).code).toBe('personal_tool_server_limit')
    await add(ben)
    await admin.call(toolServersRoutes.addServer, { body })
  })

  test('rest while they are not allowed, and can still be deleted', async () => {
    await allow(false)
    expect(await toolsOf(ann)).toEqual([])
    const [id = ''] = await idsOf(ann)
    const steps = []
    for await (const { event } of ann.follow(toolServersRoutes.testServer, at(id)))
      if (event.type === 'step') steps.push(event.data.state)
    expect(steps[0]).toBe('failed')
    await ann.call(routes.removePersonalServer, at(id))
    await allow(true)
    expect(await toolsOf(ann)).toHaveLength(mostPersonalToolServers - 1)
  })

  test('go with their account, and are in its archive without secrets', async () => {
    const [id = ''] = await idsOf(ben)
    await ben.call(toolServersRoutes.saveCredential, { ...at(id), body: { secret: 'planted-secret' } })
    const { id: exportId } = await ben.call(accountDataRoutes.exportOwn, {})
    const state = async () => (await ben.call(accountDataRoutes.ownExports, {})).items[0]?.state
    await expect.poll(state).toBe('ready')
    const blob = await ben.call(accountDataRoutes.ownExport, { params: { id: exportId } })
    const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
    const text = strFromU8(files['tool-servers.json'] ?? new Uint8Array())
    expect(JSON.parse(text)).toMatchObject([{ name: 'Pets', baseUrl, tools: [{ name: 'list' }] }])
    expect(text).not.toContain('planted-secret')
    const { id: benId } = await ben.call(accountsRoutes.me, {})
    await admin.call(accountDataRoutes.remove, { params: { id: benId } })
    expect(await idsOf(admin)).not.toContain(id)
    expect(await admin.refusal(toolServersRoutes.server, at(id))).toMatchObject(missing)
    expect(app.lines.filter(({ message }) => message !== 'Answered')).toEqual([])
  })
})
