import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes, type Message } from '@atrium/contract/chat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatHarness, newChat, openChats, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { onBothDatabases } from '../../../testing/databases.ts'

onBothDatabases('a question that quotes other messages', (open) => {
  let harness: ChatHarness
  let ann: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
  })
  afterAll(() => harness.close())

  const at = (sessionId: string) => ({ params: { sessionId } })
  const read = async (sessionId: string, who = ann): Promise<Message[]> =>
    (await who.call(chatRoutes.read, { ...at(sessionId), query: {} })).messages.items
  const add = (sessionId: string, content: string, role: 'user' | 'assistant' = 'user') =>
    ann.call(chatRoutes.addMessage, { ...at(sessionId), body: { role, content } })
  const ask = (sessionId: string, message: string, quotes: { messageId: string; text: string }[]) =>
    ann.call(chatRoutes.generate, { ...at(sessionId), body: { message, quotes } })
  const quotesOf = async (sessionId: string, who = ann) =>
    (await read(sessionId, who)).flatMap(({ quotes = [] }) => quotes)

  /** Two answers to one question, of which the first is left, and a question that quotes both. */
  const quoting = async () => {
    const { id } = await newChat(ann)
    const asked = await add(id, 'Which bird?')
    const tern = await add(id, 'The tern.\n\n  It flies far.', 'assistant')
    const params = { sessionId: id, messageId: tern.id }
    const gull = await ann.call(chatRoutes.addBranch, { params, body: { content: 'The gull.' } })
    const quotes = [
      { messageId: tern.id, text: 'The tern.\n\n  It flies far.' },
      { messageId: gull.id, text: 'The gull.' },
    ]
    await ask(id, '> The tern.\n>\n>   It flies far.\n\n> The gull.\n\nWhich of them?', quotes)
    return { id, asked, tern, gull, quotes }
  }

  test('keeps which messages they are, and none whose words it does not have or which is of another chat', async () => {
    const { id, tern, quotes } = await quoting()
    expect(await quotesOf(id)).toEqual(quotes)
    const elsewhere = await newChat(ann)
    await ask(elsewhere.id, '> The tern.\n\nWhere?', [
      { messageId: tern.id, text: 'The tern.' },
      { messageId: tern.id, text: 'Not in it' },
    ])
    expect(await quotesOf(elsewhere.id)).toEqual([])
  })

  test('leads nowhere once what it quotes is gone, and there again when that is back', async () => {
    const { id, tern, gull } = await quoting()
    await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: tern.id } })
    expect((await quotesOf(id)).map(({ messageId }) => messageId)).toEqual([gull.id])
    await ann.call(chatRoutes.restoreTrash, { params: { itemId: tern.id } })
    expect((await quotesOf(id)).map(({ messageId }) => messageId)).toEqual([tern.id, gull.id])
  })

  test('that is edited keeps the quotes whose words stand in it still', async () => {
    const { id, gull } = await quoting()
    const question = (await read(id)).find(({ quotes = [] }) => quotes.length > 0)
    const params = { sessionId: id, messageId: question?.id ?? '' }
    const content = '> The tern. It flew.\n\n> The gull.\n\nWhich?'
    const edited = await ann.call(chatRoutes.updateMessage, { params, body: { content } })
    expect(edited.quotes).toEqual([{ messageId: gull.id, text: 'The gull.' }])
    expect(edited.content).toBe(content)
  })

  test('leads to the copies in a copy, as far as they are copied', async () => {
    const { id } = await quoting()
    const all = await ann.call(chatRoutes.fork, { ...at(id), body: { branches: true } })
    const both = await quotesOf(all.id)
    expect(both.map(({ text }) => text)).toEqual(['The tern.\n\n  It flies far.', 'The gull.'])
    const params = { sessionId: all.id, messageId: both[0]?.messageId ?? '' }
    expect((await ann.call(chatRoutes.branches, { params })).items.map(({ content }) => content)).toContain('The gull.')
    const path = await ann.call(chatRoutes.fork, { ...at(id), body: {} })
    const kept = await quotesOf(path.id)
    expect(kept.map(({ text }) => text)).toEqual(['The gull.'])
    expect((await read(path.id)).find(({ content }) => content === 'The gull.')?.id).toBe(kept[0]?.messageId)
  })

  test('leads readers to what they see, and not into other branches', async () => {
    const { id, gull } = await quoting()
    const grant = { resourceType: 'chat' as const, resourceId: id, principalType: 'account' as const }
    await ann.call(accessRoutes.grant, { body: { ...grant, principalId: 'bob' } })
    const toGull = [{ messageId: gull.id, text: 'The gull.' }]
    expect(await quotesOf(id, harness.bob)).toEqual(toGull)
    const pages = await harness.bob.call(chatRoutes.messages, { ...at(id), query: {} })
    expect(pages.items.flatMap(({ quotes = [] }) => quotes)).toEqual(toGull)
  })

  test('can wait in the queue, and in a temporary chat', async () => {
    const { id } = await ann.call(chatRoutes.create, {
      body: { selection: { providerType: 'local', providerId: null, model: 'long-2000-drip-20' }, temporary: true },
    })
    const tern = await add(id, 'The tern.', 'assistant')
    const quotes = [{ messageId: tern.id, text: 'The tern.' }]
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { ...at(id), body: { message: 'Wait' } })
    const { queue } = await ann.call(chatRoutes.enqueue, {
      ...at(id),
      body: { content: '> The tern.\n\nWhy?', quotes },
    })
    expect(queue[0]?.quotes).toEqual(quotes)
    await ann.call(chatRoutes.cancel, { params: { sessionId: id, assistantMessageId: assistantMessage.id } })
    await ann.call(chatRoutes.resumeQueue, at(id))
    await until(async () => (await quotesOf(id)).length === 1)
    expect(await quotesOf(id)).toEqual(quotes)
  })
})
