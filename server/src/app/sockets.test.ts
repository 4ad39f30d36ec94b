import { once } from 'node:events'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemRoutes } from '@atrium/contract/system'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import { type AppProcess, startAppProcess } from '../testing/app-process.ts'
import { type Client, createClient } from '../testing/client.ts'
import { createPostgresDatabase, dropPostgresDatabase, usualDialects } from '../testing/databases.ts'
import { signedIn } from '../testing/sign-in.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Opens the socket of the account, with a ticket of `client`, at `url`. */
const openSocket = async (client: Client, url: string, query = '') => {
  const { ticket } = await client.call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
  const line = new WebSocket(`${url.replace('http', 'ws')}/ws?ticket=${ticket}${query}`)
  const events: { seq: number; type: string; data: unknown }[] = []
  line.on('message', (data: Buffer) => events.push(JSON.parse(data.toString())))
  const closed = once(line, 'close').then(([code]) => ({ code: code as number, at: performance.now() }))
  await once(line, 'open')
  return { line, events, closed }
}

/** Follows the events of the account until the stream is cut. */
const followEvents = async (client: Client): Promise<{ cut: Promise<number> }> => {
  const response = await client.answer(systemRoutes.events, {})
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const drain = async (): Promise<number> => {
    while (!(await reader.read().catch(() => ({ done: true }))).done);
    return performance.now()
  }
  return { cut: drain() }
}

describe.each(usualDialects)('sockets of the whole app (%s)', (dialect) => {
  const start = async (): Promise<TestApp> => {
    const app = await startTestApp({ dialect })
    stops.push(() => app.close())
    return app
  }

  test('administrators who look at jobs are told that some moved, and nobody else is', async () => {
    const app = await start()
    const admin = await app.signUpAdmin()
    const ben = await app.signUpUser('ben')
    const look = async (client: Client) => {
      const { line, events } = await openSocket(client, app.url)
      line.send('{"type":"places","data":{"places":{}}}')
      line.send('{"type":"shows","data":{"streams":["jobs"]}}')
      await expect.poll(() => events.map(({ type }) => type)).toContain('streams-opened')
      return () => events.filter(({ type }) => type === 'stream-signal').map(({ data }) => data)
    }
    const [ofAdmin, ofBen] = [await look(admin), await look(ben)]
    await ben.call(accountDataRoutes.exportOwn, {})
    await expect.poll(ofAdmin).toContainEqual({ stream: 'jobs', type: 'moved', data: {} })
    expect(ofBen()).toEqual([])
  })

  test('a socket carries what the event stream carries, and goes on where it was left', async () => {
    const app = await start()
    const admin = await app.signUpAdmin()
    const { line, events } = await openSocket(admin, app.url)
    await admin.call(settingsRoutes.update, { body: { density: 'roomy' } })
    await expect.poll(() => events.map(({ type }) => type)).toEqual(['preferences-changed'])
    line.close()
    await admin.call(settingsRoutes.update, { body: { density: 'compact' } })
    await admin.call(settingsRoutes.update, { body: { density: 'normal' } })
    const again = await openSocket(admin, app.url, `&after=${events[0]?.seq}`)
    await expect.poll(() => again.events).toHaveLength(2)
    expect(again.events.map(({ seq }) => seq)).toEqual([2, 3].map((step) => (events[0]?.seq ?? 0) - 1 + step))
  })

  test('a socket follows one answer of a chat as its event stream does, for whoever may read it', async () => {
    const app = await start()
    const admin = await app.signUpAdmin()
    const ben = await app.signUpUser('ben')
    const { id } = await admin.call(chatRoutes.create, { body: { model: 'excerpts', providerType: 'builtin' } })
    const params = { sessionId: id }
    const frames: { seq: number; type: string; data: unknown }[] = []
    for await (const { seq, event } of admin.follow(chatRoutes.generateStream, { params, body: { message: 'Hello' } }))
      frames.push({ seq, type: event.type, data: event.data })
    const open = async (client: Client, query: string) => {
      const { ticket } = await client.call(accountsRoutes.websocketTicket, { body: {} })
      const line = new WebSocket(`${app.url.replace('http', 'ws')}/ws?ticket=${ticket}${query}`)
      const events: unknown[] = []
      line.on('message', (data: Buffer) => events.push(JSON.parse(data.toString())))
      const refused = once(line, 'unexpected-response').then(
        ([, answer]) => (answer as { statusCode: number }).statusCode,
      )
      const closed = once(line, 'close').then(([code]) => code as number)
      line.on('error', () => undefined)
      return { events, end: await Promise.race([refused, closed]) }
    }
    const all = await open(admin, `&session=${id}`)
    expect(all).toEqual({ events: frames, end: 1000 })
    const last = frames.at(-1)
    expect(last?.type).toBe('done')
    const { messages } = await admin.call(chatRoutes.read, { params })
    const generation = messages.items.at(-1)?.generationId
    const rest = await open(admin, `&session=${id}&generation=${generation}&after=${(last?.seq ?? 0) - 1}`)
    expect(rest).toEqual({ events: [last], end: 1000 })
    expect((await open(admin, `&session=${id}&generation=none`)).end).toBe(404)
    expect((await open(admin, '')).end).toBe(401)
    expect((await open(ben, `&session=${id}`)).end).toBe(404)
    const grant = { resourceType: 'chat', resourceId: id, principalType: 'account', right: 'read' } as const
    const { id: principalId } = await ben.call(accountsRoutes.me, {})
    await admin.call(accessRoutes.grant, { body: { ...grant, principalId } })
    const shared = await open(ben, `&session=${id}`)
    expect([shared.end, (shared.events.at(-1) as { type: string }).type]).toEqual([1000, 'done'])
  })

  test('of two hundred who come with one ticket, one gets in', async () => {
    const app = await start()
    const admin = await app.signUpAdmin()
    const { ticket } = await admin.call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const line = new WebSocket(`${app.url.replace('http', 'ws')}/ws?ticket=${ticket}`)
        line.on('error', () => undefined)
        return await Promise.race([
          once(line, 'open').then(() => 'open'),
          once(line, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode),
        ])
      }),
    )
    expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 401)).toHaveLength(199)
  })

  test('a session that is revoked, by its owner or an administrator, is out of routes, stream and socket at once', async () => {
    const app = await start()
    const admin = await app.signUpAdmin()
    const ben = await app.signUpUser('ben')
    const own = await ben.call(accountsRoutes.sessions, {})
    const here = await openSocket(ben, app.url)
    const stream = await followEvents(ben)
    const began = performance.now()
    await ben.call(accountsRoutes.revokeSession, { params: { id: own.items[0]?.id ?? '' } })
    expect(await here.closed).toMatchObject({ code: 1008 })
    // Told, not found out: by itself a stream asks for its right again only every five seconds.
    expect((await stream.cut) - began).toBeLessThan(4500)
    expect(await ben.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })

    const { token, user } = signedIn(
      await app.client().call(accountsRoutes.login, { body: { username: 'ben', password: testPassword } }),
    )
    const back = await openSocket(app.client(token), app.url)
    await admin.call(userAdministrationRoutes.setStatus, { params: { id: user.id }, body: { status: 'disabled' } })
    expect(await back.closed).toMatchObject({ code: 1008 })
  })
})

