/** What two people, or two calls of one, do in channels at the same moment. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import type { Call, Route } from '@atrium/contract/route'
import { systemRoutes } from '@atrium/contract/system'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { startAppProcess } from '../../testing/app-process.ts'
import { type Client, createClient } from '../../testing/client.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { channelMigrations } from './migrations.ts'
import type { ChannelTransaction } from './stores/channels.ts'
import { createThreadStore } from './stores/threads.ts'
import type { ChannelTables, MessageRow } from './tables.ts'

describe.each(['sqlite', 'postgres'] as const)('channels, at the same moment (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let annId: string
  let benId: string
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    annId = (await ann.call(accountsRoutes.me, {})).id
    benId = (await ben.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const on = (messageId: string) => ({ params: { messageId } })
  const create = (more: object = {}) =>
    ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds: [benId], ...more } })
  /** The status of an answer. */
  const statusOf = async <R extends Route>(client: Client, route: R, call: Call<R>) =>
    (await client.answer(route, call)).status

  test('two who open a direct message with each other get one', async () => {
    const opened = await Promise.all(
      [ann, ben, ann, ben].map((client) =>
        client.call(routes.direct, { body: { userIds: [client === ann ? benId : annId] } }),
      ),
    )
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
    expect((await ann.call(routes.members, { ...at(opened[0]?.id ?? ''), query: {} })).items).toHaveLength(2)
  })

  test('messages of two get the numbers from one on, each once, and as many events', async () => {
    const { id } = await create()
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? ann : ben).call(routes.post, { ...at(id), body: { content: `m${n}` } }),
      ),
    )
    expect(sent.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    const told: number[] = []
    for await (const { event } of ben.follow(routes.events, { ...at(id), query: { after: 0 } })) {
      if (event.type === 'message-created') told.push(event.data.message.seq)
      if (told.length === 20) break
    }
    expect(told).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  })

  test('one reaction that is given twice counts once', async () => {
    const { id } = await create()
    const message = await ann.call(routes.post, { ...at(id), body: { content: 'x' } })
    const react = { ...on(message.id), body: { emoji: '👍' } }
    await Promise.all([1, 2, 3].map(() => ben.call(routes.react, react)))
    const { items } = await ann.call(routes.messages, { ...at(id), query: {} })
    expect(items[0]?.reactions.map(({ users }) => users.length)).toEqual([1])
  })

  test('of two changes of one version one counts, and the other is told', async () => {
    const { id } = await create()
    const message = await ann.call(routes.post, { ...at(id), body: { content: 'x' } })
    const edit = (content: string) =>
      statusOf(ann, routes.edit, { ...on(message.id), body: { content, editedAt: null } })
    expect((await Promise.all([edit('one'), edit('two')])).toSorted()).toEqual([200, 409])
  })

  test('of two last owners who leave one stays', async () => {
    const { id } = await create()
    const params = { channelId: id, userId: benId }
    await ann.call(routes.changeMember, { params, body: { role: 'owner' } })
    const leave = (client: Client, userId: string) =>
      statusOf(client, routes.removeMember, { params: { channelId: id, userId } })
    expect((await Promise.all([leave(ann, annId), leave(ben, benId)])).toSorted()).toEqual([200, 409])
  })

  test.runIf(dialect === 'postgres')(
    'followers that break off and come back at another process see what two write at both once, in one order',
    async () => {
      const { id } = await create()
      const other = await startAppProcess({
        PORT: '0',
        DATA_DIR: app.dataDir,
        DATABASE_URL: app.databaseUrl ?? '',
        DRAIN_SECONDS: '0',
      })
      onTestFinished(() => other.stop())
      const atProcess = (client: Client, n: number) => (n % 2 ? client : createClient(other.url, client.token))
      const follow = async (client: Client, n: number): Promise<number[]> => {
        const seen: number[] = []
        for (let after = 0, visit = n; seen.length < 20; visit += 1) {
          let left = 3 + n
          const frames = atProcess(client, visit).follow(routes.events, { ...at(id), query: { after } })
          for await (const { seq, event } of frames) {
            if (seq > 0) after = seq
            if (event.type === 'message-created') seen.push(event.data.message.seq)
            left -= 1
            if (left === 0 || seen.length === 20) break
          }
        }
        return seen
      }
      const following = [ann, ben].flatMap((client) => [0, 1, 2].map((n) => follow(client, n)))
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          atProcess(n % 4 < 2 ? ann : ben, n).call(routes.post, { ...at(id), body: { content: `m${n}` } }),
        ),
      )
      for (const seen of await Promise.all(following)) expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    },
  )

  test('who joins while the channel is archived is in it, or is refused, and counted as they are', async () => {
    const { id } = await create({ type: 'public', memberIds: [] })
    const [joined] = await Promise.all([
      statusOf(ben, routes.join, at(id)),
      ann.call(routes.update, { ...at(id), body: { archived: true } }),
    ])
    const { items } = await ann.call(routes.members, { ...at(id), query: {} })
    expect(items).toHaveLength(joined === 200 ? 2 : 1)
    expect((await ann.call(routes.read, at(id))).memberCount).toBe(items.length)
  })

  test('who is removed while writing writes nothing afterwards, and is told nothing', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await create()
      const post = (client: Client, content: string) => client.answer(routes.post, { ...at(id), body: { content } })
      await Promise.all([
        ...[1, 2, 3].map((n) => post(ben, `from ben ${n}`)),
        ann.call(routes.removeMember, { params: { channelId: id, userId: benId } }),
        ...[1, 2, 3].map((n) => post(ann, `@ben look ${n}`)),
      ])
      const { eventSeq } = await ann.call(routes.messages, { ...at(id), query: {} })
      const told: string[] = []
      for await (const { event, seq } of ann.follow(routes.events, { ...at(id), query: { after: 0 } })) {
        told.push(event.type === 'message-created' ? `message of ${event.data.message.author?.name}` : event.type)
        if (seq >= eventSeq) break
      }
      expect(told.slice(told.indexOf('member-removed'))).not.toContain('message of ben')
      const { items } = await ben.call(notificationsRoutes.list, { query: {} })
      expect(items.filter(({ facts }) => 'channelId' in facts && facts.channelId === id)).toEqual([])
    }
  })

  test('an edit and a deletion leave nothing to read', async () => {
    const { id } = await create()
    const message = await ann.call(routes.post, { ...at(id), body: { content: 'secret' } })
    await Promise.all([
      ann.answer(routes.edit, { ...on(message.id), body: { content: 'secret too' } }),
      ann.call(routes.remove, on(message.id)),
    ])
    const { items, eventSeq } = await ben.call(routes.messages, { ...at(id), query: {} })
    expect(items.map(({ content }) => content)).toEqual([''])
    const told = []
    for await (const { event, seq } of ben.follow(routes.events, { ...at(id), query: { after: 0 } })) {
      told.push(event)
      if (seq >= eventSeq) break
    }
    expect(JSON.stringify(told)).not.toContain('secret')
  })

  test('the one connection of an account carries what happens in a channel from the moment it is let in', async () => {
    const leave = new AbortController()
    const heard: string[] = []
    const following = (async () => {
      const call = { query: { after: 0, places: '' } }
      for await (const { event } of ben.follow(systemRoutes.events, call, { signal: leave.signal }))
        if (event.type === 'stream-event') heard.push(`${event.data.stream} ${event.data.type}`)
        else if (event.type === 'streams-opened') heard.push(...Object.keys(event.data.places))
        else if (event.type === 'stream-closed') heard.push(`${event.data.stream} closed`)
    })()
    const { id } = await create({ memberIds: [] })
    await ann.call(routes.addMember, { ...at(id), body: { userId: benId } })
    await expect.poll(() => heard).toContain(`channel:${id}`)
    await ann.call(routes.post, { ...at(id), body: { content: 'x' } })
    await expect.poll(() => heard).toContain(`channel:${id} message-created`)
    await ann.call(routes.removeMember, { params: { channelId: id, userId: benId } })
    await expect.poll(() => heard).toContain(`channel:${id} closed`)
    leave.abort()
    await following.catch(() => undefined)
  })
})

