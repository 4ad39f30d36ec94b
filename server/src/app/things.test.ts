/**
 * Everything that has an id, tried by a second account and by an administrator: to them it does not exist, on every
 * route that names it. Which routes those are follows from the contract; one whose thing is not made here fails.
 */
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { automationsRoutes } from '@atrium/contract/automations'
import { channelsRoutes } from '@atrium/contract/channels'
import { chatRoutes } from '@atrium/contract/chat'
import { codeInterpreterRoutes } from '@atrium/contract/code-interpreter'
import { documentsRoutes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { personalServersRoutes } from '@atrium/contract/tool-servers'
import type { Route } from '@atrium/contract/route'
import { transfersRoutes } from '@atrium/contract/transfers'
import { webhooksRoutes } from '@atrium/contract/webhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routesByTag } from './areas.ts'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { pathParams } from '../platform/http/table.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { sampleOf } from '../testing/sample.ts'
import { readSamples } from '../testing/samples.ts'

const routes = Object.entries(routesByTag).flatMap(([area, table]) =>
  Object.entries(table).map(([name, route]) => ({ label: `${area}.${name}`, area, route })),
)
/** Those that name something of one account. */
const personal = routes.filter(
  ({ route: { path, access, names } }) => pathParams(path).length > 0 && access === 'user' && names !== 'instance',
)

/** What needs a browser, a provider or a proof to be made: its own tests try it with a second account. */
const triedElsewhere: Readonly<Record<string, string>> = {
  'calendar.createFeed': 'calendar/feeds.test.ts; `content` is no id',
  'calendar.removeFeed': 'calendar/feeds.test.ts; `content` is no id',
  'authentication.renamePasskey': 'core/accounts/passkeys',
  'authentication.removePasskey': 'core/accounts/passkeys',
  'authentication.unlinkIdentity': 'core/sign-in-providers/oauth',
  'access-control.breakGlassUses': 'core/access',
  'access-control.seenBreakGlass': 'core/access',
  'chat.sentMedia': 'features/chat/generations',
  'chat-tools.callResult': 'core/tools/results.test.ts',
  'chat-tools.callMedia': 'core/tools/results.test.ts',
  'chat-tools.callFromApp': 'core/tools/app-calls.test.ts',
  'chat-tools.updatePersonalTool': 'features/tool-servers/personal.test.ts; `toolName` is no id',
  // A version is a number, and every artifact has a first one.
  'artifacts.readVersion': 'features/artifacts',
  'artifacts.restore': 'features/artifacts',
  'media-gallery.videoJob': 'features/media-gallery/jobs',
  'media-gallery.resumeVideo': 'features/media-gallery/jobs',
  'media-gallery.cancelVideo': 'features/media-gallery/jobs',
  'media-gallery.stopJob': 'features/media-gallery/jobs',
  'media-gallery.jobPartial': 'features/media-gallery/jobs',
}

describe('what belongs to one account', () => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  let strangers: Client[]
  /** By area and parameter, or by parameter alone. */
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({
      env: { OLLAMA_BASE_URL: provider.url, CHAT_LINKS: 'true', TOOLS_PERSONAL_SERVERS: 'true' },
    })
    const admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    strangers = [await app.signUpUser('ben'), admin]
    const cyd = await app.signUpUser('cyd')
    ids = { ...(await makeKinds(ann)), ...(await make(ann, cyd)) }
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const paramsOf = (area: string, route: Route) =>
    Object.fromEntries(
      pathParams(route.path).map((name) => {
        const id = ids[`${area} ${route.path.split('/')[3]} ${name}`] ?? ids[`${area} ${name}`] ?? ids[name]
        if (id === undefined) throw new Error(`${route.path}: nothing was made for {${name}}`)
        return [name, id]
      }),
    )
  const send = async (client: Client, area: string, route: Route) =>
    await client.answer(route, {
      params: paramsOf(area, route),
      ...(route.query ? { query: sampleOf(route.query) } : {}),
      ...(route.body ? { body: sampleOf(route.body) } : {}),
      ...(route.upload ? { file: new Blob(['x']) } : {}),
    } as never)

  test('is there for its owner', async () => {
    for (const { label, area, route } of personal) {
      if (route.method !== 'get' || triedElsewhere[label]) continue
      const response = await send(ann, area, route)
      await response.body?.cancel()
      expect(`${label} ${response.status}`).toBe(`${label} 200`)
    }
  })

  test('is not there for another account, nor for an administrator, on any route', async () => {
    const faults: string[] = []
    for (const { label, area, route } of personal) {
      if (triedElsewhere[label]) continue
      for (const stranger of strangers) {
        const response = await send(stranger, area, route)
        const { code } = (await response.json().catch(() => ({}))) as { code?: string }
        if (response.status !== 404 || !/_not_found$/.test(code ?? ''))
          faults.push(`${label}: ${response.status} ${code}`)
      }
    }
    expect(faults).toEqual([])
  })

  test('is still there for its owner afterwards', async () => {
    for (const { label, area, route } of personal) {
      if (route.method !== 'get' || triedElsewhere[label]) continue
      const response = await send(ann, area, route)
      await response.body?.cancel()
      expect(`${label} ${response.status}`).toBe(`${label} 200`)
    }
  })

  test('cannot be reached through a thing of one’s own: every child is bound to its parent', async () => {
    const ben = strangers[0] as Client
    const own = { ...(await makeKinds(ben)), ...(await make(ben, ann)) }
    const faults: string[] = []
    for (const { label, area, route } of personal) {
      const params = pathParams(route.path)
      if (params.length < 2 || triedElsewhere[label]) continue
      // The parent is the caller's, the child somebody else's, and the other way round.
      for (const [parents, children] of [
        [own, ids],
        [ids, own],
      ] as const) {
        const mixed = Object.fromEntries(params.map((name, at) => [name, (at === 0 ? parents : children)[name]]))
        const body = route.body ? { body: sampleOf(route.body) } : {}
        const response = await ben.answer(route, { params: mixed, ...body } as never)
        const { code } = (await response.json().catch(() => ({}))) as { code?: string }
        if (response.status !== 404) faults.push(`${area} ${label}: ${response.status} ${code}`)
      }
    }
    expect(faults).toEqual([])
  })
})