test('what one process ends is cut in every other one within a second, streams and sockets alike', async () => {
  const databaseUrl = await createPostgresDatabase()
  stops.push(() => dropPostgresDatabase(databaseUrl))
  const first = await startTestApp({ env: { DATABASE_URL: databaseUrl } })
  stops.push(() => first.close())
  const admin = await first.signUpAdmin()
  const second: AppProcess = await startAppProcess({
    PORT: '0',
    DATA_DIR: first.dataDir,
    DATABASE_URL: databaseUrl,
  })
  stops.push(() => second.stop())
  const ben = await first.signUpUser('ben')
  const there = createClient(second.url, ben.token)
  const { id } = await there.call(accountsRoutes.me, {})

  await admin.call(userAdministrationRoutes.update, { params: { id }, body: { role: 'admin' } })
  const risen = await openSocket(ben, second.url)
  expect(await there.call(userAdministrationRoutes.list, {})).toHaveProperty('items')
  const before = performance.now()
  await admin.call(userAdministrationRoutes.update, { params: { id }, body: { role: 'user' } })
  // Told, not found out: by itself a stream asks for its right again only every five seconds.
  expect((await risen.closed).at - before).toBeLessThan(4500)
  expect(await there.refusal(userAdministrationRoutes.list, {})).toMatchObject({ code: 'forbidden' })

  const socket = await openSocket(ben, second.url)
  const stream = await followEvents(there)
  const began = performance.now()
  await admin.call(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'disabled' } })
  const [{ code, at }, cut] = await Promise.all([socket.closed, stream.cut])
  expect(code).toBe(1008)
  expect(Math.max(at, cut) - began).toBeLessThan(4500)
  expect(await there.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'account_disabled' })
})
