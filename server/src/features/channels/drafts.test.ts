import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes as routes, mostMessageLetters } from '@atrium/contract/channels'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('drafts of channels (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let benId: string
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    benId = (await ben.call(accountsRoutes.me, {})).id
  })
  afterAll(() => app?.close())

  test('are kept for all devices of whoever typed them, and go with the membership', async () => {
    const members = { type: 'private' as const, name: 'Team', memberIds: [benId] }
    const { id } = await ann.call(routes.create, { body: members })
    const root = await ann.call(routes.post, { params: { channelId: id }, body: { content: 'Root' } })
    const save = (client: Client, content: string, parentId?: string) =>
      client.call(routes.saveDraft, { params: { channelId: id }, body: { content, ...(parentId ? { parentId } : {}) } })
    const typed = async (client: Client) =>
      (await client.call(routes.drafts, {})).items.map(({ content, parentId }) => [content, parentId])
    const first = await save(ben, 'Half a th')
    const second = await save(ben, 'Half a thought')
    expect(second.updatedAt > first.updatedAt).toBe(true)
    await save(ben, 'A reply', root.id)
    expect(await typed(ben)).toEqual([
      ['A reply', root.id],
      ['Half a thought', null],
    ])
    expect(await typed(ann)).toEqual([])
    await save(ben, '  ', root.id)
    expect(await typed(ben)).toEqual([['Half a thought', null]])
    const refused = await ben.refusal(routes.saveDraft, {
      params: { channelId: id },
      body: { content: 'x'.repeat(mostMessageLetters + 1) },
    })
    expect(refused.code).toBe('validation_failed')
    const astray = { params: { channelId: id }, body: { content: 'x', parentId: 'nowhere' } }
    expect((await ben.refusal(routes.saveDraft, astray)).code).toBe('channel_message_not_found')
    await ben.call(routes.removeMember, { params: { channelId: id, userId: benId } })
    expect(await typed(ben)).toEqual([])
    expect((await ben.refusal(routes.saveDraft, astray)).code).toBe('channel_not_found')
  })
})
