import { accountsRoutes } from '@atrium/contract/accounts'
import { type ChannelLevel, channelsRoutes as routes } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { realClock } from '../../testing/clock.ts'
import { usualDialects } from '../../testing/databases.ts'
import { isWanted, type NoticeKind } from './rules.ts'

describe.each(usualDialects)('what people are told of (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let cyd: Client
  let benId: string
  let shift = 0
  const clock = { ...realClock, now: () => realClock.now() + shift }
  beforeAll(async () => {
    app = await startTestApp({ dialect, overrides: { clock } })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    cyd = await app.signUpUser('cyd')
    benId = (await ben.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const on = (messageId: string) => ({ params: { messageId } })
  const create = async () =>
    (await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds: [benId] } })).id
  const post = (client: Client, channelId: string, content: string, more: object = {}) =>
    client.call(routes.post, { ...at(channelId), body: { content, ...more } })
  const told = async (client: Client, channelId: string) =>
    (await client.call(notificationsRoutes.list, { query: {} })).items
      .flatMap(({ kind, facts }) =>
        'text' in facts && facts.channelId === channelId ? [`${kind}: ${facts.text}`] : [],
      )
      .toReversed()

  test('a member chooses every message, mentions or nothing for a channel, and mutes it until a time', async () => {
    const id = await create()
    const choose = (body: { level?: ChannelLevel; mutedUntil?: string | null }) =>
      ben.call(routes.updatePreferences, { ...at(id), body })
    await post(ann, id, 'Usual')
    expect(await choose({ level: 'all' })).toEqual({ level: 'all', mutedUntil: null })
    await post(ann, id, 'All')
    await choose({ mutedUntil: new Date(clock.now() + 3600_000).toISOString() })
    await post(ann, id, 'Muted for @ben')
    shift += 3600_001
    await post(ann, id, 'Over')
    await choose({ level: 'nothing' })
    await post(ann, id, 'Nothing for @ben')
    expect(await ben.call(routes.read, at(id))).toMatchObject({ mentionCount: 2, notices: { level: 'nothing' } })
    await choose({ level: 'mentions', mutedUntil: null })
    await post(ann, id, 'Again for @ben')
    expect(await told(ben, id)).toEqual(['channel-post: All', 'channel-post: Over', 'mention: Again for @ben'])
    const late = new Date(clock.now() - 1).toISOString()
    expect((await ben.refusal(routes.updatePreferences, { ...at(id), body: { mutedUntil: late } })).code).toBe(
      'validation_failed',
    )
    expect((await cyd.refusal(routes.updatePreferences, { ...at(id), body: { level: 'all' } })).code).toBe(
      'channel_not_found',
    )
    expect((await cyd.call(routes.preferences, {})).items).toEqual([])
  })

  test('a thread has a choice of its own, which goes before that of its channel', async () => {
    const id = await create()
    const root = await post(ann, id, 'The plan')
    const reply = (content: string) => post(ann, id, content, { parentId: root.id })
    await reply('Not for ben')
    const choice = await ben.call(routes.updateThreadPreferences, { ...on(root.id), body: { level: 'all' } })
    expect(choice).toEqual({ level: 'all', mutedUntil: null })
    await ben.call(routes.updatePreferences, { ...at(id), body: { level: 'nothing' } })
    await reply('For ben')
    await ben.call(routes.updateThreadPreferences, { ...on(root.id), body: { level: 'nothing' } })
    await reply('Not for @ben')
    expect(await told(ben, id)).toEqual(['thread-reply: For ben'])
    expect((await ben.call(routes.thread, { ...on(root.id), query: {} })).notices.level).toBe('nothing')
    const { items } = await ben.call(routes.preferences, {})
    expect(
      items.filter(({ channel }) => channel.id === id).map(({ thread, notices }) => [thread?.text, notices]),
    ).toEqual(
      expect.arrayContaining([
        [undefined, { level: 'nothing', mutedUntil: null }],
        ['The plan', { level: 'nothing', mutedUntil: null }],
      ]),
    )
    expect((await cyd.refusal(routes.updateThreadPreferences, { ...on(root.id), body: {} })).code).toBe(
      'channel_message_not_found',
    )
    // Whoever leaves takes the choice along.
    await ben.call(routes.removeMember, { params: { channelId: id, userId: benId } })
    await ann.call(routes.addMember, { ...at(id), body: { userId: benId } })
    expect((await ben.call(routes.read, at(id))).notices.level).toBe('mentions')
  })

  test('keywords are told of in one’s own channels, whole and in any case, and gone when they are taken away', async () => {
    const id = await create()
    await cyd.call(notificationsRoutes.updatePreferences, { body: { keywords: ['budget'] } })
    const { keywords } = await ben.call(notificationsRoutes.updatePreferences, {
      body: { keywords: ['Budget', 'release  notes'] },
    })
    expect(keywords).toEqual(['Budget', 'release  notes'])
    for (const text of ['The BUDGET, please', 'budgets', 'Release:\nnotes', 'notes of a release'])
      await post(ann, id, text)
    await post(ben, id, 'My own budget')
    await ben.call(notificationsRoutes.updatePreferences, { body: { keywords: [] } })
    await post(ann, id, 'No more budget')
    expect(await told(ben, id)).toEqual(['keyword: The BUDGET, please', 'keyword: Release: notes'])
    expect(await told(cyd, id)).toEqual([])
    const refused = await ben.refusal(notificationsRoutes.updatePreferences, { body: { keywords: ['!'] } })
    expect(refused.code).toBe('validation_failed')
  })
})

test.each<[NoticeKind, ChannelLevel | null, ChannelLevel | null, boolean]>([
  ['mention', null, null, true],
  ['mention', 'nothing', null, false],
  ['mention', 'nothing', 'all', true],
  ['mention', 'all', 'mentions', true],
  ['mention', 'all', 'nothing', false],
  ['thread-reply', null, null, true],
  ['thread-reply', null, 'mentions', false],
  ['thread-reply', 'mentions', null, true],
  ['keyword', 'mentions', 'mentions', true],
  ['direct-message', null, null, true],
  ['direct-message', 'mentions', null, false],
  ['channel-post', 'all', null, true],
])('%s is told with %s for the channel and %s for the thread: %s', (kind, channel, thread, wanted) => {
  const chosen = (level: ChannelLevel | null) => ({ level, muted_until: null })
  expect(isWanted(kind, { channel: chosen(channel), thread: chosen(thread) }, 0)).toBe(wanted)
  expect(isWanted(kind, { channel: { level: 'all', muted_until: 1 }, thread: chosen(thread) }, 0)).toBe(false)
})
