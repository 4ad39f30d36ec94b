import { chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ResolveModel } from '../../../core/generation/index.ts'
import type { Toolkit, Tools } from '../../../core/tools/index.ts'
import { type Part, ProviderFailure, type Turn } from '../../../providers/types.ts'
import { type ChatHarness, collect, openChats } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'
import type { ChatTables } from '../tables.ts'

const model = (name: string, providerId = 'claude'): Selection => ({ providerType: 'plugin', providerId, model: name })
const secret = 'signature-that-nobody-reads'
const item = { text: 0, calls: 0, item: { type: 'thinking', thinking: 'Hm.', signature: secret } }

withDatabase('what a provider wants to see again', (open) => {
  let harness: ChatHarness
  let ann: Client
  let turns: Turn[] = []
  let parts: Part[] = []
  /** Whether the provider refuses, and whether only what it is shown again. */
  let refuses = false
  let refusesReplay = true

  /** Models of any name, each with thoughts of its own. */
  const resolveModel: ResolveModel = async (_, selection) => ({
    model: {
      selection,
      name: selection.model,
      contextWindow: 100_000,
      vision: null,
      prefills: true,
      sizesWindow: false,
      async *ask(turn) {
        turns.push(turn)
        const shown = turn.messages.some((m) => m.role === 'assistant' && m.replay)
        if (refuses && (shown || !refusesReplay)) throw new ProviderFailure('rejected', 'It refused.', 400)
        yield parts
      },
    },
  })
  beforeAll(async () => {
    harness = await openChats(open, { over: () => ({ resolveModel }) })
    ann = harness.ann
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(() => harness.close())
  beforeEach(() => {
    turns = []
    refuses = false
    refusesReplay = true
    parts = [
      { type: 'replay', wire: 'anthropic', item },
      { type: 'text', delta: 'Yes.' },
      { type: 'finish', reason: 'stop' },
    ]
  })

  const begin = (selection = model('opus')) => ann.call(chatRoutes.create, { body: { selection } })
  const say = (sessionId: string, message: string, modelOverride?: Selection) =>
    ann.call(chatRoutes.generate, {
      params: { sessionId },
      body: { message, ...(modelOverride ? { modelOverride } : {}) },
    })
  /** What the answers in the last turn that was asked brought along. */
  const replays = () => turns.at(-1)?.messages.flatMap((m) => (m.role === 'assistant' ? [m.replay ?? null] : []))
  const own = { wire: 'anthropic', model: 'opus', items: [item] }
  const rows = async () => harness.database.tables<ChatTables>().selectFrom('chat_replays').selectAll().execute()

  test('goes back to the same model of the same provider, and to no other', async () => {
    const { id } = await begin()
    await say(id, 'One')
    await say(id, 'Two')
    expect(replays()).toEqual([own])
    await say(id, 'Three', model('haiku'))
    expect(replays()).toEqual([null, null])
    await say(id, 'Four', model('opus', 'elsewhere'))
    expect(replays()).toEqual([null, null, null])
    await say(id, 'Five')
    expect(replays()).toEqual([own, own, null, null])
  })

  test('goes back with the calls of an answer that goes on after it waited', async () => {
    let resume: Parameters<Tools['onDecided']>[0] = async () => undefined
    let isDecided = false
    const nothing = async () => undefined
    const tools = {
      onDecided: (go: typeof resume) => void (resume = go),
      prepareWait: () => ({ write: async () => undefined, tell: async () => undefined }),
      onFiles: () => undefined,
      denyWaiting: nothing,
      removeChat: nothing,
      maxRounds: async () => 8,
      listUsable: async (accountId: string) => ({ accountId, tools: [] }),
      requireIds: async () => undefined,
      describe: async () => [],
      keepUsable: () => [],
      hadEffect: async () => false,
      open: async (): Promise<Toolkit> => ({
        specs: () => [{ name: 'send', description: '', parameters: { type: 'object' } }],
        run: async () =>
          isDecided ? { kind: 'result', text: 'sent', images: [], sources: [], isError: false } : { kind: 'waiting' },
      }),
    }
    const withTools = await openChats(open, { over: () => ({ resolveModel, tools }) })
    await withTools.ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
    parts = [
      { type: 'replay', wire: 'anthropic', item },
      { type: 'tool-call', call: { id: 'a', name: 'send', arguments: '{}' } },
    ]
    const { id } = await withTools.ann.call(chatRoutes.create, { body: { selection: model('opus') } })
    const params = { sessionId: id }
    const answer = await withTools.ann.call(chatRoutes.generate, { params, body: { message: 'Send it.' } })
    expect(answer.status).toBe('waiting')
    isDecided = true
    parts = [{ type: 'text', delta: 'Done.' }]
    await resume({ accountId: 'ann', subjectId: answer.id })
    const statusNow = async () =>
      (await withTools.ann.call(chatRoutes.read, { params, query: {} })).messages.items[1]?.status
    await expect.poll(statusNow).toBe('complete')
    expect(replays()).toEqual([{ ...own, items: [{ ...item, round: 1 }] }])
    await withTools.close()
  })

  test('is shown by no route and no stream, and stands sealed in the table', async () => {
    const { id } = await begin()
    const params = { sessionId: id }
    const frames = await collect(ann.follow(chatRoutes.generateStream, { params, body: { message: 'One' } }))
    const shown = [
      frames,
      await ann.call(chatRoutes.read, { params }),
      await ann.call(chatRoutes.messages, { params, query: {} }),
    ]
    expect(JSON.stringify(shown)).not.toContain(secret)
    const stored = await rows()
    expect(stored.length).toBeGreaterThan(0)
    for (const row of stored) expect(Buffer.from(row.content).includes(secret)).toBe(false)
    expect(harness.lines.join('\n')).not.toContain(secret)
  })

  test('goes along with a fork', async () => {
    const { id } = await begin()
    await say(id, 'One')
    const fork = await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    await say(fork.id, 'Two')
    expect(replays()).toEqual([own])
  })

  test('belongs to its own branch', async () => {
    const { id } = await begin()
    const first = await say(id, 'One')
    parts = [{ type: 'text', delta: 'No.' }]
    await ann.call(chatRoutes.generate, {
      params: { sessionId: id },
      body: { regenerate: true, originalMessageId: first.id },
    })
    await say(id, 'Two')
    expect(replays()).toEqual([null])
    const params = { sessionId: id, messageId: first.id }
    await ann.call(chatRoutes.branch, { params, body: { branchIndex: 0 } })
    await say(id, 'Three')
    expect(replays()).toEqual([own])
  })

  test('is forgotten when the words of the answer are changed, but not when it is rated', async () => {
    const { id } = await begin()
    const answer = await say(id, 'One')
    const params = { sessionId: id, messageId: answer.id }
    await ann.call(chatRoutes.updateMessage, { params, body: { rating: 1 } })
    await say(id, 'Two')
    expect(replays()).toEqual([own])
    await ann.call(chatRoutes.updateMessage, { params, body: { content: 'Something else.' } })
    await say(id, 'Three')
    expect(replays()).toEqual([null, own])
  })

  test('is left out when the provider does not take it back', async () => {
    const { id } = await begin()
    await say(id, 'One')
    refuses = true
    expect((await say(id, 'Two')).content).toBe('Yes.')
    expect(turns.length).toBe(3)
    expect(replays()).toEqual([null])
  })

  test('is no reason to ask twice when there was none', async () => {
    const { id } = await begin()
    refuses = true
    refusesReplay = false
    await ann.refusal(chatRoutes.generate, { params: { sessionId: id }, body: { message: 'One' } }).catch(() => null)
    expect(turns.length).toBe(1)
  })

  test('is not kept of an answer that failed', async () => {
    const { id } = await begin()
    const before = (await rows()).length
    parts = [{ type: 'replay', wire: 'anthropic', item }]
    await ann.refusal(chatRoutes.generate, { params: { sessionId: id }, body: { message: 'One' } }).catch(() => null)
    expect((await rows()).length).toBe(before)
  })

  test('goes away for good with its chat', async () => {
    const { id } = await begin()
    const answer = await say(id, 'One')
    const has = async () => (await rows()).some((row) => row.message_id === answer.id)
    expect(await has()).toBe(true)
    await ann.call(chatRoutes.remove, { params: { sessionId: id } })
    expect(await has()).toBe(true)
    await ann.call(chatRoutes.emptyTrash, {})
    expect(await has()).toBe(false)
  })
})
