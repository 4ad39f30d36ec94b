import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callTool } from '../../testing/call-tool.ts'
import { type ChatHarness, newChat, openChats, say, until } from '../../testing/chats.ts'
import { withDatabase } from '../../testing/databases.ts'

withDatabase('chats as tools of models', (open) => {
  let harness: ChatHarness
  beforeAll(async () => {
    harness = await openChats(open)
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.calm())
  const call = (accountId: string, name: string, args: Record<string, unknown>, chatId: string | null = null) =>
    callTool(harness.chats.tools, name, accountId, args, { chatId })
  const found = async (accountId: string, query: string, chatId?: string) =>
    (await call(accountId, 'search_chats', { query }, chatId)).links?.map(({ id }) => id) ?? []
  const indexed = () => until(async () => (await harness.chats.countUnindexed()).messages === 0)

  test('are found by their words, own and shared ones, but not the one that asks', async () => {
    const { ann } = harness
    const { id } = await newChat(ann)
    await say(ann, id, 'The zeppelin leaves on Tuesday')
    await until(async () => (await found('ann', 'zeppelin')).length > 0)
    expect(await found('ann', 'zeppelin tuesday')).toEqual([id])
    expect(await found('ann', 'zeppelin', id)).toEqual([])
    expect(await found('bob', 'zeppelin')).toEqual([])
    const { text } = await call('ann', 'search_chats', { query: 'zeppelin' })
    expect(text).toContain(`chat id ${id}`)
    const principal = { principalType: 'account', principalId: 'bob' } as const
    const grant = await ann.call(accessRoutes.grant, { body: { resourceType: 'chat', resourceId: id, ...principal } })
    expect(await found('bob', 'zeppelin')).toEqual([id])
    expect((await call('bob', 'read_chat', { id })).text).toContain('The zeppelin leaves on Tuesday')
    await ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    expect(await found('bob', 'zeppelin')).toEqual([])
    await expect(call('bob', 'read_chat', { id })).rejects.toMatchObject({ code: 'chat_not_found' })
    await indexed()
  })

  test('are read page by page, and around a message', async () => {
    const { ann } = harness
    const { id } = await newChat(ann)
    const add = (content: string) =>
      ann.call(chatRoutes.addMessage, { params: { sessionId: id }, body: { role: 'user', content } })
    const first = await add('one')
    for (const content of ['two', 'three', 'x'.repeat(9000)]) await add(content)
    const latest = await call('ann', 'read_chat', { id, limit: 2 })
    expect(latest.text).toContain('three')
    expect(latest.text).toContain('[… 5000 more characters]')
    expect(latest.text).not.toContain('two')
    const [, cursor] = /cursor (\S+)\./.exec(latest.text) ?? []
    const earlier = await call('ann', 'read_chat', { id, limit: 2, cursor })
    expect(earlier.text).toMatch(/It begins here\.[^]*one[^]*two/)
    expect((await call('ann', 'read_chat', { id, limit: 2, around: first.id })).text).toContain('one')
    await expect(call('ann', 'read_chat', { id, cursor: 'made-up' })).rejects.toMatchObject({ code: 'bad_cursor' })
    await expect(call('bob', 'read_chat', { id })).rejects.toMatchObject({ code: 'chat_not_found' })
  })
})