const patience = { timeout: 120_000, interval: 100 }

/** One of each kind that a route names, by the parameter that holds its id. */
const makeKinds = async (client: Client): Promise<Record<string, string>> => {
  const samples = await readSamples()
  const kindOf = new Map(
    personal.flatMap(({ route: { names } }) =>
      typeof names === 'object' ? [[names.id, names.resource] as const] : [],
    ),
  )
  const made: Record<string, string> = {}
  for (const [parameter, kind] of kindOf) made[parameter] = await samples[kind].make(client, 'Trips')
  return made
}

/** Everything else that has an id, and chats and collections with what is in them, for an account. */
const make = async (client: Client, other: Client): Promise<Record<string, string>> => {
  const selection = { providerType: 'local', providerId: null, model: 'echo' } as const
  const { id: sessionId } = await client.call(chatRoutes.create, {
    body: { title: 'Lisbon', selection, tags: ['trams'] },
  })
  const params = { sessionId }
  const attach = { query: { name: 'a.md' }, file: new Blob(['# A'], { type: 'text/markdown' }) }
  const { id: attachmentId } = await client.call(chatRoutes.attach, attach)
  const sent = await client.call(chatRoutes.attach, attach)
  const question = { role: 'user' as const, content: 'Where?', attachmentIds: [sent.id] }
  const { id: messageId } = await client.call(chatRoutes.addMessage, { params, body: question })
  const { queue } = await client.call(chatRoutes.enqueue, { params, body: { content: 'And then?' } })
  const { link } = await client.call(chatRoutes.addLink, { params, body: {} })
  const gone = await client.call(chatRoutes.create, { body: { title: 'Gone' } })
  await client.call(chatRoutes.remove, { params: { sessionId: gone.id } })
  const { items: trash } = await client.call(chatRoutes.trash, {})
  const { items: tags } = await client.call(chatRoutes.tags, {})

  const { id: collectionId } = await client.call(documentsRoutes.createCollection, { body: { name: 'Trips' } })
  const form = new FormData()
  form.append('document', new Blob(['# Lisbon\n\nTrams.'], { type: 'text/markdown' }), 'lisbon.md')
  const upload = await client.raw('/api/documents/upload', { method: 'POST', body: form })
  const document = (await upload.json()) as { id: string; jobId: string }
  const { jobId } = document
  await vi.waitFor(async () => {
    expect((await client.call(durableJobsRoutes.read, { params: { id: jobId } })).state).toBe('succeeded')
  }, patience)

  const { id: albumId } = await client.call(mediaGalleryRoutes.createAlbum, { body: { name: 'Trams' } })

  const { id: otherId } = await other.call(accountsRoutes.me, {})
  const channelBody = { type: 'private' as const, name: 'Trams' }
  const inChannel = { params: { channelId: (await client.call(channelsRoutes.create, { body: channelBody })).id } }
  const channelFile = await client.call(channelsRoutes.attach, { ...inChannel, ...attach })
  const asking = {
    content: 'Which one?',
    models: [{ providerType: 'local' as const, providerId: null, model: 'echo' }],
  }
  const said = await client.call(channelsRoutes.post, { ...inChannel, body: asking })
  const sendAt = new Date(Date.now() + 3600_000).toISOString()
  const scheduled = await client.call(channelsRoutes.schedule, { ...inChannel, body: { content: 'Later', sendAt } })
  const thread = await client.call(channelsRoutes.thread, { params: { messageId: said.id }, query: {} })
  const grant = await client.call(accessRoutes.grant, {
    body: { resourceType: 'collection', resourceId: collectionId, principalType: 'account', principalId: otherId },
  })
  await other.call(accessRoutes.sharedWithMe, {})
  const transfer = await client.call(transfersRoutes.offer, {
    body: { resourceType: 'chat', resourceId: sessionId, toAccountId: (await other.call(accountsRoutes.me, {})).id },
  })
  // Told of what is shared next; nobody answers there.
  const hook = { name: 'x', url: 'https://hooks.invalid/', events: ['*'] }
  const { webhook } = await client.call(webhooksRoutes.createWebhook, { body: hook })
  const shared = await other.call(documentsRoutes.createCollection, { body: { name: `Maps for ${collectionId}` } })
  const { id: ownId } = await client.call(accountsRoutes.me, {})
  await other.call(accessRoutes.grant, {
    body: { resourceType: 'collection', resourceId: shared.id, principalType: 'account', principalId: ownId },
  })
  const automation = { name: 'Trams', instructions: 'Find one.', selection }
  const { id: automationId } = await client.call(automationsRoutes.create, { body: { ...automation, triggers: [] } })
  const { runId } = await client.call(automationsRoutes.run, { params: { automationId } })
  const { items: notifications } = await client.call(notificationsRoutes.list, {})
  const deliveriesOf = async () =>
    (await client.call(webhooksRoutes.webhookDeliveries, { params: { webhookId: webhook.id } })).items
  await vi.waitFor(async () => expect(await deliveriesOf()).not.toEqual([]), patience)
  const { record } = await client.call(apiTokensRoutes.createToken, { body: { name: 'x', scopes: ['chat:read'] } })
  const { items: sessions } = await client.call(accountsRoutes.sessions, {})
  const program = { language: 'javascript', code: "require('fs').writeFileSync('a', 'a')", chatId: null } as const
  const { files } = await client.call(codeInterpreterRoutes.run, { body: program })
  const server = { name: 'Pets', kind: 'mcp', baseUrl: 'https://93.184.215.14/mcp', authMode: 'bearer' } as const
  const { id: serverId } = await client.call(personalServersRoutes.addPersonalServer, { body: server })
  const exported = await client.call(accountDataRoutes.exportOwn, {})
  await vi.waitFor(async () => {
    expect((await client.call(accountDataRoutes.ownExports, {})).items[0]?.state).toBe('ready')
  }, patience)
  return {
    sessionId,
    attachmentId,
    messageId,
    assistantMessageId: messageId,
    // No question waits; whose chat it is comes first.
    approvalId: messageId,
    linkId: link.id,
    fileId: files[0]?.id ?? '',
    collectionId,
    entryId: queue[0]?.id ?? '',
    itemId: trash[0]?.id ?? '',
    tagId: tags[0]?.id ?? '',
    documentId: document.id,
    albumId,
    'automations automationId': automationId,
    'automations runId': runId,
    'chat sessions attachmentId': sent.id,
    'channels attachmentId': channelFile.id,
    scheduledId: scheduled.id,
    'channels messageId': thread.items[0]?.id ?? '',
    emoji: '\u{1F44D}',
    userId: otherId,
    'durable-jobs id': jobId,
    'access-control id': grant.id,
    'access-control transfers id': transfer.id,
    'trash id': trash[0]?.id ?? '',
    'authentication sessions id': sessions[0]?.id ?? '',
    'authentication tokens id': record.id,
    'account-data id': exported.id,
    'chat-tools personal-servers id': serverId,
    'notifications id': notifications[0]?.id ?? '',
    webhookId: webhook.id,
    'calendar calendars content': 'all',
    deliveryId: (await deliveriesOf())[0]?.id ?? '',
  }
}
