import { accountsRoutes } from '@atrium/contract/accounts'
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { channelsRoutes as routes, mostMessageLetters } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { searchRoutes } from '@atrium/contract/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/types.ts'
import { type TestApp, startTestApp, testPassword } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'
import type { ChannelTables } from './tables.ts'

describe.each(usualDialects)('channels (%s)', (dialect) => {
  let app: TestApp
  let database: Database
  let admin: Client
  let ann: Client
  let ben: Client
  let cyd: Client
  const ids = { ann: '', ben: '', cyd: '', admin: '' }
  beforeAll(async () => {
    app = await startTestApp({ dialect, overrides: { opened: (opened) => (database = opened) } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    cyd = await app.signUpUser('cyd')
    for (const [name, client] of Object.entries({ ann, ben, cyd, admin }))
      ids[name as keyof typeof ids] = (await client.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const on = (messageId: string) => ({ params: { messageId } })
  const create = async (more: object = {}) =>
    await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds: [ids.ben], ...more } })
  const post = (client: Client, channelId: string, content: string, more: object = {}) =>
    client.call(routes.post, { ...at(channelId), body: { content, ...more } })
  const timeline = async (client: Client, channelId: string, query: object = {}) =>
    await client.call(routes.messages, { ...at(channelId), query })
  const words = async (client: Client, channelId: string, query: object = {}) =>
    (await timeline(client, channelId, query)).items.map(({ content }) => content)
  const unread = async (client: Client, channelId: string) => {
    const { unreadCount, mentionCount } = await client.call(routes.read, at(channelId))
    return [unreadCount, mentionCount]
  }
  const attach = (client: Client, channelId: string, file: Blob, name = 'a.txt') =>
    client.call(routes.attach, { ...at(channelId), query: { name }, file })

  test('have a name, people with roles, and rules that their owners change', async () => {
    const made = await create({ topic: 'Lunch' })
    expect(made).toMatchObject({ name: 'Team', topic: 'Lunch', role: 'owner', memberCount: 2, isMember: true })
    const { items } = await ben.call(routes.members, { ...at(made.id), query: {} })
    expect(items.map(({ user, role }) => `${user.name} ${role}`).toSorted()).toEqual(['ann owner', 'ben member'])
    expect((await ben.refusal(routes.update, { ...at(made.id), body: { name: 'Mine' } })).code).toBe('right_missing')
    const changed = await ann.call(routes.update, { ...at(made.id), body: { name: 'Crew', topic: null } })
    expect(changed).toMatchObject({ name: 'Crew', topic: null })
    for (const name of ['', 'two\nlines', 'turned \u202e round', 'x'.repeat(81)])
      expect((await ann.refusal(routes.update, { ...at(made.id), body: { name } })).code).toBe('validation_failed')
  })

  test('are not there for strangers, former members and administrators, by any id', async () => {
    const { id } = await create()
    const message = await post(ann, id, 'Between us')
    const file = await attach(ann, id, new Blob(['secret']))
    await post(ann, id, 'With a file', { attachmentIds: [file.id] })
    await post(ben, id, 'So long')
    await ben.call(routes.removeMember, { params: { channelId: id, userId: ids.ben } })
    for (const stranger of [cyd, ben, admin]) {
      const refused = [
        await stranger.refusal(routes.read, at(id)),
        await stranger.refusal(routes.messages, { ...at(id), query: {} }),
        await stranger.refusal(routes.members, { ...at(id), query: {} }),
        await stranger.refusal(routes.post, { ...at(id), body: { content: 'hi' } }),
        await stranger.refusal(routes.join, at(id)),
        await stranger.refusal(routes.pins, at(id)),
        await stranger.refusal(routes.events, { ...at(id), query: {} }),
        await stranger.refusal(routes.removeChannel, at(id)),
      ]
      expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
        new Set(['404 channel_not_found']),
      )
      for (const route of [routes.thread, routes.remove] as const)
        expect((await stranger.refusal(route, { ...on(message.id), query: {} } as never)).code).toBe(
          'channel_message_not_found',
        )
      expect((await stranger.refusal(routes.edit, { ...on(message.id), body: { content: 'x' } })).code).toBe(
        'channel_message_not_found',
      )
      expect((await stranger.refusal(routes.attachment, { params: { attachmentId: file.id } })).code).toBe(
        'channel_attachment_not_found',
      )
      expect((await stranger.call(routes.list, { query: {} })).items.map((one) => one.id)).not.toContain(id)
    }
    // Neither a grant nor support access leads in.
    const grant = { resourceType: 'channel', resourceId: id, principalType: 'account', principalId: ids.cyd } as const
    expect((await ann.refusal(accessRoutes.grant, { body: grant })).code).toBe('not_shareable')
    const look = { accountId: ids.ann, reason: 'Something does not open.', hours: 1, password: testPassword }
    const { id: session } = await admin.call(accessRoutes.startBreakGlass, { body: look })
    expect((await admin.refusal(routes.messages, { ...at(id), query: {} })).code).toBe('channel_not_found')
    await admin.call(accessRoutes.endBreakGlass, { params: { id: session } })
  })

  test('that are public are seen and joined by everybody, and read by members', async () => {
    const { id } = await create({ type: 'public', name: 'Town', memberIds: [] })
    await post(ann, id, 'Before you came')
    expect((await cyd.call(routes.listPublic, { query: {} })).items).toContainEqual(
      expect.objectContaining({ id, isMember: false, role: null, unreadCount: 0 }),
    )
    expect((await cyd.refusal(routes.messages, { ...at(id), query: {} })).code).toBe('channel_not_found')
    expect(await cyd.call(routes.join, at(id))).toMatchObject({ isMember: true, role: 'member', unreadCount: 0 })
    expect(await cyd.call(routes.join, at(id))).toMatchObject({ memberCount: 2 })
    expect(await words(cyd, id)).toEqual(['Before you came'])
    await ann.call(routes.update, { ...at(id), body: { archived: true } })
    expect((await ben.refusal(routes.join, at(id))).code).toBe('channel_archived')
    expect((await post(ann, id, 'x').catch((error: unknown) => error)) as object).toMatchObject({ status: 409 })
    expect((await ben.call(routes.listPublic, { query: {} })).items.map((one) => one.id)).not.toContain(id)
  })

  test('take five thousand members, and refuse the next one wherever it comes from', async () => {
    const { id } = await create({ type: 'public', memberIds: [] })
    const count = (members: number) =>
      database
        .tables<ChannelTables>()
        .updateTable('channels')
        .set({ member_count: members })
        .where('id', '=', id)
        .execute()
    await count(4999)
    await ben.call(routes.join, at(id))
    expect((await cyd.refusal(routes.join, at(id))).code).toBe('channel_full')
    expect((await ann.refusal(routes.addMember, { ...at(id), body: { userId: ids.cyd } })).code).toBe('channel_full')
    // Who is in it may join again: that changes nothing.
    await ben.call(routes.join, at(id))
    await ben.call(routes.removeMember, { params: { channelId: id, userId: ids.ben } })
    await cyd.call(routes.join, at(id))
    expect(await ann.call(routes.read, at(id))).toMatchObject({ memberCount: 5000 })
  })

  test('of direct messages are the same for the same people, whoever opens them', async () => {
    const first = await ann.call(routes.direct, { body: { userIds: [ids.ben] } })
    expect(first).toMatchObject({ type: 'dm', name: '', people: [{ name: 'ben' }] })
    expect(await ben.call(routes.direct, { body: { userIds: [ids.ann] } })).toMatchObject({
      id: first.id,
      people: [{ name: 'ann' }],
    })
    const group = await cyd.call(routes.direct, { body: { userIds: [ids.ann, ids.ben, ids.ben] } })
    expect(group).toMatchObject({ type: 'group', memberCount: 3 })
    expect((await ann.call(routes.direct, { body: { userIds: [ids.cyd, ids.ben] } })).id).toBe(group.id)
    expect((await ann.refusal(routes.direct, { body: { userIds: [ids.ann] } })).code).toBe('validation_failed')
    expect((await ann.refusal(routes.direct, { body: { userIds: ['nobody'] } })).code).toBe('user_not_found')
    expect((await ann.refusal(routes.addMember, { ...at(first.id), body: { userId: ids.cyd } })).code).toBe(
      'channel_fixed',
    )
    await post(ann, first.id, 'Hello')
    await ben.call(routes.removeChannel, at(first.id))
    expect((await ann.refusal(routes.read, at(first.id))).code).toBe('channel_not_found')
    expect((await ann.call(routes.direct, { body: { userIds: [ids.ben] } })).id).not.toBe(first.id)
  })

  test('keep what is said in their own order, page by page and around a message', async () => {
    const { id } = await create()
    const all: string[] = []
    for (let n = 1; n <= 9; n++) all.push((await post(n % 2 ? ann : ben, id, `m${n}`)).id)
    const last = await timeline(ben, id, { limit: 4 })
    expect(last.items.map(({ seq, content }) => `${seq} ${content}`)).toEqual(['6 m6', '7 m7', '8 m8', '9 m9'])
    expect(last.hasNewer).toBe(false)
    const before = await timeline(ben, id, { limit: 4, cursor: last.nextCursor })
    expect(before.items.map(({ seq }) => seq)).toEqual([2, 3, 4, 5])
    const first = await timeline(ben, id, { limit: 4, cursor: before.nextCursor })
    expect([first.items.map(({ seq }) => seq), first.nextCursor]).toEqual([[1], null])
    expect(await words(ben, id, { limit: 2, after: all[4] })).toEqual(['m6', 'm7'])
    const around = await timeline(ben, id, { limit: 4, around: all[4] })
    expect([around.items.map(({ content }) => content), around.hasNewer]).toEqual([['m3', 'm4', 'm5', 'm6'], true])
    const other = await create()
    for (const query of [{ after: all[0] }, { around: all[0] }, { around: 'x' }])
      expect((await ben.refusal(routes.messages, { ...at(other.id), query })).code).toBe('channel_message_not_found')
    for (const query of [{ cursor: last.nextCursor ?? '' }, { cursor: 'x' }])
      expect((await ben.refusal(routes.messages, { ...at(other.id), query })).code).toBe('bad_cursor')
    expect((await ben.refusal(routes.messages, { ...at(id), query: { after: 'x', around: 'x' } })).code).toBe(
      'validation_failed',
    )
  })

  test('store a message that is sent again once, and refuse its id for another', async () => {
    const { id } = await create()
    const body = { id: 'client-made-id-1', content: 'Once' }
    const [one, two] = await Promise.all([
      ann.call(routes.post, { ...at(id), body }),
      ann.call(routes.post, { ...at(id), body }),
    ])
    expect(two).toEqual(one)
    expect(await words(ben, id)).toEqual(['Once'])
    for (const [client, other] of [
      [ann, { ...body, content: 'Twice' }],
      [ben, body],
    ] as const)
      expect((await client.refusal(routes.post, { ...at(id), body: other })).code).toBe('id_reused')
    const elsewhere = await create()
    expect((await ann.refusal(routes.post, { ...at(elsewhere.id), body })).code).toBe('id_reused')
    for (const bad of [{ content: ' ' }, { content: 'x'.repeat(mostMessageLetters + 1) }, { content: 'x', id: '!' }])
      expect((await ann.refusal(routes.post, { ...at(id), body: bad })).code).toBe('validation_failed')
  })

  test('show that a message was edited, and tell of a version that is not the last', async () => {
    const { id } = await create()
    const message = await post(ann, id, 'Frist')
    const edit = (client: Client, content: string, editedAt?: string | null) =>
      client.call(routes.edit, { ...on(message.id), body: { content, editedAt } })
    const changed = await edit(ann, 'First', null)
    expect(changed).toMatchObject({ content: 'First', editedAt: expect.any(String) })
    await expect(edit(ann, 'Late', null)).rejects.toMatchObject({ status: 409 })
    expect(await edit(ann, 'Second', changed.editedAt)).toMatchObject({ content: 'Second' })
    await expect(edit(ben, 'Mine')).rejects.toMatchObject({ status: 403 })
    await expect(edit(ann, ' ')).rejects.toMatchObject({ status: 400 })
    expect(await words(ben, id)).toEqual(['Second'])
  })

  test('leave a place where a message was deleted, and nothing that it held', async () => {
    const { id } = await create()
    const file = await attach(ann, id, new Blob(['x']))
    const message = await post(ann, id, 'Gone @ben', { attachmentIds: [file.id] })
    await ben.call(routes.react, { ...on(message.id), body: { emoji: '👍' } })
    await ann.call(routes.pin, { ...on(message.id), body: {} })
    await ann.call(routes.edit, { ...on(message.id), body: { content: 'Gone for good @ben' } })
    expect((await ben.refusal(routes.remove, on(message.id))).code).toBe('right_missing')
    expect(await unread(ben, id)).toEqual([1, 1])
    await ann.call(routes.remove, on(message.id))
    expect((await timeline(ben, id)).items).toMatchObject([
      { content: '', deletedAt: expect.any(String), attachments: [], reactions: [], mentions: [], pinnedAt: null },
    ])
    expect(await unread(ben, id)).toEqual([0, 0])
    expect((await ann.refusal(routes.attachment, { params: { attachmentId: file.id } })).code).toBe(
      'channel_attachment_not_found',
    )
    for (const refused of [
      ann.refusal(routes.edit, { ...on(message.id), body: { content: 'x' } }),
      ann.refusal(routes.react, { ...on(message.id), body: { emoji: '👍' } }),
      ann.refusal(routes.pin, { ...on(message.id), body: {} }),
      ann.refusal(routes.post, { ...at(id), body: { content: 'x', parentId: message.id } }),
    ])
      expect((await refused).code).toBe('channel_message_not_found')
    // Whoever reads the events from the beginning finds no word of it either.
    const told = []
    for await (const { event } of ben.follow(routes.events, { ...at(id), query: {} })) {
      told.push(event)
      if (told.length === 5) break
    }
    expect(JSON.stringify(told)).not.toContain('Gone')
  })

  test('are moderated: moderators delete, pin and remove, and members do not', async () => {
    const { id } = await create({ memberIds: [ids.ben, ids.cyd] })
    const message = await post(cyd, id, 'Noise')
    expect((await ben.refusal(routes.pin, { ...on(message.id), body: {} })).code).toBe('right_missing')
    const other = { params: { channelId: id, userId: ids.cyd } }
    expect((await ben.refusal(routes.removeMember, other)).code).toBe('right_missing')
    const role = (client: Client, userId: string, to: 'owner' | 'moderator' | 'member') =>
      client.call(routes.changeMember, { params: { channelId: id, userId }, body: { role: to } })
    await expect(role(ben, ids.ben, 'owner')).rejects.toMatchObject({ status: 403 })
    expect(await role(ann, ids.ben, 'moderator')).toMatchObject({ role: 'moderator', user: { name: 'ben' } })
    expect(await ben.call(routes.pin, { ...on(message.id), body: {} })).toMatchObject({ pinnedAt: expect.any(String) })
    expect((await cyd.call(routes.pins, at(id))).items.map((one) => one.id)).toEqual([message.id])
    await ben.call(routes.pin, { ...on(message.id), body: { pinned: false } })
    expect((await cyd.call(routes.pins, at(id))).items).toEqual([])
    await ben.call(routes.remove, on(message.id))
    await ben.call(routes.removeMember, other)
    expect((await cyd.refusal(routes.read, at(id))).code).toBe('channel_not_found')
    const owner = { params: { channelId: id, userId: ids.ann } }
    expect((await ben.refusal(routes.removeMember, owner)).code).toBe('right_missing')
    expect((await ann.refusal(routes.removeMember, owner)).code).toBe('channel_last_owner')
    await expect(role(ann, ids.ann, 'member')).rejects.toMatchObject({ status: 409 })
    await role(ann, ids.ben, 'owner')
    await ann.call(routes.removeMember, owner)
    expect((await ben.call(routes.read, at(id))).memberCount).toBe(1)
    // Who may write, and who may call everybody, is up to the owners.
    await ben.call(routes.addMember, { ...at(id), body: { userId: ids.cyd } })
    await ben.call(routes.update, { ...at(id), body: { posting: 'moderators' } })
    expect((await cyd.refusal(routes.post, { ...at(id), body: { content: 'x' } })).code).toBe('channel_muted')
    await ben.call(routes.update, { ...at(id), body: { posting: 'members', calling: 'moderators' } })
    expect((await post(cyd, id, '@channel look')).mentions).toEqual([])
    expect((await post(ben, id, '@channel look')).mentions).toEqual([{ kind: 'channel' }])
  })

  test('have threads one level deep, whose replies may stand in the channel, too', async () => {
    const { id } = await create()
    const root = await post(ann, id, 'Lunch?')
    const reply = await post(ben, id, 'Yes', { parentId: root.id })
    await post(ben, id, 'At noon', { parentId: root.id, inChannel: true })
    expect(await words(ann, id)).toEqual(['Lunch?', 'At noon'])
    const thread = await ann.call(routes.thread, { ...on(root.id), query: {} })
    expect(thread.root).toMatchObject({ id: root.id, replyCount: 2, lastReplyAt: expect.any(String) })
    expect(thread.items.map(({ content, seq }) => `${seq} ${content}`)).toEqual(['2 Yes', '3 At noon'])
    expect((await ann.call(routes.thread, { ...on(reply.id), query: {} })).root.id).toBe(root.id)
    expect((await ann.refusal(routes.post, { ...at(id), body: { content: 'x', parentId: reply.id } })).code).toBe(
      'channel_message_not_found',
    )
    await ben.call(routes.remove, on(reply.id))
    expect((await ann.call(routes.thread, { ...on(root.id), query: {} })).root.replyCount).toBe(1)
  })

  test('count what is unread from a place, which goes back only on purpose', async () => {
    const { id } = await create()
    const said = []
    for (const text of ['one', 'two @ben', 'three @channel']) said.push(await post(ann, id, text))
    expect(await unread(ann, id)).toEqual([0, 0])
    expect(await unread(ben, id)).toEqual([3, 2])
    const mark = (body: object) => ben.call(routes.markRead, { ...at(id), body })
    expect(await mark({ upTo: said[1]?.id })).toEqual({ readSeq: 2, unreadCount: 1, mentionCount: 1 })
    expect(await mark({ upTo: said[0]?.id })).toMatchObject({ readSeq: 2 })
    expect(await mark({})).toEqual({ readSeq: 3, unreadCount: 0, mentionCount: 0 })
    expect(await mark({ unreadFrom: said[1]?.id })).toEqual({ readSeq: 1, unreadCount: 2, mentionCount: 2 })
    await post(ben, id, 'An answer')
    expect(await unread(ben, id)).toEqual([2, 2])
    expect((await ben.call(routes.list, { query: {} })).items.find((one) => one.id === id)).toMatchObject({
      unreadCount: 2,
      mentionCount: 2,
      lastSeq: 4,
    })
    expect((await ben.refusal(routes.markRead, { ...at(id), body: { upTo: 'x', unreadFrom: 'x' } })).code).toBe(
      'validation_failed',
    )
  })

  test('name members alone, and nobody who is none', async () => {
    const { id } = await create()
    expect((await post(ann, id, 'Ask @ben and @cyd and @ann')).mentions).toEqual([
      { kind: 'person', user: { id: ids.ben, name: 'ben', avatar: null } },
    ])
  })

  test('tell whom a message concerns, once, until it is read or deleted', async () => {
    const inbox = async (client: Client, unread = true) =>
      (await client.call(notificationsRoutes.list, { query: unread ? { state: 'unread' } : {} })).items
        .filter(({ facts }) => 'channelId' in facts && facts.channelId === id)
        .map(({ kind, facts }) => `${kind} ${'text' in facts ? facts.text : ''}`.trim())
    const { id } = await create({ memberIds: [ids.ben, ids.cyd] })
    expect(await inbox(ben)).toEqual(['channel-invitation'])
    const message = await post(ann, id, 'Look @ben')
    expect(await inbox(ben)).toEqual(['mention Look @ben', 'channel-invitation'])
    expect(await inbox(ann)).toEqual([])
    await ann.call(routes.edit, { ...on(message.id), body: { content: 'Look here @ben' } })
    expect(await inbox(ben)).toEqual(['mention Look here @ben', 'channel-invitation'])
    await post(cyd, id, 'Where?', { parentId: message.id })
    expect(await inbox(ann)).toEqual(['thread-reply Where?'])
    await ben.call(routes.markRead, { ...at(id), body: {} })
    expect(await inbox(ben)).toEqual([])
    await ann.call(routes.edit, { ...on(message.id), body: { content: 'Look here' } })
    expect(await inbox(ben, false)).toEqual(['channel-invitation'])
    const second = await post(ann, id, '@channel lunch')
    for (const client of [ben, cyd]) expect(await inbox(client)).toContain('mention @channel lunch')
    await ann.call(routes.remove, on(second.id))
    expect(await inbox(ben)).toEqual([])
    await post(ann, id, 'Bye @cyd')
    await ann.call(routes.removeMember, { params: { channelId: id, userId: ids.cyd } })
    expect(await inbox(cyd, false)).toEqual([])
  })

  test('call everybody of a large channel in the background', async () => {
    const { id } = await create({ memberIds: [ids.ben] })
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, n) => app.accounts.createAccount({ username: `n${n}`, password: testPassword })),
    )
    for (const one of many) await ann.call(routes.addMember, { ...at(id), body: { userId: one.id } })
    // Who also hears everything there is told that they were called, not that there is another message.
    const { kinds } = await ben.call(notificationsRoutes.preferences, {})
    const quiet = { 'channel-post': { ...kinds['channel-post'], push: false } }
    await ben.call(notificationsRoutes.updatePreferences, { body: { kinds: quiet } })
    await ben.call(routes.updatePreferences, { ...at(id), body: { level: 'all' } })
    await post(ann, id, '@channel hello')
    const told = async () =>
      (await ben.call(notificationsRoutes.list, { query: {} })).items.filter(
        ({ facts }) => 'text' in facts && facts.text === '@channel hello',
      )
    await expect.poll(async () => (await told()).map(({ kind }) => kind)).toEqual(['mention'])
    const named = { params: { id: (await told())[0]?.id ?? '' } }
    const pushed = async () =>
      (await ben.call(notificationsRoutes.deliveries, named)).items.find(({ way }) => way === 'push')?.reason
    await expect.poll(pushed).toBe('no-destination')
  })

  test('are searched by their members alone, as long as they are members and the words are there', async () => {
    const { id } = await create()
    const other = await create({ name: 'Kitchen', memberIds: [] })
    const message = await post(ann, id, 'The okapi is late')
    await post(ann, other.id, 'An okapi for lunch')
    const finds = async (client: Client, q: string) =>
      (await client.call(searchRoutes.everything, { query: { q } })).items.map(({ snippet }) => snippet)
    await expect.poll(() => finds(ben, 'okapi')).toEqual(['The okapi is late'])
    expect((await finds(ann, 'okapi in:channels')).toSorted()).toEqual(['An okapi for lunch', 'The okapi is late'])
    expect(await finds(ann, 'okapi in:kitchen')).toEqual(['An okapi for lunch'])
    expect(await finds(ben, 'okapi from:me')).toEqual([])
    expect(await finds(cyd, 'okapi')).toEqual([])
    await ann.call(routes.edit, { ...on(message.id), body: { content: 'The tapir is late' } })
    expect(await finds(ben, 'okapi')).toEqual([])
    expect(await finds(ben, 'tapir')).toEqual(['The tapir is late'])
    await ben.call(routes.removeMember, { params: { channelId: id, userId: ids.ben } })
    expect(await finds(ben, 'tapir')).toEqual([])
    await ann.call(routes.remove, on(message.id))
    expect(await finds(ann, 'tapir')).toEqual([])
  })

  test('show who gave which reaction, each once', async () => {
    const { id } = await create()
    const message = await post(ann, id, 'Done')
    const react = (client: Client, emoji: string) => client.call(routes.react, { ...on(message.id), body: { emoji } })
    await react(ben, '🎉')
    await react(ben, '🎉')
    const both = await react(ann, '🎉')
    expect(both.reactions.map(({ emoji, users }) => [emoji, users.map(({ name }) => name)])).toEqual([
      ['🎉', ['ben', 'ann']],
    ])
    await expect(react(ann, 'nice')).rejects.toMatchObject({ status: 400 })
    const take = { params: { messageId: message.id, emoji: '🎉' } }
    expect((await ben.call(routes.unreact, take)).reactions[0]?.users).toHaveLength(1)
    expect((await ben.refusal(routes.unreact, take)).code).toBe('channel_reaction_not_found')
  })

  test('take files for one message of whoever uploaded them, and refuse those that lie', async () => {
    const { id } = await create()
    const file = await attach(ann, id, new Blob(['# Plan'], { type: 'text/markdown' }), 'plan.md')
    const get = (client: Client) => client.call(routes.attachment, { params: { attachmentId: file.id } })
    await expect(get(ben)).rejects.toMatchObject({ status: 404 })
    expect((await ben.refusal(routes.post, { ...at(id), body: { content: 'x', attachmentIds: [file.id] } })).code).toBe(
      'channel_attachment_not_found',
    )
    const sent = await post(ann, id, '', { attachmentIds: [file.id] })
    expect(sent.attachments).toEqual([
      { id: file.id, name: 'plan.md', mediaType: 'text/markdown', sizeBytes: 6, width: null, height: null },
    ])
    expect(await (await get(ben)).text()).toBe('# Plan')
    const answer = await ben.answer(routes.attachment, { params: { attachmentId: file.id } })
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    await expect(post(ann, id, 'again', { attachmentIds: [file.id] })).rejects.toMatchObject({ status: 404 })
    for (const blob of [new Blob([]), new Blob(['<svg/>'], { type: 'image/svg+xml' })])
      await expect(attach(ann, id, blob)).rejects.toMatchObject({ status: 415 })
  })

  test('are followed: each event once and in order, until whoever follows is removed', async () => {
    const { id } = await create()
    const { eventSeq } = await timeline(ben, id)
    const types: string[] = []
    const seqs: number[] = []
    const followed = (async () => {
      for await (const { event, seq } of ben.follow(routes.events, { ...at(id), query: { after: eventSeq } })) {
        types.push(event.type)
        if (seq > 0) seqs.push(seq)
      }
    })()
    const message = await post(ann, id, 'Hello')
    await ann.call(routes.edit, { ...on(message.id), body: { content: 'Hi' } })
    await ann.call(routes.react, { ...on(message.id), body: { emoji: '👋' } })
    await ann.call(routes.pin, { ...on(message.id), body: {} })
    await ann.call(routes.update, { ...at(id), body: { topic: 'New' } })
    await expect.poll(() => types.length).toBe(5)
    await ann.call(routes.removeMember, { params: { channelId: id, userId: ids.ben } })
    await followed
    expect(types.slice(0, 5)).toEqual([
      'message-created',
      'message-edited',
      'reaction-added',
      'message-pinned',
      'channel-updated',
    ])
    // The news of the removal and the end of the right come at the same time.
    expect(['member-removed', 'error']).toContain(types[5])
    expect(seqs).toEqual(seqs.map((_, at) => (seqs[0] ?? 0) + at))
  })

  test('go with their key and all that they held when they are deleted', async () => {
    const { id } = await create()
    const file = await attach(ann, id, new Blob(['x']))
    await post(ann, id, 'Old', { attachmentIds: [file.id] })
    expect((await ben.refusal(routes.removeChannel, at(id))).code).toBe('right_missing')
    await ann.call(routes.removeChannel, at(id))
    for (const client of [ann, ben]) expect((await client.refusal(routes.read, at(id))).code).toBe('channel_not_found')
    expect((await ann.refusal(routes.attachment, { params: { attachmentId: file.id } })).code).toBe(
      'channel_attachment_not_found',
    )
  })

  test('keep the words of an account that is gone, and pass on to whoever is there longest', async () => {
    const dee = await app.signUpUser('dee')
    const { id: deeId } = await dee.call(accountsRoutes.me, {})
    const body = { type: 'private' as const, name: 'Left', memberIds: [ids.ben] }
    const { id } = await dee.call(routes.create, { body })
    await dee.call(routes.addMember, { ...at(id), body: { userId: ids.cyd } })
    await dee.call(routes.changeMember, { params: { channelId: id, userId: ids.cyd }, body: { role: 'moderator' } })
    const alone = await dee.call(routes.create, { body: { type: 'private', name: 'Alone' } })
    await post(dee, id, 'My words')
    await dee.call(accountDataRoutes.removeOwn, { body: { password: testPassword } })
    await expect.poll(() => app.accounts.removals.begun()).toEqual([])
    expect((await timeline(ben, id)).items).toMatchObject([{ content: 'My words', author: null }])
    const { items } = await ben.call(routes.members, { ...at(id), query: {} })
    expect(items.map(({ user, role }) => `${user.name} ${role}`).toSorted()).toEqual(['ben member', 'cyd owner'])
    expect(items.map(({ user }) => user.id)).not.toContain(deeId)
    expect((await cyd.refusal(routes.read, at(alone.id))).code).toBe('channel_not_found')
  })
})
