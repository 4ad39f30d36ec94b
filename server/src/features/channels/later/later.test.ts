import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { searchRoutes } from '@atrium/contract/search'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import { usualDialects } from '../../../testing/databases.ts'
import { systemClock } from '../../../platform/system-clock.ts'

const minuteMs = 60_000

describe.each(usualDialects)('what is sent, told or forwarded later (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let cyd: Client
  /** How far the clock of the server is ahead: what is due in a minute is so when the test says so. */
  let ahead = 0
  const ids = { ben: '', cyd: '' }
  beforeAll(async () => {
    app = await startTestApp({ dialect, overrides: { clock: { ...systemClock, now: () => Date.now() + ahead } } })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    cyd = await app.signUpUser('cyd')
    ids.ben = (await ben.call(accountsRoutes.me, {})).id
    ids.cyd = (await cyd.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const on = (messageId: string) => ({ params: { messageId } })
  const inMs = (ms: number) => new Date(Date.now() + ahead + ms).toISOString()
  const create = async (name = 'Team', memberIds = [ids.ben]) =>
    (await ann.call(routes.create, { body: { type: 'private', name, memberIds } })).id
  const schedule = (client: Client, id: string, content: string, sendAt: string, more: object = {}) =>
    client.call(routes.schedule, { ...at(id), body: { content, sendAt, ...more } })
  const words = async (client: Client, id: string) =>
    (await client.call(routes.messages, { ...at(id), query: {} })).items.map(({ content }) => content)
  const waiting = async (client: Client) => (await client.call(routes.scheduled, {})).items
  /** Reads the files of an export of all that is an account's. */
  const exportOf = async (client: Client) => {
    const { id: exportId } = await client.call(accountDataRoutes.exportOwn, {})
    const state = async () => (await client.call(accountDataRoutes.ownExports, {})).items[0]?.state
    await expect.poll(state).toBe('ready')
    const blob = await client.call(accountDataRoutes.ownExport, { params: { id: exportId } })
    const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
    return (name: string): unknown => JSON.parse(strFromU8(files[name] ?? new Uint8Array()))
  }
  const told = async (client: Client, kind: string) =>
    (await client.call(notificationsRoutes.list, { query: {} })).items.filter((one) => one.kind === kind)

  test('a scheduled message is sent once, with what it names, and is in no list any more', async () => {
    const id = await create()
    const { id: messageId } = await schedule(ann, id, 'Good morning @ben', inMs(minuteMs))
    expect(await waiting(ben)).toEqual([])
    ahead += minuteMs
    await expect.poll(() => words(ben, id)).toEqual(['Good morning @ben'])
    await expect.poll(() => waiting(ann)).toEqual([])
    expect((await told(ben, 'mention'))[0]?.facts).toMatchObject({ messageId })
    // Each time it was moved to has a job of its own.
    const moved = await schedule(ann, id, 'Moved', inMs(minuteMs))
    const to = (ms: number, version: number) =>
      ann.call(routes.reschedule, { params: { scheduledId: moved.id }, body: { sendAt: inMs(ms), version } })
    const { version } = await to(3 * minuteMs, moved.version)
    await to(2 * minuteMs, version)
    ahead += 2 * minuteMs
    await expect.poll(() => words(ben, id)).toEqual(['Good morning @ben', 'Moved'])
    ahead += minuteMs
    await expect.poll(() => waiting(ann)).toEqual([])
    const again = { content: 'Other', sendAt: inMs(60_000), id: messageId }
    expect((await ann.refusal(routes.schedule, { ...at(id), body: again })).code).toBe('id_reused')
  })

  test('it is changed, sent at once or deleted by whoever wrote it, and by nobody else', async () => {
    const id = await create()
    const one = await schedule(ann, id, 'Draft', inMs(3600_000))
    const named = { params: { scheduledId: one.id } }
    const changed = await ann.call(routes.reschedule, { ...named, body: { content: 'Final', version: one.version } })
    expect(changed).toMatchObject({ content: 'Final', sendAt: one.sendAt, state: 'waiting' })
    const old = { ...named, body: { content: 'Lost', version: one.version } }
    expect((await ann.refusal(routes.reschedule, old)).code).toBe('conflict')
    for (const route of [routes.sendScheduled, routes.unschedule] as const)
      expect((await ben.refusal(route, named)).code).toBe('channel_scheduled_not_found')
    expect((await ben.refusal(routes.reschedule, old)).code).toBe('channel_scheduled_not_found')
    const tries = await Promise.allSettled([1, 2, 3].map(() => ann.call(routes.sendScheduled, named)))
    expect(tries.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await words(ben, id)).toEqual(['Final'])
    const two = await schedule(ann, id, 'Never', inMs(3600_000))
    await ann.call(routes.unschedule, { params: { scheduledId: two.id } })
    expect(await waiting(ann)).toEqual([])
    for (const sendAt of [inMs(-1000), inMs(400 * 24 * 3600_000)])
      expect((await ann.refusal(routes.schedule, { ...at(id), body: { content: 'x', sendAt } })).code).toBe(
        'validation_failed',
      )
    expect(
      (await cyd.refusal(routes.schedule, { ...at(id), body: { content: 'x', sendAt: inMs(minuteMs) } })).code,
    ).toBe('channel_not_found')
  })

  test('without the right to write it is not sent: its writer is told, and keeps the words', async () => {
    const id = await create()
    const { id: scheduledId } = await schedule(ben, id, 'Too late', inMs(minuteMs))
    await ann.call(routes.removeMember, { params: { channelId: id, userId: ids.ben } })
    ahead += minuteMs
    await expect.poll(() => told(ben, 'message-not-sent')).toHaveLength(1)
    const facts = { scheduledId, text: 'Too late', reason: 'channel_not_found', channel: '' }
    expect((await told(ben, 'message-not-sent'))[0]?.facts).toMatchObject(facts)
    expect(await waiting(ben)).toMatchObject([{ content: 'Too late', state: 'failed', failure: 'channel_not_found' }])
    expect(await words(ann, id)).toEqual([])
    await ann.call(routes.addMember, { ...at(id), body: { userId: ids.ben } })
    expect(await ben.call(routes.sendScheduled, { params: { scheduledId } })).toMatchObject({ content: 'Too late' })
  })

  test('somebody is reminded of a message once, at the time that was chosen last', async () => {
    const id = await create()
    const { id: messageId } = await ann.call(routes.post, { ...at(id), body: { content: 'Answer this' } })
    await ben.call(routes.remind, { ...on(messageId), body: { remindAt: inMs(3600_000) } })
    await ben.call(routes.remind, { ...on(messageId), body: { remindAt: inMs(minuteMs) } })
    expect((await ben.call(routes.reminders, {})).items).toMatchObject([{ message: { content: 'Answer this' } }])
    ahead += minuteMs
    await expect.poll(() => told(ben, 'message-reminder')).toHaveLength(1)
    expect((await told(ben, 'message-reminder'))[0]?.facts).toMatchObject({ messageId, text: 'Answer this', by: 'ann' })
    expect((await ben.call(routes.reminders, {})).items).toEqual([])
    const remindAt = inMs(3600_000)
    await ben.call(routes.remind, { ...on(messageId), body: { remindAt } })
    await ben.call(routes.updatePreferences, { ...at(id), body: { level: 'all' } })
    const { readSeq } = await ben.call(routes.markThreadRead, { ...on(messageId), body: { unreadFrom: messageId } })
    const archive = await exportOf(ben)
    expect(archive('channels/reminders.json')).toEqual([{ channelId: id, messageId, remindAt }])
    expect(archive('channels/threads.json')).toEqual([{ channelId: id, threadId: messageId, readSeq }])
    expect(archive('channels/preferences.json')).toContainEqual({
      channelId: id,
      threadId: null,
      level: 'all',
      mutedUntil: null,
    })
    await ben.call(routes.forgetReminder, on(messageId))
    expect((await ben.call(routes.reminders, {})).items).toEqual([])
    expect((await cyd.refusal(routes.remind, { ...on(messageId), body: { remindAt: inMs(minuteMs) } })).code).toBe(
      'channel_message_not_found',
    )
    await ann.call(routes.remove, on(messageId))
    expect(await told(ben, 'message-reminder')).toEqual([])
  })

  test('a forwarded message is read by those who cannot find it, is found, and goes with what carries it', async () => {
    const secret = await create('Secret')
    const open = await create('Open', [ids.ben, ids.cyd])
    const said = await ann.call(routes.post, { ...at(secret), body: { content: 'The quokka plan' } })
    const forwarded = await ben.call(routes.forward, {
      ...on(said.id),
      body: { channelId: open, content: 'See this' },
    })
    expect(forwarded).toMatchObject({
      content: 'See this',
      forwarded: { content: 'The quokka plan', author: { name: 'ann' }, messageId: said.id, channelId: secret },
    })
    const { items } = await cyd.call(routes.messages, { ...at(open), query: {} })
    expect(items).toEqual([forwarded])
    expect((await cyd.refusal(routes.thread, { ...on(said.id), query: {} })).code).toBe('channel_message_not_found')
    expect((await cyd.refusal(routes.forward, { ...on(said.id), body: { channelId: open } })).code).toBe(
      'channel_message_not_found',
    )
    const find = async (client: Client) =>
      (await client.call(searchRoutes.everything, { query: { q: 'quokka' } })).items.map((hit) => hit.id)
    expect(await find(cyd)).toEqual([forwarded.id])
    // Once more, without a word of one's own, what was forwarded goes on.
    const on2 = await ann.call(routes.forward, { ...on(forwarded.id), body: { channelId: secret } })
    expect(on2.forwarded).toMatchObject({ content: 'See this', messageId: forwarded.id })
    expect((await ben.call(routes.edit, { ...on(forwarded.id), body: { content: '' } })).forwarded).not.toBeNull()
    await ann.call(routes.remove, on(said.id))
    expect(await find(cyd)).toEqual([forwarded.id])
    await ben.call(routes.remove, on(forwarded.id))
    expect(await find(cyd)).toEqual([])
    expect((await cyd.call(routes.messages, { ...at(open), query: {} })).items).toMatchObject([{ forwarded: null }])
  })
})