onBothDatabases('following a thread, at the same moment', (open, dialect) => {
  test('whoever takes their choice back while they are named in a reply follows it', async () => {
    const database = await open(channelMigrations)
    const store = createThreadStore(database)
    const place = { channel_id: 'c', root_id: 'root' }
    const ben = { ...place, account_id: 'ben', read_seq: 1 }
    const named = Promise.withResolvers<void>()
    const write = (work: (trx: ChannelTransaction) => Promise<void>) => database.write<ChannelTables, void>(work)
    await write((trx) => store.follow(trx, [ben]))
    const takenBack = named.promise.then(() => write((trx) => store.unfollowChosen(trx, 'ben', 'root')))
    await write(async (trx) => {
      await trx.insertInto('channel_messages').values(replyOf('root')).execute()
      const mention = { message_id: 'reply', account_id: 'ben', channel_id: 'c', author_id: 'ann', seq: 2, via: '' }
      await trx.insertInto('channel_mentions').values(mention).execute()
      await store.follow(trx, [{ ...ben, account_id: 'ann', read_seq: 2 }, ben])
      named.resolve()
      // On SQLite, writes wait for each other.
      if (dialect === 'postgres') await takenBack
    })
    await takenBack
    expect(await store.read('ben', 'root')).toEqual({ read_seq: 1, unread: 1 })
  })
})

const replyOf = (parentId: string): MessageRow => ({
  id: 'reply',
  channel_id: 'c',
  seq: 2,
  parent_id: parentId,
  author_id: 'ann',
  print: '',
  content: null,
  forwarded: null,
  from_chat: null,
  shown: 0,
  attachment_count: 0,
  has_link: 0,
  mention_count: 1,
  reaction_count: 0,
  reply_count: 0,
  last_reply_at: null,
  created_at: 1,
  edited_at: null,
  deleted_at: null,
  pinned_at: null,
  event_seqs: '[]',
})
