import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatHarness, newChat, openChats, say } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'

withDatabase('finding in one chat', (open) => {
  let harness: ChatHarness
  let ann: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
  })
  afterAll(() => harness.close())

  const find = (who: Client, sessionId: string, q: string) =>
    who.call(chatRoutes.find, { params: { sessionId }, query: { q } })
  const add = (sessionId: string, content: string) =>
    ann.call(chatRoutes.addMessage, { params: { sessionId }, body: { role: 'user', content } })

  test('gives the messages of the active path in reading order, with how often the words stand in each', async () => {
    const { id } = await newChat(ann)
    const first = await add(id, 'A **Café** and a cafe')
    for (let n = 0; n < 120; n++) await add(id, `Message ${n}`)
    const last = await add(id, 'Back to the\ncafé')
    expect(await find(ann, id, 'CAFE')).toEqual({
      items: [
        { messageId: first.id, count: 2 },
        { messageId: last.id, count: 1 },
      ],
      total: 3,
    })
    expect((await find(ann, id, 'the cafe')).items.map(({ messageId }) => messageId)).toEqual([last.id])
    expect(await find(ann, id, 'tea')).toEqual({ items: [], total: 0 })
    expect(await find(ann, id, '**')).toEqual({ items: [], total: 0 })
  })

  test('leaves out branches that were left, and what was deleted', async () => {
    const { id } = await newChat(ann)
    const { id: answerId } = await say(ann, id, 'A lonely okapi')
    const branch = { params: { sessionId: id, messageId: answerId }, body: { content: 'Only zebras here' } }
    const other = await ann.call(chatRoutes.addBranch, branch)
    const items = async (q: string) => (await find(ann, id, q)).items.length
    expect([await items('okapi'), await items('zebra')]).toEqual([1, 1])
    await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: other.id } })
    expect(await items('zebra')).toBe(0)
  })

  test('is for its owner and its readers alone', async () => {
    const { id } = await newChat(ann)
    await add(id, 'A shared quokka')
    const call = { params: { sessionId: id }, query: { q: 'quokka' } }
    expect((await harness.bob.refusal(chatRoutes.find, call)).code).toBe('chat_not_found')
    const grant = { resourceType: 'chat' as const, resourceId: id, principalType: 'account' as const }
    await ann.call(accessRoutes.grant, { body: { ...grant, principalId: 'bob' } })
    expect((await find(harness.bob, id, 'quokka')).total).toBe(1)
  })
})
