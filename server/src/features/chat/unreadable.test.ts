import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatHarness, newChat, openChats, say } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { withDatabase } from '../../testing/databases.ts'
import type { ChatTables } from './tables.ts'

const noSeal = Buffer.from('no seal at all, but long enough to be one')

withDatabase('rows of chats that cannot be read', (open) => {
  let harness: ChatHarness
  let ann: Client

  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(() => harness.close())

  const tables = () => harness.database.tables<ChatTables>()
  const ask = async (sessionId: string, message: string) => (await say(ann, sessionId, message)).content
  const messagesOf = async (sessionId: string) =>
    (await ann.call(chatRoutes.messages, { params: { sessionId }, query: {} })).items
  const asked = async () => {
    const { id } = await newChat(ann)
    await ask(id, 'Hello')
    return { id, answerId: (await messagesOf(id)).at(-1)?.id ?? '' }
  }

  test('figures that an older version stored as a provider told them are left out, and the words are shown', async () => {
    const { id, answerId } = await asked()
    const keys = await harness.vault.keyring('ann')
    const [before] = (await messagesOf(id)).slice(-1)
    const row = await tables()
      .selectFrom('chat_messages')
      .selectAll()
      .where('id', '=', answerId)
      .executeTakeFirstOrThrow()
    const stored = JSON.parse(keys.open('chat_messages.content', answerId, row.content)) as Record<string, object>
    const absurd = JSON.stringify({
      ...stored,
      usage: { ...stored['usage'], inputTokens: 1e300 },
      context: { ...stored['context'], windowTokens: 1e30 },
    })
    const content = keys.seal('chat_messages.content', answerId, absurd)
    await tables().updateTable('chat_messages').set({ content }).where('id', '=', answerId).execute()
    const [after] = (await messagesOf(id)).slice(-1)
    expect(before?.usage).not.toBeNull()
    expect(after).toEqual({ ...before, usage: null, context: null })
    expect(await ask(id, 'Again')).toContain('Again')
  })

  test('a message that cannot be read is shown as one, its chat goes on, and it can be deleted', async () => {
    const { id, answerId } = await asked()
    await tables().updateTable('chat_messages').set({ content: noSeal }).where('id', '=', answerId).execute()
    const [question, answer] = await messagesOf(id)
    expect([question?.content, question?.failure]).toEqual(['Hello', null])
    expect(answer?.failure?.code).toBe('unreadable')
    expect(await ask(id, 'Further')).toContain('Further')
    await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: answerId } })
    expect((await messagesOf(id)).map(({ content }) => content)).toEqual(['Hello'])
  })

  test('a chat whose name, settings and model cannot be read stands in the list, opens, and can be deleted', async () => {
    const { id } = await asked()
    const broken = { title: noSeal, settings: noSeal, forked_from: noSeal, selection: '{"providerType":' }
    await tables().updateTable('chat_sessions').set(broken).where('id', '=', id).execute()
    const listed = (await ann.call(chatRoutes.list, { query: {} })).items.find((item) => item.id === id)
    expect(listed).toMatchObject({ title: '\u{FFFD}', selection: null })
    expect(await ann.call(chatRoutes.read, { params: { sessionId: id }, query: {} })).toMatchObject({
      settings: {},
      forkedFrom: null,
    })
    await ann.call(chatRoutes.remove, { params: { sessionId: id } })
    expect((await ann.call(chatRoutes.list, { query: {} })).items.map((item) => item.id)).not.toContain(id)
  })
})
