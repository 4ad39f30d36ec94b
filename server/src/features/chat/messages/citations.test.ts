import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { JobContext } from '../../../platform/jobs/types.ts'
import { type ChatHarness, local, newChat, openChats, say } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { indexJob } from '../index.ts'
import { createChatStore } from '../stores/index.ts'
import type { ChatTables } from '../tables.ts'

/** As much as is needed of the tables of documents. */
interface DocumentTables {
  documents: Readonly<Record<string, string | number | Uint8Array | null>>
}

const passage = (documentId: string) => ({
  source: { kind: 'document' as const, documentId, name: documentId, section: null, passage: 'An arch.', score: 2 },
  text: 'An arch.',
})

onBothDatabases('which chats cite a document', (open) => {
  let harness: ChatHarness
  let ann: Client
  /** Runs while documents are asked, which is before an answer stands. */
  let meanwhile = async (): Promise<void> => undefined

  beforeAll(async () => {
    const documents = {
      async retrieve() {
        await meanwhile()
        const retrieval = { mode: 'keyword' as const, query: 'q', documents: 2, excerpts: 2, tokens: 0 }
        return {
          items: [passage('bridges'), passage('towers')],
          retrieval: { ...retrieval, nothingMatched: false, asked: true, nearest: [], notes: [] },
        }
      },
      hasAny: async () => true,
      waitUntilRead: async () => undefined,
      describeDocuments: async () => [],
      findOriginals: async () => new Set<string>(),
      openOriginal: async () => null,
      removeSessions: async () => undefined,
      makeCollection: async () => null,
      ownsCollection: async () => true,
    }
    harness = await openChats(open, { over: () => ({ documents }) })
    ann = harness.ann
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    meanwhile = async () => undefined
    harness.calm()
    harness.provider.control({
      answers: [
        { match: 'Thank', answer: 'Gladly.' },
        { match: 'Which', answer: 'It is the arch [1].' },
      ],
    })
    await tables().deleteFrom('chat_sessions').execute()
    await tables().deleteFrom('documents').execute()
    await tables()
      .insertInto('documents')
      .values([documentRow('bridges'), documentRow('towers')])
      .execute()
  })

  const tables = () => harness.database.tables<ChatTables & DocumentTables>()
  const cited = async (documentId = 'bridges', accountId = 'ann') =>
    (await createChatStore(harness.database).citations.chats(accountId, documentId, 50, null)).map(
      ({ chat_id, answers, message_id }) => ({ chat_id, answers, message_id }),
    )
  const noted = () => tables().selectFrom('chat_citations').select('document_id').execute()
  /** As after an update from a release that did not note citations. */
  const forget = async (): Promise<void> => {
    await tables().deleteFrom('chat_citations').execute()
    await tables().updateTable('chat_messages').set({ citations_noted: 0 }).execute()
  }
  const sweep = async (signal = new AbortController().signal): Promise<void> => {
    await harness.chats.area.jobs?.[indexJob]?.prepare({})?.({ signal } as JobContext)
  }

  test('are the reader’s own, the latest answer first, with how many cite it; uncited passages do not count', async () => {
    const [one, other] = [await newChat(ann), await newChat(ann)]
    await say(ann, one.id, 'Which arch?')
    const middle = await say(ann, other.id, 'Which arch?')
    const last = await say(ann, one.id, 'Which arch again?')
    await say(ann, one.id, 'Thank you.')
    expect(await cited()).toEqual([
      { chat_id: one.id, answers: 2, message_id: last.id },
      { chat_id: other.id, answers: 1, message_id: middle.id },
    ])
    expect(await cited('towers')).toEqual([])
    expect(await cited('bridges', 'bob')).toEqual([])
  })

  test('leave out what is in the trash, and bring it back with it; what is deleted for good leaves nothing', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const first = await say(ann, id, 'Which arch?')
    const second = await say(ann, id, 'Which arch again?')
    await ann.call(chatRoutes.truncate, { params: { ...params, messageId: second.id } })
    expect(await cited()).toEqual([{ chat_id: id, answers: 1, message_id: first.id }])
    await ann.call(chatRoutes.removeTrash, { params: { itemId: second.id } })
    expect(await noted()).toHaveLength(1)
    await ann.call(chatRoutes.remove, { params })
    expect(await cited()).toEqual([])
    await ann.call(chatRoutes.restoreTrash, { params: { itemId: id } })
    expect(await cited()).toHaveLength(1)
    await ann.call(chatRoutes.remove, { params })
    await ann.call(chatRoutes.removeTrash, { params: { itemId: id } })
    expect(await noted()).toEqual([])
  })

  test('forget a document that is deleted for good, also while it is being cited', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, 'Which arch?')
    await tables().deleteFrom('documents').where('id', '=', 'bridges').execute()
    expect(await noted()).toEqual([])
    meanwhile = async () => void (await tables().deleteFrom('documents').execute())
    expect((await say(ann, id, 'Which arch?')).status).toBe('complete')
    expect(await noted()).toEqual([])
  })

  test('include copies, and leave out temporary chats', async () => {
    const { id } = await newChat(ann)
    const { id: messageId } = await say(ann, id, 'Which arch?')
    const copy = await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: { messageId } })
    const temporary = await ann.call(chatRoutes.create, { body: { selection: local('echo'), temporary: true } })
    await say(ann, temporary.id, 'Which arch?')
    expect((await cited()).map(({ chat_id }) => chat_id).sort()).toEqual([id, copy.id].sort())
  })

  test('include answers from before that was noted, also where the work was cut off', async () => {
    const { id } = await newChat(ann)
    for (let n = 0; n < 30; n++) {
      const question = { role: 'user' as const, content: `Question ${n}` }
      await ann.call(chatRoutes.addMessage, { params: { sessionId: id }, body: question })
      const answer = { role: 'assistant' as const, content: `Answer ${n}` }
      await ann.call(chatRoutes.addMessage, { params: { sessionId: id }, body: answer })
    }
    await say(ann, id, 'Which arch?')
    await say(harness.bob, (await newChat(harness.bob)).id, 'Which arch?')
    await forget()
    const stop = new AbortController()
    const batch = sweep(stop.signal)
    stop.abort()
    await batch
    await sweep()
    expect(await cited()).toMatchObject([{ chat_id: id, answers: 1 }])
    expect(await cited('bridges', 'bob')).toHaveLength(1)
    await sweep()
    expect(await noted()).toHaveLength(2)
  })
})

const documentRow = (id: string) => ({
  id,
  account_id: 'ann',
  name: Buffer.from('x'),
  file_type: 'txt',
  media_type: 'text/plain',
  size_bytes: 1,
  state: 'completed',
  revision: 1,
  content_chars: 1,
  tokens: 1,
  chunks: 1,
  embedding_state: 'off',
  embedded: 0,
  chunk_size: 1000,
  chunk_overlap: 0,
  uploaded_at: 0,
  updated_at: 0,
})
