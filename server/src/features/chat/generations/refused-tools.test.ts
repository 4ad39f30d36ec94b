import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResolveModel } from '../../../core/generation/index.ts'
import type { Toolkit } from '../../../core/tools/index.ts'
import { ProviderFailure, type Turn } from '../../../providers/types.ts'
import { type ChatHarness, openChats, say } from '../../../testing/chats.ts'
import { withDatabase } from '../../../testing/databases.ts'

withDatabase('a model of which nobody says whether it calls tools', (open) => {
  let harness: ChatHarness
  const turns: Turn[] = []
  const resolveModel: ResolveModel = async (_, selection) => ({
    model: {
      selection,
      name: selection.model,
      contextWindow: 100_000,
      vision: null,
      tools: selection.model === 'knows' ? true : selection.model === 'cannot' ? false : null,
      prefills: true,
      sizesWindow: false,
      async *ask(turn) {
        turns.push(turn)
        if (turn.tools.length > 0) throw new ProviderFailure('rejected', 'It takes no tools.', 400)
        yield [
          { type: 'text', delta: 'Yes.' },
          { type: 'finish', reason: 'stop' },
        ]
      },
    },
  })
  const toolkit: Toolkit = {
    specs: () => [{ name: 'look', description: '', parameters: { type: 'object' } }],
    run: () => Promise.reject(new Error('nothing is called')),
  }
  const tools = {
    open: async () => toolkit,
    describe: async () => toolkit.specs(),
    listUsable: async (accountId: string) => ({ accountId, tools: [] }),
    keepUsable: () => [],
    hadEffect: async () => false,
    maxRounds: async () => 8,
    requireIds: async () => undefined,
    onDecided: () => undefined,
    prepareWait: () => ({ write: async () => undefined, tell: async () => undefined }),
    onFiles: () => undefined,
    denyWaiting: async () => undefined,
    removeChat: async () => undefined,
  }
  beforeAll(async () => {
    harness = await openChats(open, { over: () => ({ resolveModel, tools }) })
  })
  afterAll(() => harness.close())

  const ask = async (model: string) => {
    const selection = { providerType: 'plugin' as const, providerId: 'lab', model }
    const { id } = await harness.ann.call(chatRoutes.create, { body: { selection } })
    turns.length = 0
    const answer = await say(harness.ann, id, 'Are you there?').catch(() => null)
    return { answer, offered: turns.slice(0, 2).map((turn) => turn.tools.length) }
  }

  test('is asked without them where its provider refuses them', async () => {
    const { answer, offered } = await ask('unknown')
    expect(answer?.content).toBe('Yes.')
    expect(offered).toEqual([1, 0])
    // Once is enough.
    expect((await ask('unknown')).offered[0]).toBe(0)
  })

  test('is not asked again where it is known to call them', async () => {
    expect(await ask('knows')).toMatchObject({ answer: null, offered: [1] })
  })

  test('is offered none where it is known not to', async () => {
    const { answer, offered } = await ask('cannot')
    expect(answer?.content).toBe('Yes.')
    expect(offered[0]).toBe(0)
  })
})
