import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import type { ToolCall, ToolChoice } from '@atrium/contract/generation'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EarlierCall, Toolkit, ToolkitRequest, ToolkitResult } from '../../../core/tools/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChatHarness, collect, newChat, openChats, say } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'

type Run = (call: ToolCall, context: Parameters<Toolkit['run']>[1]) => Promise<ToolkitResult>

const result = (text: string): ToolkitResult => ({ kind: 'result', text, images: [], sources: [], isError: false })

withDatabase('an answer that calls tools', (open) => {
  let harness: ChatHarness
  let ann: Client
  let opened: ToolkitRequest[] = []
  let run: Run
  let asked: (readonly EarlierCall[])[] = []
  let changes: readonly string[] = []

  const specs = ['look', 'send'].map((name) => ({ name, description: name, parameters: { type: 'object' } }))
  let goOn: (waiting: { accountId: string; subjectId: string }) => Promise<void>
  let denied: string[] = []
  const tools = {
    onDecided: (go: typeof goOn) => void (goOn = go),
    denyWaiting: async (_: string, subjectId: string) => void denied.push(subjectId),
    removeChat: async () => undefined,
    open: async (request: ToolkitRequest): Promise<Toolkit> => {
      opened.push(request)
      const tellChanges = async (calls: readonly EarlierCall[]) => (asked.push(calls), changes)
      return { specs: () => specs, run: (call, context) => run(call, context), tellChanges }
    },
    requireIds: async (_: string, ids: readonly string[]): Promise<void> => {
      if (ids.includes('builtin:gone')) throw fail('tool_unavailable')
    },
  }
  beforeAll(async () => {
    harness = await openChats(open, { over: () => ({ tools }) })
    ann = harness.ann
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(() => harness.close())
  beforeEach(() => {
    harness.calm()
    opened = []
    denied = []
    asked = []
    changes = []
    run = async ({ name, arguments: args }) => result(`${name} gave ${args}`)
  })
  /** The messages of the last request that the model server heard. */
  const sent = () =>
    (harness.provider.requests.findLast(({ path }) => path === '/api/chat')?.body as { messages: object[] } | undefined)
      ?.messages ?? []

  test('is written in rounds, and kept with its calls', async () => {
    const { id } = await newChat(ann)
    const answer = await say(ann, id, '<<look {"at":1}>> <<look {"at":2}>> then <<send {"to":3}>>')
    expect(answer.content).toContain('You said: send gave {"to":3}')
    expect(answer.toolCalls).toMatchObject([
      { name: 'look', arguments: '{"at":1}', round: 1, textBefore: 0, status: 'succeeded' },
      { name: 'look', arguments: '{"at":2}', round: 1 },
      { name: 'send', arguments: '{"to":3}', round: 2, result: { status: 'done' } },
    ])
    expect(opened).toMatchObject([{ accountId: 'ann', chatId: id, subjectId: answer.id, ids: null }])
  })

  test('tells the tools what its model reads already', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, 'Nothing but words')
    const file = new Blob(['a letter'], { type: 'text/plain' })
    const attachment = await ann.call(chatRoutes.attach, { query: { name: 'letter.txt' }, file })
    const body = { message: 'What is it?', attachmentIds: [attachment.id] }
    await ann.call(chatRoutes.generate, { params: { sessionId: id }, body })
    await say(ann, id, 'And what else?')
    expect(opened.map(({ holds }) => holds?.())).toEqual([
      { privateData: false, foreignText: false },
      { privateData: true, foreignText: true },
      { privateData: true, foreignText: true },
    ])
  })

  test('tells the tools of a copied chat that its calls were made elsewhere', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, '<<look>>')
    await say(ann, id, 'Here')
    const fork = await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    await say(ann, fork.id, 'There')
    const [, here, there] = opened.map(({ holds }) => holds?.())
    expect(here).toEqual({ privateData: false, foreignText: false })
    expect(there).toEqual({ privateData: true, foreignText: true })
  })

  test('is told to the model again as it was, word for word', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, '<<look {"at":1}>> then <<send {"to":3}>>')
    const before = sent()
    await say(ann, id, 'And now?')
    expect(sent().slice(0, before.length)).toEqual(before)
    expect(sent().slice(before.length)).toMatchObject([{ role: 'assistant' }, { role: 'user', content: 'And now?' }])
  })

  test('tells the model with the next question what changed since of what it called for', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, 'Nothing but words')
    await say(ann, id, '<<look {"at":1}>>')
    expect(asked).toEqual([])
    const before = sent()
    changes = ['[It changed.]']
    await say(ann, id, 'And now?')
    expect(asked.at(-1)).toMatchObject([{ name: 'look', arguments: '{"at":1}', text: 'look gave {"at":1}' }])
    expect(sent().slice(0, before.length)).toEqual(before)
    expect(sent().at(-1)).toMatchObject({ role: 'user', content: '[It changed.]\n\nAnd now?' })
    changes = []
    await say(ann, id, 'Once more')
    expect(sent()).toContainEqual(expect.objectContaining({ role: 'user', content: 'And now?' }))
  })

  test('tells who follows it of each call, and not what the model alone is told', async () => {
    const { id } = await newChat(ann)
    run = async () => result('x'.repeat(3))
    const body = { message: '<<look>>' }
    const frames = await collect(ann.follow(chatRoutes.generateStream, { params: { sessionId: id }, body }))
    const types = frames.map(({ event }) => event.type)
    expect(types).toContain('tool-call')
    expect(types).toContain('tool-result')
    expect(types).not.toContain('tool-told')
  })

  test('numbers the passages of results on, and says which of them it cites', async () => {
    const { id } = await newChat(ann)
    run = async () => {
      const number = opened.at(-1)?.nextSource() ?? 0
      const source = { number, kind: 'web' as const, name: 'Page', section: null, passage: 'Nine miles.', score: 1 }
      return { ...(result(`It is nine miles [${number}].`) as ToolkitResult & { kind: 'result' }), sources: [source] }
    }
    const answer = await say(ann, id, '<<look>> then <<look {"at":2}>>')
    expect(answer.sources).toMatchObject([
      { number: 1, cited: false },
      { number: 2, cited: true },
    ])
  })

  test('is stopped in the middle of a call, which is told to stop and counts as cancelled', async () => {
    const { id } = await newChat(ann)
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    run = (call, { signal, tell }) => {
      tell({ type: 'tool-call', call: { ...call, status: 'running' } })
      begun.resolve()
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped.resolve()
          reject(signal.reason)
        }),
      )
    }
    const params = { sessionId: id }
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body: { message: '<<send>>' } })
    await begun.promise
    const { message } = await ann.call(chatRoutes.cancel, {
      params: { ...params, assistantMessageId: assistantMessage.id },
    })
    await stopped.promise
    expect(message).toMatchObject({ status: 'cancelled', toolCalls: [{ name: 'send', status: 'cancelled' }] })
    await say(ann, id, 'Go on.')
    expect(JSON.stringify(sent())).toContain('The person stopped this call')
  })

  /** Asks in a new chat, and gives what stands when nobody decides about the call of `send`. */
  const askAndWait = async (message = 'Say it. <<look>> <<send {"to":3}>> then <<look {"at":2}>>') => {
    const { id } = await newChat(ann)
    let isDecided = false
    const ran: string[] = []
    run = async (call, { tell }) => {
      if (call.name === 'send' && !isDecided) {
        tell({ type: 'tool-call', call: { ...call, status: 'awaiting_approval' } })
        return { kind: 'waiting' }
      }
      ran.push(call.name)
      return result(`${call.name} gave ${call.arguments}`)
    }
    const answer = await say(ann, id, message)
    const params = { sessionId: id }
    const read = () => ann.call(chatRoutes.read, { params, query: {} })
    return { id, params, answer, read, ran, decide: () => (isDecided = true) }
  }

  test('stands as waiting while nobody decides, and goes on with the decision, once', async () => {
    const { id, answer, read, ran, decide } = await askAndWait()
    expect(answer).toMatchObject({
      status: 'waiting',
      toolCalls: [
        { name: 'look', status: 'succeeded' },
        { name: 'send', status: 'awaiting_approval' },
      ],
    })
    expect(await read()).toMatchObject({ needsAnswer: true, runningGenerationId: null, failed: false })
    decide()
    const decided = { accountId: 'ann', subjectId: answer.id }
    await Promise.all([goOn(decided), goOn(decided)])
    await expect.poll(async () => (await read()).messages.items.at(-1)?.status).toBe('complete')
    expect(ran).toEqual(['look', 'send', 'look'])
    const after = await read()
    expect(after).toMatchObject({ needsAnswer: false, messageCount: 2 })
    const whole = after.messages.items.at(-1)
    expect(whole).toMatchObject({ id: answer.id, content: expect.stringContaining('You said: look gave {"at":2}') })
    expect(whole?.toolCalls).toMatchObject([
      { name: 'look', round: 1, status: 'succeeded' },
      { name: 'send', round: 1, status: 'succeeded', result: { text: 'send gave {"to":3}' } },
      { name: 'look', round: 2, status: 'succeeded' },
    ])
    expect(whole?.usage?.inputTokens).toBeGreaterThan(answer.usage?.inputTokens ?? 0)
    await goOn(decided)
    expect((await read()).messages.items.at(-1)).toEqual(whole)
    // Told again as it was, also across the pause.
    const before = sent()
    await say(ann, id, 'And now?')
    expect(sent().slice(0, before.length)).toEqual(before)
  })

  test('goes on in another process', async () => {
    const { answer, read, decide } = await askAndWait()
    decide()
    const first = goOn
    const other = await harness.another()
    await goOn({ accountId: 'ann', subjectId: answer.id })
    await expect.poll(async () => (await read()).messages.items.at(-1)?.status).toBe('complete')
    await other.close()
    goOn = first
  })

  test('is left behind by a new question, as if the call had been refused', async () => {
    const { id, answer, read, decide } = await askAndWait()
    await say(ann, id, 'Never mind.')
    expect(denied).toEqual([answer.id])
    expect(JSON.stringify(sent())).toContain('did not allow this call')
    const { messages, needsAnswer } = await read()
    expect(needsAnswer).toBe(false)
    expect(messages.items[1]).toMatchObject({ status: 'cancelled', toolCalls: [{}, { status: 'denied' }] })
    decide()
    await goOn({ accountId: 'ann', subjectId: answer.id })
    expect((await read()).messages.items[1]).toMatchObject({ status: 'cancelled' })
  })

  test('keeps queued prompts waiting with it, and is ended by Stop', async () => {
    const { params, answer, read } = await askAndWait()
    await ann.call(chatRoutes.enqueue, { params, body: { content: 'Then this.' } })
    expect(await read()).toMatchObject({ queue: [{}], messageCount: 2 })
    const stopped = await ann.call(chatRoutes.cancel, { params: { ...params, assistantMessageId: answer.id } })
    expect(stopped).toMatchObject({ outcome: 'cancelled', message: { status: 'cancelled' } })
    expect(await read()).toMatchObject({ queue: [{}], queuePaused: true, needsAnswer: false })
    expect(denied).toEqual([answer.id])
  })

  test('is no waiting one in a copy of its chat', async () => {
    const { params } = await askAndWait()
    const fork = await ann.call(chatRoutes.fork, { params, body: {} })
    const read = await ann.call(chatRoutes.read, { params: { sessionId: fork.id } })
    expect(read).toMatchObject({ needsAnswer: false })
    expect(read.messages.items[1]).toMatchObject({ status: 'cancelled', toolCalls: [{}, { status: 'cancelled' }] })
  })

  test('keeps what it was asked with when it goes on', async () => {
    const { id } = await newChat(ann)
    let isDecided = false
    run = async () => (isDecided ? result('sent') : { kind: 'waiting' })
    const params = { sessionId: id }
    const toolChoice = { choice: 'auto' as const, ids: ['builtin:send'] }
    const answer = await ann.call(chatRoutes.generate, { params, body: { message: '<<send>>', tools: toolChoice } })
    isDecided = true
    await goOn({ accountId: 'ann', subjectId: answer.id })
    await expect.poll(() => opened.map(({ ids }) => ids)).toEqual([['builtin:send'], ['builtin:send']])
    const read = () => ann.call(chatRoutes.read, { params, query: {} })
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('complete')
  })

  test('is written down with its calls', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, '<<look {"at":"<b>`"}>>')
    const params = { sessionId: id }
    const textOf = async (format: 'markdown' | 'html' | 'json') =>
      (await ann.answer(chatRoutes.export, { params, query: { format } })).text()
    expect(await textOf('markdown')).toContain('- `` look {"at":"<b>`"} → succeeded ``')
    expect(await textOf('html')).toContain('look {&#34;at&#34;:&#34;&#60;b&#62;`&#34;} → succeeded')
    expect(await textOf('json')).toContain('look gave')
  })

  test('stands behind its calls when its words are changed', async () => {
    const { id } = await newChat(ann)
    const answer = await say(ann, id, '<<look {"at":1}>>')
    const params = { sessionId: id, messageId: answer.id }
    await ann.call(chatRoutes.updateMessage, { params, body: { content: 'Mine.' } })
    await say(ann, id, 'And now?')
    expect(sent().slice(1)).toMatchObject([
      { role: 'assistant', content: '', tool_calls: [{}] },
      { role: 'tool', content: 'look gave {"at":1}' },
      { role: 'assistant', content: 'Mine.' },
      { role: 'user' },
    ])
  })

  test('calls what the question allows, else what the chat does', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const ask = (tools?: ToolChoice) =>
      ann.call(chatRoutes.generate, { params, body: { message: '<<look>>', ...(tools && { tools }) } })
    expect((await ask({ choice: 'off' })).toolCalls).toEqual([])
    await ann.call(chatRoutes.update, { params, body: { settings: { tools: { choice: 'off' } } } })
    expect((await ask()).toolCalls).toEqual([])
    expect(opened).toEqual([])
    expect((await ask({ choice: 'auto', ids: ['builtin:look'] })).toolCalls).toHaveLength(1)
    expect(opened).toMatchObject([{ ids: ['builtin:look'] }])
  })

  test('is refused, and nothing stored, where a tool may not be used', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const tools = { choice: 'auto' as const, ids: ['builtin:gone'] }
    const refusal = await ann.refusal(chatRoutes.generate, { params, body: { message: 'Look.', tools } })
    expect(refusal).toMatchObject({ status: 422, code: 'tool_unavailable' })
    const settings = await ann.refusal(chatRoutes.update, { params, body: { settings: { tools } } })
    expect(settings).toMatchObject({ code: 'tool_unavailable' })
    expect(await ann.call(chatRoutes.read, { params })).toMatchObject({ messageCount: 0, settings: {} })
  })

  test('asks as often as the operator allows, and the last time without tools', async () => {
    const limited = await openChats(open, { over: () => ({ tools, maxRounds: 2 }) })
    const { id } = await newChat(limited.ann)
    const answer = await say(limited.ann, id, '<<look {"n":1}>> then <<look {"n":2}>> then <<look {"n":3}>>')
    expect(answer.toolCalls).toMatchObject([{ round: 1, status: 'succeeded' }])
    expect(limited.provider.requests.filter(({ path }) => path === '/api/chat')).toHaveLength(2)
    await limited.close()
  })

  test('is offered no tools where a token for chats alone asks, at once or from the queue', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const token = ann.as('ann~chat:read~chat:write')
    expect((await say(token, id, '<<look>>')).toolCalls).toEqual([])
    const tools = { choice: 'force' as const }
    const refusal = await token.refusal(chatRoutes.generate, { params, body: { message: '<<look>>', tools } })
    expect(refusal).toMatchObject({ code: 'token_scope' })
    await token.call(chatRoutes.enqueue, { params, body: { content: '<<look>>' } })
    const read = () => ann.call(chatRoutes.read, { params, query: {} })
    await expect.poll(async () => (await read()).messages.items[3]?.status).toBe('complete')
    expect(opened).toEqual([])
    expect((await say(ann.as('ann~chat:write~chat-tools:write'), id, '<<look>>')).toolCalls).toHaveLength(1)
  })

  test('is offered no tools in a temporary chat', async () => {
    const { id } = await ann.call(chatRoutes.create, {
      body: { temporary: true, model: 'echo', providerType: 'local' },
    })
    const answer = await say(ann, id, '<<look>>')
    expect(answer.toolCalls).toEqual([])
    expect(opened).toEqual([])
  })
})
