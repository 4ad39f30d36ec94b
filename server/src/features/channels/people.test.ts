/** People in channels: whom a message calls, and what those who come later may read. */
import { once } from 'node:events'
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { groupsRoutes } from '@atrium/contract/groups'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { searchRoutes } from '@atrium/contract/search'
import { presenceRoutes } from '@atrium/contract/presence'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('people in channels (%s)', (dialect) => {
  let app: TestApp
  const people = {} as Record<'admin' | 'ann' | 'ben' | 'cyd' | 'eve', Client>
  const ids = {} as Record<keyof typeof people, string>
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    people.admin = await app.signUpAdmin()
    for (const name of ['ann', 'ben', 'cyd', 'eve'] as const) people[name] = await app.signUpUser(name)
    for (const [name, client] of Object.entries(people))
      ids[name as keyof typeof ids] = (await client.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const create = async (...members: (keyof typeof ids)[]) => {
    const memberIds = members.map((name) => ids[name])
    return (await people.ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds } })).id
  }
  const post = (client: Client, channelId: string, content: string, more: object = {}) =>
    client.call(routes.post, { ...at(channelId), body: { content, ...more } })
  /** What the account was told by mentions in a channel. */
  const told = async (client: Client, channelId: string) =>
    (await client.call(notificationsRoutes.list, { query: { kind: 'mention' } })).items.flatMap(({ facts }) =>
      'text' in facts && facts.channelId === channelId ? [facts.text] : [],
    )
  const mentionsOf = async (client: Client, channelId: string) =>
    (await client.call(routes.read, at(channelId))).mentionCount
  /** A page of an account that somebody is in front of. */
  const sit = async (name: keyof typeof people) => {
    const { ticket } = await people[name].call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
    const line = new WebSocket(`${app.url.replace('http', 'ws')}/ws?ticket=${ticket}`)
    const heard: { type: string; data: { people?: { userId: string; state: string }[] } }[] = []
    line.on('message', (text: Buffer) => heard.push(JSON.parse(text.toString())))
    await once(line, 'open')
    line.send('{"type":"places","data":{"places":{}}}')
    line.send('{"type":"here","data":{"active":true}}')
    line.send(JSON.stringify({ type: 'shows', data: { streams: [], people: [ids[name], ids.eve] } }))
    await expect.poll(() => heard.map(({ type }) => type)).toContain('presence')
    return { line, states: () => heard.flatMap(({ data }) => data.people ?? []) }
  }

  test('`@here` calls members who are there when it is written, and nobody else', async () => {
    const id = await create('ben', 'cyd')
    const pages = await Promise.all([sit('ben'), sit('ann'), sit('eve')])
    // Who shares no channel is not told who is there.
    expect(pages[0]?.states().map(({ userId }) => userId)).toEqual([ids.ben])
    const message = await post(people.ann, id, 'Lunch, @here?')
    expect(message.mentions).toEqual([{ kind: 'here' }])
    expect(await told(people.ben, id)).toEqual(['Lunch, @here?'])
    expect(await mentionsOf(people.ben, id)).toBe(1)
    for (const other of ['ann', 'cyd', 'eve'] as const) expect(await told(people[other], id)).toEqual([])
    expect(await mentionsOf(people.cyd, id)).toBe(0)
    // A change calls nobody again, and taking it out takes it back.
    const params = { messageId: message.id }
    await people.ann.call(routes.edit, { params, body: { content: 'Dinner, @here?' } })
    expect(await told(people.ben, id)).toEqual(['Dinner, @here?'])
    await people.ann.call(routes.edit, { params, body: { content: 'Dinner?' } })
    expect(await told(people.ben, id)).toEqual([])
    expect(await mentionsOf(people.ben, id)).toBe(0)
    await people.ben.call(presenceRoutes.set, { body: { mode: 'invisible' } })
    await post(people.ann, id, '@here again')
    expect(await told(people.ben, id)).toEqual([])
    await people.ben.call(presenceRoutes.set, { body: { mode: 'automatic' } })
    for (const { line } of pages) line.close()
  })

  test('the next mention is found after what was read, one after the other, also in a thread', async () => {
    const id = await create('ben')
    const next = async (afterSeq?: number) =>
      (await people.ben.call(routes.nextMention, { ...at(id), query: { afterSeq } })).message
    expect(await next()).toBeNull()
    const first = await post(people.ann, id, 'One for @ben')
    await post(people.ann, id, 'For nobody')
    const reply = await post(people.ann, id, 'Two for @channel', { parentId: first.id })
    await post(people.ben, id, 'Own, to @channel')
    expect((await next(0))?.id).toBe(first.id)
    expect((await next(first.seq))?.id).toBe(reply.id)
    expect(await next(reply.seq)).toBeNull()
    expect(await people.eve.refusal(routes.nextMention, { ...at(id), query: {} })).toMatchObject({
      code: 'channel_not_found',
    })
  })

  test('newcomers read what was said since they came, where the channel says so, by no road more', async () => {
    const id = await create('ben')
    const params = { messageId: '' }
    const old = await post(people.ann, id, 'Planted pineapple')
    params.messageId = old.id
    const file = new File(['pineapple'], 'a.txt', { type: 'text/plain' })
    const attached = await people.ann.call(routes.attach, { ...at(id), query: { name: 'a.txt' }, file })
    await post(people.ann, id, 'With a pineapple file', { attachmentIds: [attached.id] })
    await people.ann.call(routes.pin, { params, body: { pinned: true } })
    await people.ann.call(routes.update, { ...at(id), body: { history: 'since-joining' } })
    await people.ann.call(routes.addMember, { ...at(id), body: { userId: ids.cyd } })
    const fresh = await post(people.ann, id, 'Fresh pineapple for @cyd')
    const { cyd, ben } = people
    const words = async (client: Client, query: object = {}) =>
      (await client.call(routes.messages, { ...at(id), query })).items.map(({ content }) => content)
    expect(await words(cyd)).toEqual([fresh.content])
    expect(await words(ben)).toHaveLength(3)
    expect(await words(cyd, { around: fresh.id })).toEqual([fresh.content])
    for (const query of [{ around: old.id }, { after: old.id }])
      expect((await cyd.refusal(routes.messages, { ...at(id), query })).code).toBe('channel_message_not_found')
    expect((await cyd.refusal(routes.thread, { params, query: {} })).code).toBe('channel_message_not_found')
    expect((await cyd.refusal(routes.react, { params, body: { emoji: '👍' } })).code).toBe('channel_message_not_found')
    expect((await cyd.call(routes.pins, at(id))).items).toEqual([])
    const ofFile = { params: { attachmentId: attached.id } }
    expect((await cyd.refusal(routes.attachment, ofFile)).code).toBe('channel_attachment_not_found')
    const find = async (client: Client) =>
      (await client.call(searchRoutes.everything, { query: { q: 'pineapple' } })).items.map(({ id: found }) => found)
    await expect.poll(() => find(ben)).toHaveLength(3)
    expect(await find(cyd)).toEqual([fresh.id])
    // Events from the beginning, and what happens to old messages now.
    const stop = new AbortController()
    const heard: string[] = []
    const following = (async () => {
      const stream = cyd.follow(routes.events, { ...at(id), query: { after: 0 } }, { signal: stop.signal })
      for await (const { event } of stream) heard.push(JSON.stringify(event))
    })()
    await people.ann.call(routes.edit, { params, body: { content: 'Other pineapple' } })
    await people.ann.call(routes.react, { params, body: { emoji: '🍍' } })
    const last = await post(people.ann, id, 'The last one')
    await expect.poll(() => heard.join()).toContain(last.id)
    stop.abort()
    await following.catch(() => undefined)
    expect(heard.filter((event) => event.includes(old.id) || event.includes('Planted'))).toEqual([])
    // What is changed now is no news of now, for whom it names and who watches its words or everything.
    await cyd.call(notificationsRoutes.updatePreferences, { body: { keywords: ['papaya'] } })
    const ofReply = { messageId: (await post(people.ann, id, 'About that', { parentId: old.id })).id }
    await cyd.call(routes.updateThreadPreferences, { params: ofReply, body: { level: 'all' } })
    const level = { ...at(id), body: { level: 'all' as const } }
    await cyd.call(routes.updatePreferences, level)
    for (const content of ['Planted papaya', 'Planted papaya with @cyd'])
      await people.ann.call(routes.edit, { params, body: { content } })
    const inbox = await cyd.call(notificationsRoutes.list, { query: {} })
    expect(JSON.stringify(inbox.items)).not.toMatch(/papaya|Planted/)
    // A thread that began earlier is one of theirs by its reply, without its first words.
    const { items: chosen } = await cyd.call(routes.preferences, {})
    expect(chosen.find(({ thread }) => thread?.messageId === old.id)?.thread?.text).toBe('')
    // The rule is the channel’s: without it, all is there for everybody.
    await people.ann.call(routes.update, { ...at(id), body: { history: 'everything' } })
    expect(await words(cyd)).toHaveLength(4)
    const remindAt = new Date(Date.now() + 3600_000).toISOString()
    await cyd.call(routes.remind, { params, body: { remindAt } })
    await people.ann.call(routes.update, { ...at(id), body: { history: 'since-joining' } })
    expect((await cyd.call(routes.reminders, {})).items).toEqual([])
  })

  test('a group calls its members in the channel, by its name with hyphens; who is no member is named to the writer alone', async () => {
    const id = await create('ben', 'cyd')
    const group = await people.admin.call(groupsRoutes.addGroup, { body: { name: 'Night shift' } })
    for (const name of ['ben', 'eve'] as const)
      await people.admin.call(groupsRoutes.addMember, { params: { id: group.id, accountId: ids[name] } })
    const content = 'Hello @night-shift and @eve'
    expect(await people.ann.call(routes.reach, { ...at(id), body: { content } })).toEqual({
      count: 1,
      outsiders: [{ id: ids.eve, name: 'eve', avatar: null }],
    })
    const message = await post(people.ann, id, content)
    expect(message.mentions).toEqual([{ kind: 'group', group: { id: group.id, name: 'Night shift' } }])
    expect(await told(people.ben, id)).toEqual([content])
    expect(await mentionsOf(people.ben, id)).toBe(1)
    expect(await told(people.cyd, id)).toEqual([])
    expect(await told(people.eve, id)).toEqual([])
    expect(await people.eve.refusal(routes.reach, { ...at(id), body: { content } })).toMatchObject({
      code: 'channel_not_found',
    })
    // Where only moderators may call everybody, a group and those who are there are not called either.
    await people.ann.call(routes.update, { ...at(id), body: { calling: 'moderators' } })
    expect((await post(people.cyd, id, 'And @night-shift @here')).mentions).toEqual([])
    expect(await people.cyd.call(routes.reach, { ...at(id), body: { content: '@channel @here' } })).toMatchObject({
      count: 0,
    })
  })
})
