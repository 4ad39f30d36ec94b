import { type ChatEvent, chatRoutes } from '@atrium/contract/chat'
import { searchRoutes } from '@atrium/contract/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { collect, local, textOf, until } from '../../testing/chats.ts'
import type { Client, ClientFrame } from '../../testing/client.ts'
import { uploadAndRead } from '../../testing/documents.ts'

describe.each(['sqlite', 'postgres'] as const)('a process that dies in mid-answer (%s)', (dialect) => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    provider.control({ models: ['long-20000-drip-10', 'long-40-drip-5'] })
    app = await startTestApp({ dialect, ownProcess: true, env: { OLLAMA_BASE_URL: provider.url } })
    ann = await app.signUpAdmin()
    await uploadAndRead(ann, 'The long way round is nine miles.')
  })
  afterAll(async () => {
    await app.close()
    await provider.close()
  })

  const found = async (q: string): Promise<ReadonlySet<string | null>> => {
    const { items } = await ann.call(searchRoutes.everything, { query: { q } })
    return new Set(items.map(({ chatId }) => chatId))
  }

  /** Asks, follows until some text is there, and ends the process in some way. */
  const interruptedBy = async (end: () => Promise<void>) => {
    const { id } = await ann.call(chatRoutes.create, {
      body: { selection: local('long-20000-drip-10'), title: 'Kept' },
    })
    const params = { sessionId: id }
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, {
      params,
      body: { message: 'Which is the long way?' },
    })
    await ann.call(chatRoutes.enqueue, { params, body: { content: 'And the short way?' } })
    const seen: ClientFrame<ChatEvent>[] = []
    let ending: Promise<void> | null = null
    try {
      for await (const frame of ann.follow(chatRoutes.events, { params, query: {} })) {
        seen.push(frame)
        if (!ending && textOf(seen).split(' ').length > 160) ending = end()
      }
    } catch (error) {
      // The connection breaks with the process.
      if (!ending) throw error
    }
    await ending
    return { params, assistantMessage, seen }
  }

  const checkKept = async (
    { params, assistantMessage, seen }: Awaited<ReturnType<typeof interruptedBy>>,
    lost: number,
  ) => {
    const read = await ann.call(chatRoutes.read, { params, query: {} })
    expect(read).toMatchObject({ runningGenerationId: null, failed: true })
    const kept = read.messages.items[1]
    expect(kept).toMatchObject({ id: assistantMessage.id, status: 'interrupted', failure: { code: 'interrupted' } })
    expect(kept).toMatchObject({ sources: [{ number: 1, cited: false }], retrieval: { excerpts: 1 } })
    const words = (text: string): number => text.split(' ').length
    expect(words(kept?.content ?? '')).toBeGreaterThan(words(textOf(seen)) - lost)
    // Whoever followed goes on from where he was, and hears how it ended: of a process that stops, before it is gone.
    const after = seen.at(-1)?.seq ?? 0
    const rest = await collect(ann.follow(chatRoutes.events, { params, query: {} }, { after }))
    const last = [...seen, ...rest].at(-1)
    expect(last?.event).toMatchObject({ type: 'error', data: { code: 'interrupted' } })
    const whole = await collect(ann.follow(chatRoutes.events, { params, query: {} }))
    expect(textOf(whole)).toBe(kept?.content)
    const body = { continueMessageId: assistantMessage.id, modelOverride: local('long-40-drip-5') }
    const done = await ann.call(chatRoutes.generate, { params, body })
    expect(done.status).toBe('complete')
    expect(done.content.startsWith(kept?.content ?? 'x')).toBe(true)
    expect(done.content.endsWith('word40 ')).toBe(true)
    expect(done.sources).toEqual(kept?.sources)
    // What waited behind the interrupted answer is not sent until the person says so.
    expect(await ann.call(chatRoutes.read, { params, query: {} })).toMatchObject({ queuePaused: true, queue: [{}] })
    await until(async () => (await found('from:me long')).has(params.sessionId))
  }

  test('loses at most a fifth of a second of text, and the answer can be gone on with', async () => {
    const interrupted = await interruptedBy(() => app.kill())
    await app.restart()
    // 200 ms are 20 words here; the cores of a test machine are shared, and so is its disk.
    await checkKept(interrupted, 100)
  })

  test('a clean stop is quick, and loses nothing', async () => {
    let took = 0
    const interrupted = await interruptedBy(async () => {
      const begun = performance.now()
      await app.restart()
      took = performance.now() - begun
    })
    // The rest of the answer would take minutes.
    expect(took).toBeLessThan(120_000)
    await checkKept(interrupted, 1)
  })
})
