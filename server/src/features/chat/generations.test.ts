import { setTimeout as wait } from 'node:timers/promises'
import { chat } from '@atrium/contract/chat'
import type { ChatEvent } from '@atrium/contract/chat'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatHouse, openChats } from '../../testing/chats.ts'
import type { Client, ClientFrame } from '../../testing/client.ts'
import { onBothDatabases } from '../../testing/databases.ts'

const local = (model: string) => ({ providerType: 'local' as const, providerId: null, model })

/** The text of a stream of events, put together. */
const textOf = (frames: readonly ClientFrame<ChatEvent>[]): string =>
  frames.map(({ event }) => (event.type === 'text' ? event.data.delta : '')).join('')

const collect = async (frames: AsyncIterable<ClientFrame<ChatEvent>>): Promise<ClientFrame<ChatEvent>[]> => {
  const all: ClientFrame<ChatEvent>[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

const newChat = (client: Client, model = 'echo') => client.call(chat.create, { body: { selection: local(model) } })

onBothDatabases('answers', (open) => {
  let house: ChatHouse
  let ann: Client
  beforeAll(async () => {
    house = await openChats(open)
    ann = house.ann
  })
  afterAll(() => house.close())
  beforeEach(() => house.calm())

  describe('asking', () => {
    test('stores question and answer, and streams start, text, usage and done', async () => {
      const { id } = await newChat(ann)
      const params = { sessionId: id }
      const frames = await collect(ann.follow(chat.generateStream, { params, body: { message: 'Hello there' } }))
      expect(frames.map(({ event }) => event.type).filter((type) => type !== 'text')).toEqual([
        'start',
        'usage',
        'done',
      ])
      expect(textOf(frames)).toContain('You said: Hello there')
      const last = frames.at(-1)?.event
      if (last?.type !== 'done') throw new Error('not done')
      expect(last.data.message).toMatchObject({ status: 'complete', role: 'assistant', finishReason: 'stop' })
      expect(last.data.message.content).toBe(textOf(frames))
      expect(last.data.message.usage?.outputTokens).toBeGreaterThan(0)
      expect(last.data.message.context).toMatchObject({ includedMessages: 1, droppedMessages: 0, windowTokens: 8192 })
      const read = await ann.call(chat.read, { params })
      expect(read.messages.items.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(read).toMatchObject({ messageCount: 2, runningGenerationId: null, failed: false, unread: true })
    })

    test('waits for the whole answer where one asks to', async () => {
      const { id } = await newChat(ann)
      const message = await ann.call(chat.generate, { params: { sessionId: id }, body: { message: 'Plain?' } })
      expect(message.content).toContain('You said: Plain?')
    })

    test('starts an answer that goes on by itself, and names the stream to follow', async () => {
      const { id } = await newChat(ann, 'drip-5')
      const started = await ann.call(chat.startGeneration, { params: { sessionId: id }, body: { message: 'Slowly' } })
      expect(started.userMessage?.content).toBe('Slowly')
      expect(started.assistantMessage).toMatchObject({ status: 'running', generationId: started.generationId })
      expect(started.eventStream).toContain(started.generationId)
      const frames = await collect(ann.follow(chat.events, { params: { sessionId: id }, query: {} }))
      expect(frames.at(-1)?.event.type).toBe('done')
    })
  })

  test('stopping keeps the partial answer, reaches the provider, and tells who won', async () => {
    const { id } = await newChat(ann, 'long-500-drip-20')
    const params = { sessionId: id }
    const { assistantMessage } = await ann.call(chat.startGeneration, { params, body: { message: 'Long' } })
    const frames: ClientFrame<ChatEvent>[] = []
    const following = (async () => {
      for await (const frame of ann.follow(chat.events, { params, query: {} })) frames.push(frame)
    })()
    while (textOf(frames).length < 20) await wait(10)
    const begun = performance.now()
    const stop = { params: { ...params, assistantMessageId: assistantMessage.id } }
    const stopped = await ann.call(chat.cancel, stop)
    expect(performance.now() - begun).toBeLessThan(300)
    expect(stopped.outcome).toBe('cancelled')
    expect(stopped.message.status).toBe('cancelled')
    await following
    expect(frames.at(-1)?.event.type).toBe('cancelled')
    expect(stopped.message.content).toBe(textOf(frames))
    expect((await ann.call(chat.cancel, stop)).outcome).toBe('already-ended')
    await wait(50)
    expect(house.provider.requests.at(-1)?.ended).toBe('aborted')
  })
})
