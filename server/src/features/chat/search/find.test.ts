import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseQuery } from '../../../core/search/query.ts'
import { createSearchIndexes } from '../../../platform/db/search/index.ts'
import type { TextIndex } from '../../../platform/db/search/index.ts'
import type { Database } from '../../../platform/db/types.ts'
import { type ChatHarness, local, newChat, openChats, say, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'
import type { JobContext } from '../../../platform/jobs/types.ts'
import { indexJob } from '../index.ts'
import type { ChatTables } from '../tables.ts'

withDatabase('finding what was said', (open) => {
  let harness: ChatHarness
  let ann: Client
  let bob: Client
  let texts: TextIndex
  /** What the index is kept from, as a crash would. */
  let broken = false
  const breaking = (index: TextIndex): TextIndex => ({
    ...index,
    hash: (entries) => (broken ? Promise.reject(new Error('the process is gone')) : index.hash(entries)),
  })

  beforeAll(async () => {
    harness = await openChats(open, {
      over: (database, vault) => {
        texts = createSearchIndexes({ database, vault }).texts
        return { texts: breaking(texts) }
      },
    })
    ann = harness.ann
    bob = harness.bob
  })
  afterAll(() => harness.close())
  beforeEach(() => {
    broken = false
    harness.calm()
  })

  const look = (typed: string, accountId = 'ann', limit = 20) =>
    harness.chats.resources.chat.search(accountId, parseQuery(typed).wanted, limit)
  const names = async (typed: string, accountId = 'ann') =>
    (await look(typed, accountId)).map(({ kind, snippet }) => `${kind} ${snippet}`)
  const finds = (typed: string, count: number, accountId = 'ann') =>
    until(async () => (await look(typed, accountId)).length === count)
  const sweep = async (): Promise<void> => {
    const job = harness.chats.area.jobs?.[indexJob]
    const { signal } = new AbortController()
    await job?.prepare({})?.({ signal } as JobContext)
  }

  test('questions, answers and titles are found, with the words marked, by their owner alone', async () => {
    const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo'), title: 'Walruses at sea' } })
    const answer = await say(ann, id, 'Tell me about walruses and their tusks')
    await finds('walruses', 3)
    const [found] = await look('tusks from:model')
    expect(found).toMatchObject({ kind: 'message', id: answer.id, chatId: id, location: null })
    const [start = 0, end = 0] = found?.matches[0] ?? []
    expect(found?.snippet.slice(start, end)).toBe('tusks')
    expect((await look('walruses in:chats')).map(({ kind }) => kind).sort()).toEqual(['chat', 'message', 'message'])
    expect((await look('walr')).map(({ kind, id: of }) => [kind, of])).toEqual([['chat', id]])
    expect(await look('walruses', 'bob')).toEqual([])
    expect(await look('walruses zebras')).toEqual([])
    expect(await look('walruses in:documents')).toEqual([])
  })

  test('chats are narrowed by their model and by what they are, with words and without', async () => {
    const make = async (title: string, model: string, message: string) => {
      const { id } = await ann.call(chatRoutes.create, { body: { selection: local(model), title } })
      await say(ann, id, message)
      return id
    }
    const pinned = await make('Puffins', 'echo', 'puffins one')
    const archived = await make('Auks', 'markdown', 'puffins two')
    await ann.call(chatRoutes.update, { params: { sessionId: pinned }, body: { pinned: true } })
    await ann.call(chatRoutes.update, { params: { sessionId: archived }, body: { archived: true } })
    await finds('puffins from:me', 2)
    const chats = async (typed: string) => new Set((await look(typed)).map(({ chatId }) => chatId))
    expect(await chats('puffins is:pinned')).toEqual(new Set([pinned]))
    expect(await chats('puffins is:archived')).toEqual(new Set([archived]))
    expect(await chats('puffins model:Markdown')).toEqual(new Set([archived]))
    expect(await chats('is:pinned')).toEqual(new Set([pinned]))
    expect(await chats('puffins is:pinned is:archived')).toEqual(new Set())
    expect(await chats('puffins is:shared')).toEqual(new Set())
    const body = { resourceType: 'chat', resourceId: archived, principalType: 'account', principalId: 'bob' } as const
    await ann.call(accessRoutes.grant, { body })
    expect(await chats('puffins is:shared')).toEqual(new Set([archived]))
    expect((await look('puffins is:shared model:markdown', 'bob')).length).toBeGreaterThan(0)
    expect(await look('puffins is:archived', 'bob')).toEqual([])
  })

  test('operators narrow by who said it, what it has, its chat and its day', async () => {
    const { id } = await ann.call(chatRoutes.create, {
      body: { selection: local('markdown'), title: 'Quarterly Gryphon' },
    })
    await say(ann, id, 'Explain gryphons with a table')
    await finds('gryphons', 2)
    await until(async () => (await look('has:code in:gryphon')).length === 1)
    expect(await names('gryphons from:me')).toEqual(['message Explain gryphons with a table'])
    expect(await look('gryphons from:model')).toEqual([])
    expect(await look('gryphons has:code')).toEqual([])
    expect(await look('explain in:gryphon')).toHaveLength(1)
    expect(await look('explain in:"no such chat"')).toEqual([])
    expect(await look('gryphons before:2001-01-01')).toEqual([])
    expect(await look('gryphons after:2001-01-01')).toHaveLength(2)
    expect((await look('in:gryphon')).map(({ kind, title }) => [kind, title])).toEqual([['chat', 'Quarterly Gryphon']])
    expect((await look('from:me in:gryphon')).map(({ snippet }) => snippet)).toEqual(['Explain gryphons with a table'])
  })

  test('a changed message is found by its new words, a renamed chat by its new name', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const { id: messageId } = await ann.call(chatRoutes.addMessage, {
      params,
      body: { role: 'user', content: 'old ocelot' },
    })
    await finds('ocelot', 2)
    const changed = { params: { ...params, messageId }, body: { content: 'new manatee' } }
    await ann.call(chatRoutes.updateMessage, changed)
    await ann.call(chatRoutes.update, { params, body: { title: 'About dugongs' } })
    await finds('ocelot', 0)
    await finds('manatee', 1)
    await finds('dugong', 1)
  })

  test('what is in the trash is out of reach at once, and back when it is restored', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    await ann.call(chatRoutes.addMessage, { params, body: { role: 'user', content: 'first narwhal' } })
    const second = await ann.call(chatRoutes.addMessage, { params, body: { role: 'user', content: 'second narwhal' } })
    await finds('narwhal', 3)
    await ann.call(chatRoutes.truncate, { params: { ...params, messageId: second.id } })
    expect(await look('second narwhal')).toEqual([])
    await ann.call(chatRoutes.restoreTrash, { params: { itemId: second.id } })
    await finds('second narwhal', 1)
    await ann.call(chatRoutes.remove, { params })
    expect(await look('narwhal')).toEqual([])
    await until(async () => (await texts.find(raw('narwhal', 'chats:ann'))).length === 0)
    expect((await texts.find(raw('narwhal', 'trashed-chats:ann'))).length).toBe(3)
    await ann.call(chatRoutes.restoreTrash, { params: { itemId: id } })
    await finds('narwhal', 3)
    await ann.call(chatRoutes.remove, { params })
    await ann.call(chatRoutes.removeTrash, { params: { itemId: id } })
    expect(await texts.find(raw('narwhal', 'chats:ann', 'trashed-chats:ann'))).toEqual([])
  })

  const raw = (text: string, ...partitions: string[]) => ({ text, partitions, limit: 50 })

  test('a fork is found as a chat of its own', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, 'A lonely axolotl')
    await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: { title: 'Copy' } })
    await finds('axolotl from:me', 2)
  })

  describe('what a process left behind', () => {
    const due = async (): Promise<number> =>
      (
        await harness.database
          .tables<ChatTables>()
          .selectFrom('chat_messages')
          .select('id')
          .whereRef('indexed_version', '<', 'version')
          .execute()
      ).length

    test('is taken in by the next one', async () => {
      broken = true
      const { id } = await newChat(bob)
      await say(bob, id, 'A forgotten pangolin')
      await until(() => harness.lines.some((line) => line.includes('taken into the index')))
      expect(await look('pangolin', 'bob')).toEqual([])
      expect(await due()).toBeGreaterThan(0)
      broken = false
      await sweep()
      expect(await look('pangolin from:me', 'bob')).toHaveLength(1)
      expect(await due()).toBe(0)
      harness.lines.length = 0
    })

    test('also in chats from before there was an index; until then the search says so', async () => {
      const { id } = await newChat(bob)
      await say(bob, id, 'An ancient coelacanth')
      await finds('coelacanth from:me', 1, 'bob')
      await forgetAll(harness.database, texts)
      expect(await harness.chats.resources.chat.isIndexing?.('bob')).toBe(true)
      expect(await look('coelacanth', 'bob')).toEqual([])
      await sweep()
      expect(await harness.chats.resources.chat.isIndexing?.('bob')).toBe(false)
      expect(await look('coelacanth from:me', 'bob')).toHaveLength(1)
    })
  })

  test('nothing of a removed account is left', async () => {
    const { id } = await newChat(bob)
    await bob.call(chatRoutes.update, { params: { sessionId: id }, body: { tags: ['extinct'] } })
    await say(bob, id, 'The last quagga')
    await finds('quagga from:me', 1, 'bob')
    await harness.chats.resources.chat.removeAccount?.('bob')
    expect(await texts.find(raw('quagga', 'chats:bob', 'trashed-chats:bob'))).toEqual([])
    expect((await bob.call(chatRoutes.tags, {})).items).toEqual([])
  })

  const forgetAll = async (database: Database, index: TextIndex): Promise<void> => {
    await index.removePartitions(['chats:ann', 'chats:bob'])
    for (const table of ['chat_messages', 'chat_sessions'] as const)
      await database.tables<ChatTables>().updateTable(table).set({ indexed_version: -1 }).execute()
  }
})
