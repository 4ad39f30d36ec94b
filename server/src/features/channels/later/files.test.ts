import { accountsRoutes } from '@atrium/contract/accounts'
import { type ChannelAttachment, channelsRoutes as routes } from '@atrium/contract/channels'
import { settingsRoutes } from '@atrium/contract/settings'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import { usualDialects } from '../../../testing/databases.ts'
import { systemClock } from '../../../platform/system-clock.ts'

const hourMs = 3600_000

describe.each(usualDialects)('files of scheduled and forwarded messages (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  let ann: Client
  let ben: Client
  let cyd: Client
  let ahead = 0
  const ids = { ann: '', ben: '', cyd: '' }
  beforeAll(async () => {
    app = await startTestApp({ dialect, overrides: { clock: { ...systemClock, now: () => Date.now() + ahead } } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    cyd = await app.signUpUser('cyd')
    ids.ann = (await ann.call(accountsRoutes.me, {})).id
    ids.ben = (await ben.call(accountsRoutes.me, {})).id
    ids.cyd = (await cyd.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  const at = (channelId: string) => ({ params: { channelId } })
  const create = async (memberIds: string[]) =>
    (await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds } })).id
  const attach = (client: Client, channelId: string, text: string, name = 'plan.txt') =>
    client.call(routes.attach, { ...at(channelId), query: { name }, file: new Blob([text], { type: 'text/plain' }) })
  const inMs = (ms: number) => new Date(Date.now() + ahead + ms).toISOString()
  const schedule = (client: Client, channelId: string, files: ChannelAttachment[], ms: number, content = '') =>
    client.call(routes.schedule, {
      ...at(channelId),
      body: { content, sendAt: inMs(ms), attachmentIds: files.map(({ id }) => id) },
    })
  const messages = async (client: Client, id: string) =>
    (await client.call(routes.messages, { ...at(id), query: {} })).items
  const textOf = async (client: Client, { id }: Pick<ChannelAttachment, 'id'>) =>
    (await client.call(routes.attachment, { params: { attachmentId: id } })).text()
  const codeOf = async (client: Client, { id }: Pick<ChannelAttachment, 'id'>) =>
    (await client.refusal(routes.attachment, { params: { attachmentId: id } })).code

  /** Waits until what was never sent is removed. */
  const gone = async (client: Client, { id }: ChannelAttachment): Promise<void> => {
    await expect.poll(async () => (await client.raw(`/api/channels/attachments/${id}`)).status).toBe(404)
  }

  test('a scheduled message brings its files, in their order, however long they wait, and nobody sees them before', async () => {
    const id = await create([ids.ben])
    const [one, two] = [await attach(ann, id, 'First'), await attach(ann, id, 'Second', 'b.txt')]
    const loose = await attach(ann, id, 'Never sent')
    const planned = await schedule(ann, id, [two, one], 3 * hourMs)
    expect(planned.attachments).toEqual([two, one])
    expect((await ann.call(routes.scheduled, {})).items).toMatchObject([
      { attachments: [{ id: two.id }, { id: one.id }] },
    ])
    expect(await codeOf(ben, one)).toBe('channel_attachment_not_found')
    // What waits for one message goes with no other, and is not tidied away as unsent.
    const taken = { ...at(id), body: { content: 'x', attachmentIds: [one.id] } }
    expect((await ann.refusal(routes.post, taken)).code).toBe('channel_attachment_not_found')
    const again = { ...at(id), body: { content: 'x', sendAt: inMs(hourMs), attachmentIds: [one.id] } }
    expect((await ann.refusal(routes.schedule, again)).code).toBe('channel_attachment_not_found')
    ahead += 2 * hourMs
    await gone(ann, loose)
    await ann.call(routes.sendScheduled, { params: { scheduledId: planned.id } })
    expect(await messages(ben, id)).toMatchObject([{ content: '', attachments: [{ id: two.id }, { id: one.id }] }])
    expect([await textOf(ben, two), await textOf(ben, one)]).toEqual(['Second', 'First'])
  })

  test('of others or of another channel are refused, and a message needs words or a file', async () => {
    const [id, other] = [await create([ids.ben]), await create([ids.ben])]
    const [mine, elsewhere] = [await attach(ann, id, 'Mine'), await attach(ann, other, 'There')]
    for (const [client, file] of [
      [ben, mine],
      [ann, elsewhere],
    ] as const) {
      const body = { content: '', sendAt: inMs(hourMs), attachmentIds: [file.id] }
      expect((await client.refusal(routes.schedule, { ...at(id), body })).code).toBe('channel_attachment_not_found')
    }
    const body = { content: ' ', sendAt: inMs(hourMs) }
    expect((await ann.refusal(routes.schedule, { ...at(id), body })).code).toBe('validation_failed')
    const planned = await schedule(ann, id, [mine], hourMs, 'Look')
    const change = { params: { scheduledId: planned.id } }
    await ann.call(routes.reschedule, { ...change, body: { content: '', version: planned.version } })
    const { id: wordsId, version } = await schedule(ann, id, [], hourMs, 'Words')
    const empty = { params: { scheduledId: wordsId }, body: { content: '', version } }
    expect((await ann.refusal(routes.reschedule, empty)).code).toBe('validation_failed')
    for (const scheduledId of [planned.id, wordsId]) await ann.call(routes.unschedule, { params: { scheduledId } })
    // Deleted, its files can go with another one for an hour.
    const next = await schedule(ann, id, [mine], hourMs)
    await ann.call(routes.unschedule, { params: { scheduledId: next.id } })
    ahead += 2 * hourMs
    await gone(ann, mine)
  })

  test('what may not be sent any more stays with its files, and its writer is told', async () => {
    const id = await create([ids.ben])
    const file = await attach(ben, id, 'Draft')
    const planned = await schedule(ben, id, [file], 60_000)
    await ann.call(routes.removeMember, { params: { channelId: id, userId: ids.ben } })
    ahead += 60_000
    await expect
      .poll(async () => (await ben.call(routes.scheduled, {})).items)
      .toMatchObject([
        { id: planned.id, state: 'failed', failure: 'channel_not_found', attachments: [{ id: file.id }] },
      ])
    const { items } = await ben.call(notificationsRoutes.list, { query: {} })
    expect(items.filter(({ kind }) => kind === 'message-not-sent')).toHaveLength(1)
    // Let in again, it is sent with them.
    await ann.call(routes.addMember, { ...at(id), body: { userId: ids.ben } })
    await ben.call(routes.sendScheduled, { params: { scheduledId: planned.id } })
    expect(await textOf(ann, file)).toBe('Draft')
  })

  test('forwarded files are copies: they stay when the first are deleted, for whoever reads them there', async () => {
    const [secret, open] = [await create([ids.ben]), await create([ids.ben, ids.cyd])]
    const file = await attach(ann, secret, 'The plan')
    const said = await ann.call(routes.post, { ...at(secret), body: { content: '', attachmentIds: [file.id] } })
    const forward = { params: { messageId: said.id }, body: { channelId: open, id: crypto.randomUUID() } }
    const sent = await ben.call(routes.forward, forward)
    expect(sent).toMatchObject({ attachments: [{ name: 'plan.txt' }], forwarded: { content: '', messageId: said.id } })
    // Asked for again it is the same message, without other copies.
    expect((await ben.call(routes.forward, forward)).attachments).toEqual(sent.attachments)
    const [copy] = sent.attachments
    expect(await textOf(cyd, copy ?? file)).toBe('The plan')
    expect(await codeOf(cyd, file)).toBe('channel_attachment_not_found')
    expect((await cyd.refusal(routes.forward, { ...forward, body: { channelId: open } })).code).toBe(
      'channel_message_not_found',
    )
    await ann.call(routes.remove, { params: { messageId: said.id } })
    expect(await textOf(cyd, copy ?? file)).toBe('The plan')
    expect((await ben.refusal(routes.forward, { ...forward, body: { channelId: open } })).code).toBe(
      'channel_message_not_found',
    )
  })

  test('count against the room of whoever forwards them', async () => {
    const [secret, open] = [await create([ids.ben]), await create([ids.ben])]
    const file = await attach(ann, secret, 'x'.repeat(600_000))
    const said = await ann.call(routes.post, { ...at(secret), body: { content: 'Big', attachmentIds: [file.id] } })
    await admin.call(settingsRoutes.updateInstance, { body: { storageQuotaBytes: 1_000_000 } })
    const forward = { params: { messageId: said.id }, body: { channelId: open } }
    await ben.call(routes.forward, forward)
    expect((await ben.refusal(routes.forward, forward)).code).toBe('quota_full')
    expect(await messages(ben, open)).toHaveLength(1)
  })
})
