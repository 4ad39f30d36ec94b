import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KyselyPlugin, Transaction } from 'kysely'
import type { Database } from '../../platform/db/types.ts'
import { type ChatHarness, local, openChats, say, until } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { withDatabase } from '../../testing/databases.ts'
import { plainContent, sealContent } from './stores/rows.ts'
import type { ChatTables, MessageRow } from './tables.ts'

/** Counts statements, those that sort, the rows they give, and those of them that hold what was said. */
const counted = { statements: 0, sorts: 0, rows: 0, contents: 0 }
const counter: KyselyPlugin = {
  transformQuery: ({ node }) => {
    counted.statements += 1
    counted.sorts += Number('orderBy' in node && node.orderBy !== undefined)
    return node
  },
  transformResult: async ({ result }) => {
    counted.rows += result.rows.length
    counted.contents += result.rows.filter((row) => 'content' in row).length
    return result
  },
}
const counting = (database: Database): Database => ({
  ...database,
  tables: <T>() => database.tables<T>().withPlugin(counter),
  write: <T, R>(work: (trx: Transaction<T>) => Promise<R>) =>
    database.write<T, R>((trx) => work(trx.withPlugin(counter) as Transaction<T>)),
})

withDatabase('a chat of ten thousand messages', (open) => {
  let harness: ChatHarness
  let ann: Client
  let long: string
  let short: string
  const length = 10_000

  const fill = async (count: number): Promise<string> => {
    const { id } = await ann.call(chatRoutes.create, { body: { title: 'Filled', selection: local('echo') } })
    const keys = await harness.vault.keyring('ann')
    const name = (n: number) => `${id}-${n}`
    const rows: MessageRow[] = Array.from({ length: count }, (_, n) => ({
      id: name(n),
      chat_id: id,
      account_id: 'ann',
      parent_id: n === 0 ? null : name(n - 1),
      role: n % 2 ? 'assistant' : 'user',
      status: 'complete',
      depth: n,
      content: sealContent(keys, name(n), plainContent(`message ${n} ${'word '.repeat(30)}`)),
      selection: null,
      rating: null,
      finish_reason: null,
      generation_id: null,
      active_child_id: n === count - 1 ? null : name(n + 1),
      covers_to_id: null,
      digest: null,
      attachment_count: 0,
      created_at: n,
      edited_at: null,
      deleted_at: null,
      trash_id: null,
      version: 1,
      indexed_version: 1,
      citations_noted: 1,
      pinned_at: null,
      branch_name: null,
    }))
    const tables = harness.database.tables<ChatTables>()
    for (let n = 0; n < count; n += 500) {
      await tables
        .insertInto('chat_messages')
        .values(rows.slice(n, n + 500))
        .execute()
    }
    await tables
      .updateTable('chat_sessions')
      .set({ active_leaf_id: name(count - 1) })
      .where('id', '=', id)
      .execute()
    return id
  }
  const unindexed = () =>
    harness.database
      .tables<ChatTables>()
      .selectFrom('chat_sessions')
      .select('id')
      .whereRef('indexed_version', '<', 'version')
      .execute()
  const costOf = async (work: () => Promise<unknown>): Promise<typeof counted> => {
    Object.assign(counted, { statements: 0, sorts: 0, rows: 0, contents: 0 })
    await work()
    return { ...counted }
  }
  /** Of four times: what goes on behind it, such as who is asking being looked up again, may fall into one of them. */
  const leastCost = async (work: () => Promise<unknown>): Promise<typeof counted> => {
    const costs = [await costOf(work), await costOf(work), await costOf(work)]
    return costs.reduce((least, cost) => (cost.statements < least.statements ? cost : least), await costOf(work))
  }

  beforeAll(async () => {
    harness = await openChats(open, { over: (database) => ({ database: counting(database) }) })
    ann = harness.ann
    long = await fill(length)
    short = await fill(40)
    // What goes on behind the making of a chat shall not be counted with what is measured.
    await until(async () => (await unindexed()).length === 0)
  })
  afterAll(() => harness.close())

  test('opens like a short one', async () => {
    const read = (sessionId: string) => ann.call(chatRoutes.read, { params: { sessionId }, query: {} })
    const cost = await leastCost(() => read(short))
    expect(await leastCost(() => read(long))).toEqual(cost)
    expect(cost.rows).toBeLessThan(70)
    expect(await read(long)).toMatchObject({ messageCount: length, messages: { items: expect.any(Array) } })
  })

  test('gives earlier and later pages, and a page around a message, for the price of a page', async () => {
    const around = `${long}-5000`
    const cost = await costOf(() => ann.call(chatRoutes.messages, { params: { sessionId: long }, query: { around } }))
    expect(cost.rows).toBeLessThan(100)
    const later = { params: { sessionId: long, messageId: around }, query: {} }
    expect((await costOf(() => ann.call(chatRoutes.newer, later))).rows).toBeLessThan(70)
  })

  describe('sending', () => {
    test('reads what fits into the window, and no more', async () => {
      const cost = await costOf(() => say(ann, long, 'And now?'))
      const read = await ann.call(chatRoutes.read, { params: { sessionId: long }, query: {} })
      const answer = read.messages.items.at(-1)
      expect(answer?.context?.droppedMessages).toBeGreaterThan(9000)
      expect(answer?.context?.includedMessages).toBeGreaterThan(100)
      // The walk reads in growing pages: at most twice what it takes.
      expect(cost.rows).toBeLessThan(2 * (answer?.context?.includedMessages ?? 0) + 100)
    })

    test('reads nothing that grows with the chat when history is left out', async () => {
      const body = { message: 'word '.repeat(4850) }
      const send = (sessionId: string) => ann.call(chatRoutes.generate, { params: { sessionId }, body })
      const inShort = await costOf(() => send(short))
      // What goes on behind an answer (its title, the queue, the index of words) may fall on either side.
      expect((await costOf(() => send(long))).rows).toBeLessThanOrEqual(inShort.rows + 40)
    })
  })

  test('is compacted, branched and measured without reading it', async () => {
    const context = { params: { sessionId: long }, query: {} }
    expect((await costOf(() => ann.call(chatRoutes.context, context))).rows).toBeLessThan(700)
    const compact = { params: { sessionId: long } }
    expect((await costOf(() => ann.call(chatRoutes.compact, compact))).rows).toBeLessThan(2000)
    const branch = { params: { sessionId: long, messageId: `${long}-9990` }, body: { content: 'other' } }
    expect((await costOf(() => ann.call(chatRoutes.addBranch, branch))).rows).toBeLessThan(200)
  })

  test('shows its branches by their first words, and lists pinned messages, without opening what it does not show', async () => {
    const params = { sessionId: long }
    const version = { params: { ...params, messageId: `${long}-4001` }, body: { content: 'another answer' } }
    await ann.call(chatRoutes.addBranch, version)
    const map = () => ann.call(chatRoutes.branchMap, { params, query: {} })
    const { contents } = await leastCost(map)
    const { items } = await map()
    expect(items.length).toBeGreaterThan(3)
    expect(contents).toBeLessThanOrEqual(2 * items.length)
    await ann.call(chatRoutes.updateMessage, { params: { ...params, messageId: `${long}-17` }, body: { pinned: true } })
    expect((await leastCost(() => ann.call(chatRoutes.pins, { params }))).rows).toBeLessThan(10)
  })

  test('is put in order once to find words in all of its branches, and read once', async () => {
    const find = () => ann.call(chatRoutes.findInBranches, { params: { sessionId: long }, query: { q: 'message 49' } })
    const { statements, sorts, contents } = await leastCost(find)
    expect((await find()).total).toBeGreaterThan(100)
    expect(sorts).toBeLessThan(5)
    expect(statements).toBeLessThan(length / 100 + 20)
    expect(contents).toBeLessThan(length + 20)
  })
})
