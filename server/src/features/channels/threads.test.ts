import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { realClock } from '../../testing/clock.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('the threads that people follow (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let cyd: Client
  let benId: string
  let cydId: string
  beforeAll(async () => {
    // No two at the same time: the list goes by it.
    let ticks = 0
    const clock = { ...realClock, now: () => realClock.now() + ++ticks }
    app = await startTestApp({ dialect, overrides: { clock } })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    cyd = await app.signUpUser('cyd')
    benId = (await ben.call(accountsRoutes.me, {})).id
    cydId = (await cyd.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const on = (messageId: string) => ({ params: { messageId } })
  const create = async (memberIds = [benId, cydId]) =>
    (await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds } })).id
  const post = (client: Client, channelId: string, content: string, parentId?: string) =>
    client.call(routes.post, { ...at(channelId), body: { content, parentId } })
  const all = async (client: Client, channelId: string) => {
    const { items } = await client.call(routes.threads, { query: {} })
    return items.flatMap(({ root, unreadCount }) =>
      root.channelId === channelId ? [`${root.content}: ${unreadCount}`] : [],
    )
  }
  const read = (client: Client, messageId: string, body: { upTo?: string; unreadFrom?: string } = {}) =>
    client.call(routes.markThreadRead, { ...on(messageId), body })

  test('whoever wrote in a thread, is named in it or chose it follows it, and nobody else', async () => {
    const id = await create()
    const [plan, call, alone] = [
      await post(ann, id, 'Plan'),
      await post(ann, id, 'Call @cyd'),
      await post(ben, id, 'Alone'),
    ]
    await post(ben, id, 'One', plan.id)
    await post(ben, id, 'Two', plan.id)
    await post(ann, id, 'Three', call.id)
    expect(await all(ann, id)).toEqual(['Plan: 2', 'Call @cyd: 0'])
    expect(await all(ben, id)).toEqual(['Plan: 0'])
    expect(await all(cyd, id)).toEqual(['Call @cyd: 1'])
    const edited = await post(ben, id, 'Four', plan.id)
    await ben.call(routes.edit, { ...on(edited.id), body: { content: 'Four for @cyd' } })
    expect(await all(cyd, id)).toEqual(['Plan: 1', 'Call @cyd: 1'])
    await ben.call(routes.updateThreadPreferences, { ...on(call.id), body: { level: 'mentions' } })
    await cyd.call(routes.updateThreadPreferences, { ...on(call.id), body: { level: 'nothing' } })
    expect([await all(ben, id), await all(cyd, id)]).toEqual([['Plan: 0', 'Call @cyd: 0'], ['Plan: 1']])
    await ben.call(routes.updateThreadPreferences, { ...on(call.id), body: { level: null } })
    expect(await all(ben, id)).toEqual(['Plan: 0'])
    expect((await read(cyd, alone.id)).readSeq).toBeNull()
  })

  test('a thread is read up to a place that only goes back by “unread from”, and is unread first in the list', async () => {
    const id = await create()
    const before = (await ann.call(routes.threads, { query: {} })).unreadCount
    const roots = [await post(ann, id, 'A'), await post(ann, id, 'B'), await post(ann, id, 'C')]
    const [a = '', b = '', c = ''] = roots.map((one) => one.id)
    const first = await post(ben, id, 'a1', a)
    const second = await post(ben, id, 'a2', a)
    await post(ben, id, 'b1', b)
    await post(ben, id, 'c1', c)
    expect(await all(ann, id)).toEqual(['C: 1', 'B: 1', 'A: 2'])
    expect((await ann.call(routes.threads, { query: { limit: 1 } })).unreadCount).toBe(before + 3)
    expect(await read(ann, c)).toMatchObject({ unreadCount: 0 })
    expect(await read(ann, b)).toMatchObject({ unreadCount: 0 })
    expect(await all(ann, id)).toEqual(['A: 2', 'C: 0', 'B: 0'])
    expect(await read(ann, a, { upTo: first.id })).toEqual({ readSeq: first.seq, unreadCount: 1 })
    expect(await read(ann, a, { upTo: second.id })).toEqual({ readSeq: second.seq, unreadCount: 0 })
    expect(await read(ann, a, { upTo: first.id })).toEqual({ readSeq: second.seq, unreadCount: 0 })
    expect(await read(ann, second.id, { unreadFrom: first.id })).toEqual({ readSeq: first.seq - 1, unreadCount: 2 })
    expect((await ann.call(routes.thread, { ...on(a), query: {} })).readSeq).toBe(first.seq - 1)
    // Whoever wants to come back to a thread follows it.
    expect(await read(cyd, a, { unreadFrom: second.id })).toEqual({ readSeq: second.seq - 1, unreadCount: 1 })
    expect(await all(cyd, id)).toEqual(['A: 1'])
    // What is deleted is no news.
    await ben.call(routes.remove, on(second.id))
    expect(await all(cyd, id)).toEqual(['A: 0'])
    expect((await ann.refusal(routes.markThreadRead, { ...on(a), body: { upTo: b } })).code).toBe(
      'channel_message_not_found',
    )
    expect((await ann.refusal(routes.threads, { query: { cursor: 'MTIuYWJj' } })).code).toBe('bad_cursor')
    const pages: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { items, nextCursor } = await ann.call(routes.threads, { query: { limit: 1, cursor } })
      pages.push(...items.map(({ root }) => root.id))
      if (nextCursor === null) break
      cursor = nextCursor
    }
    expect(pages).toEqual((await ann.call(routes.threads, { query: { limit: 50 } })).items.map(({ root }) => root.id))
  })

  test('whoever reads a thread has read the notifications of it, up to there, and no others of the channel', async () => {
    const id = await create()
    const unread = async (client: Client) =>
      (await client.call(notificationsRoutes.list, { query: { state: 'unread' } })).items.flatMap(({ facts }) =>
        'text' in facts && facts.channelId === id ? [facts.text] : [],
      )
    const root = await post(ann, id, 'Root for @ben')
    const first = await post(ann, id, 'First for @ben', root.id)
    await post(ann, id, 'Second for @ben', root.id)
    await post(ann, id, 'Elsewhere for @ben')
    await post(ann, id, 'Third for @ben', root.id)
    await post(ann, id, 'Third for @cyd', root.id)
    await read(ben, root.id, { upTo: first.id })
    expect(await unread(ben)).toEqual(['Third for @ben', 'Elsewhere for @ben', 'Second for @ben'])
    await read(ben, root.id, { unreadFrom: first.id })
    expect(await unread(ben)).toHaveLength(3)
    await read(ben, root.id)
    expect(await unread(ben)).toEqual(['Elsewhere for @ben'])
    expect(await unread(cyd)).toEqual(['Third for @cyd'])
  })

  test('threads of a channel show only what a member may read, and go with the channel and with membership', async () => {
    const id = await create([])
    await ann.call(routes.update, { ...at(id), body: { history: 'since-joining' } })
    const old = await post(ann, id, 'Old')
    await ann.call(routes.addMember, { ...at(id), body: { userId: benId } })
    await post(ann, id, 'For @ben', old.id)
    const fresh = await post(ann, id, 'New')
    await post(ann, id, 'For @ben, too', fresh.id)
    expect(await all(ben, id)).toEqual(['New: 1'])
    expect((await ben.refusal(routes.markThreadRead, { ...on(old.id), body: {} })).code).toBe(
      'channel_message_not_found',
    )
    // Without a model, what was missed is counted.
    const missed = await ben.call(routes.catchUp, { ...at(id), body: {} })
    expect(missed).toMatchObject({ model: null, failure: null, sentences: [], messageCount: 2, isComplete: true })
    expect(missed.mentions.map(({ content }) => content)).toEqual(['For @ben, too'])
    expect(missed.threads.map(({ root, unreadCount }) => [root.content, unreadCount])).toEqual([['New', 1]])
    expect((await cyd.refusal(routes.markThreadRead, { ...on(fresh.id), body: {} })).code).toBe(
      'channel_message_not_found',
    )
    await ann.call(routes.removeMember, { params: { channelId: id, userId: benId } })
    expect(await all(ben, id)).toEqual([])
    await ann.call(routes.addMember, { ...at(id), body: { userId: benId } })
    expect(await all(ben, id)).toEqual([])
    expect(await all(ann, id)).toHaveLength(2)
    await ann.call(routes.removeChannel, at(id))
    expect(await all(ann, id)).toEqual([])
  })
})
