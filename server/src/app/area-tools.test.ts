/** Tools of areas, and of a server with an OpenAPI document, as answers call them in the real app. */
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { automationsRoutes } from '@atrium/contract/automations'
import { calendarRoutes } from '@atrium/contract/calendar'
import { documentsRoutes } from '@atrium/contract/documents'
import { settingsRoutes } from '@atrium/contract/settings'
import { toolServersRoutes } from '@atrium/contract/tool-servers'
import { toolsRoutes } from '@atrium/contract/tools'
import { webSearchRoutes } from '@atrium/contract/web-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import { newChat, say } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'
import { uploadAndRead } from '../testing/documents.ts'

describe('an answer that calls tools of areas', () => {
  let provider: Provider
  let app: TestApp
  let admin: Client
  let ann: Client
  let ben: Client
  let api: Server
  let host = ''
  const asked: string[] = []
  beforeAll(async () => {
    provider = await startProvider()
    api = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
      response.setHeader('content-type', 'application/json').end('{"name":"Rex"}')
    })
    await new Promise<void>((go) => api.listen(0, '127.0.0.1', go))
    host = `127.0.0.1:${(api.address() as AddressInfo).port}`
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url, OUTBOUND_ALLOW: host } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    for (const client of [ann, ben])
      await client.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
    api?.close()
  })
  const namesFor = async (client: Client) =>
    (await client.call(toolsRoutes.catalog, {})).tools.map(({ name, mode }) => `${name} ${mode}`)
  const ask = async (client: Client, text: string) => say(client, (await newChat(client)).id, text)

  test('is offered what the account may use, by what it does', async () => {
    const names = await namesFor(ann)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['fetch_page allow', 'search_documents allow', 'list_documents allow', 'read_document allow'],
        ...['search_chats allow', 'read_chat allow', 'list_calendar_events allow', 'find_free_time allow'],
        ...['create_calendar_event ask', 'delete_calendar_event ask'],
      ]),
    )
    expect(names.join()).not.toMatch(/web_search|make_image/)
    const engine = { enabled: true, engine: 'searxng', url: `http://${host}` } as const
    await admin.call(webSearchRoutes.updateConfig, { body: engine })
    expect([
      (await namesFor(admin)).includes('web_search allow'),
      (await namesFor(ann)).join().includes('web_search'),
    ]).toEqual([true, false])
  })

  test('cites the passages that a search of documents found, each account among its own', async () => {
    await uploadAndRead(ann, '# Pumps\n\nThe pump has a warranty of six years.', { name: 'manual.md' })
    const question = '<<search_documents {"query":"pump warranty"}>>'
    const answer = await ask(ann, question)
    expect(answer.toolCalls).toMatchObject([{ name: 'search_documents', status: 'succeeded' }])
    const number = answer.sources.length
    expect(answer.sources.at(-1)).toMatchObject({ number, kind: 'document', name: 'manual.md', cited: true })
    const other = await ask(ben, question)
    expect(other.toolCalls).toMatchObject([{ status: 'succeeded' }])
    expect([other.sources, other.content.includes('six years')]).toEqual([[], false])
    const [document] = (await ann.call(documentsRoutes.list, { query: {} })).items
    const stolen = await ask(ben, `<<read_document {"id":"${document?.id}"}>>`)
    expect(stolen.toolCalls).toMatchObject([{ status: 'failed' }])
    expect(stolen.content).not.toContain('six years')
  })

  test('makes an event once it was allowed, and nothing where it was denied', async () => {
    const answered = (decision: 'allow_once' | 'deny') => async (title: string) => {
      const answer = ask(ann, `<<create_calendar_event {"title":"${title}","start":"2026-12-01T09:00"}>>`)
      const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
      await expect.poll(async () => (await pending()).length).toBe(1)
      const [wanted] = await pending()
      expect(
        await ben.refusal(toolsRoutes.decideApproval, { params: { approvalId: wanted?.id ?? '' }, body: { decision } }),
      ).toMatchObject({ status: 404 })
      await ann.call(toolsRoutes.decideApproval, { params: { approvalId: wanted?.id ?? '' }, body: { decision } })
      return (await answer).toolCalls[0]?.status
    }
    expect(await answered('allow_once')('Dentist')).toBe('succeeded')
    expect(await answered('deny')('Party')).toBe('denied')
    const query = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }
    expect((await ann.call(calendarRoutes.events, { query })).items.map(({ title }) => title)).toEqual(['Dentist'])
  })

  test('makes, lists and pauses automations once it was allowed, which have no tools and are their owner’s alone', async () => {
    const allowed = async (client: Client, text: string) => {
      const answer = ask(client, text)
      const pending = async () => (await client.call(toolsRoutes.approvals, {})).pending
      await expect.poll(async () => (await pending()).length).toBe(1)
      const approvalId = (await pending())[0]?.id ?? ''
      await client.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })
      return (await answer).toolCalls[0]?.status
    }
    const made = {
      name: 'Weekly report',
      instructions: 'Say hello.',
      schedule: '0 9 * * 1',
      time_zone: 'Europe/Lisbon',
    }
    expect(await allowed(ann, `<<create_automation ${JSON.stringify(made)}>>`)).toBe('succeeded')
    const bad = { ...made, schedule: 'every now and then' }
    expect(await allowed(ann, `<<create_automation ${JSON.stringify(bad)}>>`)).toBe('failed')
    const [own, ...others] = (await ann.call(automationsRoutes.list, {})).items
    expect(others).toEqual([])
    expect(own).toMatchObject({ name: 'Weekly report', tools: [], status: 'active', target: { kind: 'chat' } })
    const listed = await ask(ann, '<<list_automations {}>>')
    expect(listed.toolCalls[0]?.result?.text).toContain(`Weekly report (id ${own?.id})`)
    expect(await allowed(ben, `<<pause_automation {"id":"${own?.id}"}>>`)).toBe('failed')
    expect(await allowed(ann, `<<pause_automation {"id":"${own?.id}"}>>`)).toBe('succeeded')
    expect((await ann.call(automationsRoutes.list, {})).items).toMatchObject([{ status: 'paused' }])
  })

  test('calls an operation of an OpenAPI document with the account’s own credential, and checks its arguments before', async () => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]+$' } }]
    const document = JSON.stringify({
      openapi: '3.1.0',
      paths: { '/pets/{id}': { get: { operationId: 'getPet', parameters } } },
    })
    const given = {
      name: 'Pets',
      kind: 'openapi',
      baseUrl: `http://${host}/v1`,
      authMode: 'basic',
      accessMode: 'all-users',
    } as const
    const { id } = await admin.call(toolServersRoutes.addServer, { body: { ...given, document } })
    await admin.call(toolServersRoutes.updateTool, { params: { id, toolName: 'getPet' }, body: { sideEffect: false } })
    await ann.call(toolServersRoutes.saveCredential, { params: { id }, body: { secret: 'ann:secret' } })
    expect((await ann.call(toolsRoutes.catalog, {})).tools).toContainEqual(
      expect.objectContaining({ name: 'Pets__getPet', source: 'openapi', mode: 'allow' }),
    )
    const answer = await ask(ann, '<<Pets__getPet {"id":"rex"}>> then <<Pets__getPet {"id":"../admin"}>>')
    expect(answer.toolCalls).toMatchObject([
      { status: 'succeeded', source: 'openapi', serverName: 'Pets' },
      { status: 'failed' },
    ])
    expect(asked).toEqual([`GET /v1/pets/rex Basic ${Buffer.from('ann:secret').toString('base64')}`])
    expect(JSON.stringify(answer)).not.toContain('ann:secret')
  })
})
