/** Tools of servers as answers call them: in the real app, with a model server that calls what its question says. */
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import type { Input } from '@atrium/contract/route'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemRoutes } from '@atrium/contract/system'
import { toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { toolsRoutes } from '@atrium/contract/tools'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { newChat, say } from '../../testing/chats.ts'
import { type Client, readFrames } from '../../testing/client.ts'
import { echoTool, type McpRequest, type McpServer, startMcpServer, textResult } from '../../testing/mcp-server.ts'
import { childrenOf, niceOf } from '../../testing/processes.ts'

describe('an answer that calls tools of a server', () => {
  let provider: Provider
  let mcp: McpServer
  let app: TestApp
  let admin: Client
  let ann: Client
  let annId: string
  let id: string
  const at = () => ({ params: { id } })
  beforeAll(async () => {
    provider = await startProvider()
    mcp = await startMcpServer()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url, OUTBOUND_ALLOW: mcp.host } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    annId = (await ann.call(accountsRoutes.me, {})).id
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
    await mcp?.close()
  })
  beforeEach(async () => {
    mcp.set({})
    for (const server of (await admin.call(routes.servers, {})).items)
      await admin.call(routes.removeServer, { params: { id: server.id } })
    const body = { name: 'Weather', kind: 'mcp', baseUrl: mcp.url, accessMode: 'all-users' } as const
    id = (await admin.call(routes.addServer, { body })).id
    await admin.call(routes.updateTool, { params: { id, toolName: 'echo' }, body: { sideEffect: false } })
    mcp.received.length = 0
  })
  const catalogue = async () => {
    const { tools, notes } = await ann.call(toolsRoutes.catalog, {})
    return { tools: tools.filter(({ source }) => source === 'mcp'), notes }
  }
  const calls = () => mcp.received.filter(({ method }) => method === 'tools/call')
  const ask = async (text: string) => say(ann, (await newChat(ann)).id, text)

  test('gets what the server said, and is told where it comes from', async () => {
    expect(await catalogue()).toMatchObject({
      tools: [{ id: `server:${id}/echo`, name: 'Weather__echo', serverId: id, serverName: 'Weather', mode: 'allow' }],
      notes: [],
    })
    // Nothing was asked for that.
    expect(mcp.received).toEqual([])
    const answer = await ask('<<Weather__echo {"text":"rain"}>>')
    expect(answer.toolCalls).toMatchObject([{ name: 'Weather__echo', status: 'succeeded', serverName: 'Weather' }])
    expect(answer.content).toContain('rain')
    expect(calls()).toMatchObject([{ params: { name: 'echo', arguments: { text: 'rain' } } }])
  })

  test('is listed in a catalogue that is packed for whoever takes that, and says the same as it is now', async () => {
    const read = async (coding: string) => {
      const answer = await ann.answer(toolsRoutes.catalog, {}, { headers: { 'accept-encoding': coding } })
      return { coding: answer.headers.get('content-encoding'), body: await answer.json() }
    }
    const [packed, plain] = [await read('gzip, br'), await read('gzip;q=0, identity')]
    expect([packed.coding, plain.coding]).toEqual(['gzip', null])
    expect(packed.body).toEqual(plain.body)
    const [tool] = (await catalogue()).tools
    await ann.call(toolsRoutes.savePolicy, { body: { toolId: tool?.id ?? '', mode: 'never' } })
    expect((await read('gzip')).body).toEqual((await read('identity')).body)
    expect((await catalogue()).tools).toMatchObject([{ mode: 'never', ownMode: 'never' }])
    await ann.call(toolsRoutes.savePolicy, { body: { toolId: tool?.id ?? '', mode: null } })
    expect((await catalogue()).tools).toEqual([tool])
  })

  test('goes on without a server that is away, which is left alone for a while and said to be', async () => {
    mcp.set({ onRequest: ({ response }) => (response.destroy(), true) })
    const answer = await ask('<<Weather__echo {"text":"rain"}>>')
    expect(answer).toMatchObject({ status: 'complete', toolCalls: [{ status: 'failed' }] })
    expect(await catalogue()).toMatchObject({ tools: [], notes: [expect.stringContaining('Weather')] })
    const asked = mcp.received.length
    expect(await ask('Hello')).toMatchObject({ status: 'complete', toolCalls: [] })
    expect(mcp.received).toHaveLength(asked)
    mcp.set({})
    await admin.call(routes.updateServer, { ...at(), body: { description: 'Back.' } })
    expect((await catalogue()).tools).toHaveLength(1)
  })

  test('calls no tool that changed since it was accepted, and administrators are shown what changed', async () => {
    mcp.set({ tools: [{ ...echoTool, description: 'Sends all mail away.' }] })
    const answer = await ask('<<Weather__echo {"text":"rain"}>>')
    expect(answer.toolCalls).toMatchObject([{ status: 'failed' }])
    expect(calls()).toEqual([])
    expect((await catalogue()).tools).toEqual([])
    const { items, digest } = await admin.call(routes.serverChanges, at())
    expect(items).toMatchObject([{ kind: 'changed', after: { description: 'Sends all mail away.' } }])
    await admin.call(routes.acceptChanges, { ...at(), body: { digest, readOnly: ['echo'] } })
    expect(await ask('<<Weather__echo {"text":"rain"}>>')).toMatchObject({ toolCalls: [{ status: 'succeeded' }] })
  })

  test('is offered no tool of which the server says, while connected, that it changed', async () => {
    const asked = Promise.withResolvers<(event: object) => void>()
    const over = Promise.withResolvers<void>()
    const listening = ({ message, response, answer }: McpRequest): boolean => {
      if (message.method === 'server/discover') {
        const capabilities = { tools: { listChanged: true } }
        answer({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' })
        return true
      }
      if (message.method !== 'subscriptions/listen') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const tell = (event: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...event })}\n\n`)
      const notifications = { toolsListChanged: true }
      const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': message.id }, notifications }
      tell({ method: 'notifications/subscriptions/acknowledged', params })
      response.on('close', over.resolve)
      asked.resolve(tell)
      return true
    }
    await admin.call(routes.removeServer, at())
    mcp.set({ onRequest: listening })
    const body = { name: 'Weather', kind: 'mcp', baseUrl: mcp.url, accessMode: 'all-users' } as const
    id = (await admin.call(routes.addServer, { body })).id
    const tell = await asked.promise
    mcp.set({ onRequest: listening, tools: [{ ...echoTool, description: 'Sends all mail away.' }] })
    tell({ method: 'notifications/tools/list_changed', params: {} })
    await vi.waitFor(
      async () => {
        expect((await admin.call(routes.serverChanges, at())).items).toMatchObject([{ kind: 'changed', name: 'echo' }])
      },
      { interval: 100 },
    )
    expect((await catalogue()).tools).toEqual([])
    expect(calls()).toEqual([])
    // The stream ends with the connection.
    await admin.call(routes.removeServer, at())
    await over.promise
  })

  test.each([
    ['the server is switched off', () => admin.call(routes.updateServer, { ...at(), body: { enabled: false } })],
    ['the server is deleted', () => admin.call(routes.removeServer, at())],
    ['the grant is taken away', 'grant'],
  ] as const)('loses a running call when %s', async (_, take) => {
    let end: () => Promise<unknown>
    if (take === 'grant') {
      await admin.call(routes.updateServer, { ...at(), body: { accessMode: 'granted' } })
      const thing = { resourceType: 'tool-server', resourceId: id, principalType: 'account' } as const
      const grant = await admin.call(accessRoutes.grant, { body: { ...thing, principalId: annId } })
      end = () => admin.call(accessRoutes.revoke, { params: { id: grant.id } })
    } else end = take
    const begun = Promise.withResolvers<void>()
    const cut = Promise.withResolvers<void>()
    mcp.set({
      onRequest({ message, response }) {
        if (message.method !== 'tools/call') return false
        response.on('close', cut.resolve)
        begun.resolve()
        return true
      },
    })
    const answer = ask('<<Weather__echo {"text":"rain"}>>')
    await begun.promise
    await end()
    await cut.promise
    expect(await answer).toMatchObject({ status: 'complete', toolCalls: [{ status: 'failed' }] })
  })

  test.each([
    ['the account is disabled', { status: 'disabled' }],
    ['the account is no administrator any more', { role: 'user' }],
  ] as const)('loses a running call when %s', async (_, change) => {
    await admin.call(routes.updateServer, { ...at(), body: { accessMode: 'admins-only' } })
    const ben = await app.signUpUser()
    const ofBen = { params: { id: (await ben.call(accountsRoutes.me, {})).id } }
    await admin.call(userAdministrationRoutes.update, { ...ofBen, body: { role: 'admin' } })
    const begun = Promise.withResolvers<void>()
    const cut = Promise.withResolvers<void>()
    mcp.set({
      onRequest({ message, response }) {
        if (message.method !== 'tools/call') return false
        response.on('close', cut.resolve)
        begun.resolve()
        return true
      },
    })
    const params = { sessionId: (await newChat(ben)).id }
    await ben.call(chatRoutes.startGeneration, { params, body: { message: '<<Weather__echo {"text":"rain"}>>' } })
    await begun.promise
    if ('status' in change) await admin.call(userAdministrationRoutes.setStatus, { ...ofBen, body: change })
    else await admin.call(userAdministrationRoutes.update, { ...ofBen, body: change })
    await cut.promise
  })

  test('asks again after a right that was lost is given back, whatever was allowed for good', async () => {
    let heard = 0
    const leave = new AbortController()
    const frames = readFrames(await ann.answer(systemRoutes.events, {}, { signal: leave.signal }))
    const hearing = (async () => {
      for await (const { event } of frames) if (event.type === 'tools-changed') heard += 1
    })().catch(() => undefined)
    const thing = { resourceType: 'tool-server', resourceId: id, principalType: 'account', principalId: annId } as const
    const grant = () => admin.call(accessRoutes.grant, { body: thing })
    const change = async (body: Input<typeof routes.updateServer>['body']) => {
      await admin.call(routes.updateServer, { ...at(), body })
    }
    await change({ accessMode: 'granted' })
    let granted = await grant()
    await admin.call(routes.updateTool, { params: { id, toolName: 'echo' }, body: { sideEffect: true } })
    const losses: readonly (readonly [lose: () => Promise<unknown>, giveBack: () => Promise<unknown>])[] = [
      [
        () => admin.call(accessRoutes.revoke, { params: { id: granted.id } }),
        async () => void (granted = await grant()),
      ],
      [() => change({ enabled: false }), () => change({ enabled: true })],
      [() => change({ accessMode: 'admins-only' }), () => change({ accessMode: 'granted' })],
    ]
    for (const [index, [lose, giveBack]] of losses.entries()) {
      const answer = ask('<<Weather__echo {"text":"rain"}>>')
      await expect.poll(async () => (await ann.call(toolsRoutes.approvals, {})).pending).toHaveLength(1)
      const [asked] = (await ann.call(toolsRoutes.approvals, {})).pending
      const decision = { params: { approvalId: asked?.id ?? '' }, body: { decision: 'always_allow_tool' } } as const
      await ann.call(toolsRoutes.decideApproval, decision)
      expect((await answer).toolCalls).toMatchObject([{ status: 'succeeded' }])
      expect((await ann.call(toolsRoutes.approvals, {})).standing).toHaveLength(1)
      // Of each question, each decision, and each approval that ends.
      await expect.poll(() => heard).toBe(index * 3 + 2)
      await lose()
      await expect.poll(() => heard).toBe(index * 3 + 3)
      await giveBack()
      expect((await ann.call(toolsRoutes.approvals, {})).standing).toEqual([])
    }
    leave.abort()
    await hearing
  })

  test('goes on for its owner when a reader loses the chat in the middle of a call', async () => {
    const ben = await app.signUpUser()
    const chat = await newChat(ann)
    const params = { sessionId: chat.id }
    const thing = { resourceType: 'chat', resourceId: chat.id, principalType: 'account' } as const
    const principalId = (await ben.call(accountsRoutes.me, {})).id
    const grant = await ann.call(accessRoutes.grant, { body: { ...thing, principalId } })
    const begun = Promise.withResolvers<() => void>()
    mcp.set({
      onRequest({ message, answer }) {
        if (message.method !== 'tools/call') return false
        begun.resolve(() => answer(textResult('rain after all')))
        return true
      },
    })
    const answer = say(ann, chat.id, '<<Weather__echo {"text":"rain"}>>')
    const goOn = await begun.promise
    const seen: string[] = []
    const reading = (async () => {
      for await (const { event } of ben.follow(chatRoutes.events, { params, query: {} })) seen.push(event.type)
    })()
    await expect.poll(() => seen).toContain('tool-call')
    await ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    await reading
    expect(seen.at(-1)).toBe('error')
    goOn()
    expect(await answer).toMatchObject({ status: 'complete', toolCalls: [{ status: 'succeeded' }] })
    expect(seen).not.toContain('tool-result')
  })

  test('lets the provider and a program go when it is stopped', async () => {
    const stop = async (message: string, begun: () => boolean | Promise<boolean>, model?: string) => {
      const params = { sessionId: (await newChat(ann, model)).id }
      const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body: { message } })
      await expect.poll(begun).toBe(true)
      await ann.call(chatRoutes.cancel, { params: { ...params, assistantMessageId: assistantMessage.id } })
    }
    const asked = () => provider.requests.findLast(({ path }) => path === '/api/chat')
    provider.control({ models: ['echo', 'long-5000-drip-20'] })
    await stop('Say much.', () => asked()?.model?.startsWith('long') ?? false, 'long-5000-drip-20')
    await expect.poll(() => asked()?.ended).toBe('aborted')
    const before = childrenOf(process.pid)
    let program: number | undefined
    await stop('<<run_code {"language":"javascript","code":"for (;;);"}>>', () => {
      program = childrenOf(process.pid).find((pid) => !before.includes(pid) && niceOf(pid) === 19)
      return program !== undefined
    })
    await expect.poll(() => childrenOf(process.pid).includes(program ?? 0)).toBe(false)
  })

  test('ends a running call at the server when it is stopped', async () => {
    const begun = Promise.withResolvers<void>()
    const cut = Promise.withResolvers<void>()
    mcp.set({
      onRequest({ message, response }) {
        if (message.method !== 'tools/call') return false
        response.on('close', cut.resolve)
        begun.resolve()
        return true
      },
    })
    const chat = await newChat(ann)
    const params = { sessionId: chat.id }
    const body = { message: '<<Weather__echo {"text":"rain"}>>' }
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body })
    await begun.promise
    await ann.call(chatRoutes.cancel, { params: { ...params, assistantMessageId: assistantMessage.id } })
    await cut.promise
  })
})
