import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import type { ToolCall, ToolChoice } from '@atrium/contract/generation'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseQuery } from '../../../core/search/query.ts'
import type { EarlierCall, Toolkit, ToolkitRequest, ToolkitResult, UsableTools } from '../../../core/tools/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChatHarness, collect, newChat, openChats, say, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { openContent, sealContent } from '../stores/rows.ts'
import type { ChatTables } from '../tables.ts'

type Run = (call: ToolCall, context: Parameters<Toolkit['run']>[1]) => Promise<ToolkitResult>

const result = (text: string): ToolkitResult => ({ kind: 'result', text, images: [], sources: [], isError: false })

withDatabase('an answer that calls tools', (open) => {
  let harness: ChatHarness
  let ann: Client
  let opened: ToolkitRequest[] = []
  let run: Run
  let asked: (readonly EarlierCall[])[] = []
  let changes: readonly string[] = []

  const usualSpecs = ['look', 'send'].map((name) => ({ name, description: name, parameters: { type: 'object' } }))
  let specs = usualSpecs
  let resume: (waiting: { accountId: string; subjectId: string }) => Promise<void>
  let denied: string[] = []
  let isRefused = false
  const tools = {
    onDecided: (go: typeof resume) => void (resume = go),
    prepareWait: () => ({ write: async () => undefined, tell: async () => undefined }),
    onFiles: () => undefined,
    denyWaiting: async (_: string, subjectId: string) => void denied.push(subjectId),
    removeChat: async () => undefined,
    hadEffect: async () => false,
    open: async (request: ToolkitRequest): Promise<Toolkit> => {
      opened.push(request)
      if (isRefused) throw fail('tool_unavailable')
      const describeChanges = async (calls: readonly EarlierCall[]) => (asked.push(calls), changes)
      return { specs: () => specs, run: (call, context) => run(call, context), describeChanges }
    },
    maxRounds: async () => 8,
    describe: async () => specs,
    listUsable: async (accountId: string) => ({ accountId, tools: [] }),
    keepUsable: (_: UsableTools, ids: readonly string[]) => ids.filter((id) => id !== 'builtin:gone'),
    requireIds: async (_: UsableTools, ids: readonly string[]): Promise<void> => {
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
    specs = usualSpecs
    isRefused = false
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
    // The time that its calls took is none in which words were written.
    expect(answer.usage?.tokensPerSecond).toBeNull()
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

  test('tells the tools of a copied chat of somebody else that others wrote it, also behind a summary', async () => {
    const { id } = await newChat(ann)
    for (const word of ['One', 'Two', 'Three', 'Four']) await say(ann, id, `${word} ${'and more '.repeat(200)}`)
    const principal = { principalType: 'account', principalId: 'bob' } as const
    await ann.call(accessRoutes.grant, { body: { resourceType: 'chat', resourceId: id, ...principal } })
    const { bob } = harness
    const fork = await bob.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    const held = { privateData: true, foreignText: true }
    await say(bob, fork.id, 'Mine')
    expect(opened.at(-1)?.holds?.()).toEqual(held)
    for (const word of ['Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']) await say(bob, fork.id, word)
    await bob.call(chatRoutes.compact, { params: { sessionId: fork.id } })
    await say(bob, fork.id, 'Still mine')
    expect(opened.at(-1)?.holds?.()).toEqual(held)
  })

  test('tells the tools of a copied chat that its calls were made elsewhere, also behind a summary', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, '<<look>>')
    for (const word of ['Here', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) await say(ann, id, word)
    const fork = await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    await say(ann, fork.id, 'There')
    await ann.call(chatRoutes.compact, { params: { sessionId: id } })
    await say(ann, id, 'Here again')
    const late = await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    await say(ann, late.id, 'There again')
    const held = opened.map(({ holds }) => holds?.())
    const [here, there] = [
      { privateData: false, foreignText: false },
      { privateData: true, foreignText: true },
    ]
    expect(held.slice(1)).toEqual([...Array.from({ length: 7 }, () => here), there, here, there])
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
    expect(asked.flat()).toEqual([])
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
    expect(types).not.toContain('tool-result-text')
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

  test('may use the tools that were chosen for its question, also where that waited in the queue', async () => {
    const { id } = await newChat(ann)
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    run = async ({ name }) => {
      begun.resolve()
      await gate.promise
      return result(`${name} is done`)
    }
    const params = { sessionId: id }
    await ann.call(chatRoutes.startGeneration, { params, body: { message: '<<look>>' } })
    await begun.promise
    const tools: ToolChoice = { choice: 'force', ids: ['builtin:send'] }
    const content = 'Now <<send {"to":1}>>'
    const { queue } = await ann.call(chatRoutes.enqueue, { params, body: { content, tools } })
    expect(queue).toMatchObject([{ tools }])
    const gone: ToolChoice = { choice: 'auto', ids: ['builtin:gone'] }
    expect(await ann.refusal(chatRoutes.enqueue, { params, body: { content, tools: gone } })).toMatchObject({
      status: 422,
      code: 'tool_unavailable',
    })
    gate.resolve()
    const read = () => ann.call(chatRoutes.read, { params, query: {} })
    await until(async () => (await read()).messageCount === 4 && (await read()).runningGenerationId === null)
    expect(opened.map(({ ids }) => ids)).toEqual([null, ['builtin:send']])
    expect((await read()).messages.items.at(-1)?.toolCalls).toMatchObject([{ name: 'send', status: 'succeeded' }])
  })

  test('is found by what its tools gave, by its owner alone, until it is deleted', async () => {
    const { id } = await newChat(ann)
    run = async ({ name }) => result(name === 'look' ? 'a xylophone in the attic' : 'sent')
    const answer = await say(ann, id, '<<look>> then <<send {"to":"the harbour"}>>')
    const search = (words: string, accountId = 'ann') =>
      harness.chats.resources.chat.search(accountId, parseQuery(words).wanted, 20)
    await until(async () => (await search('xylophone attic')).length > 0)
    const hit = {
      kind: 'message',
      id: answer.id,
      chatId: id,
      snippet: expect.stringContaining('a xylophone in the attic'),
    }
    expect(await search('xylophone in:chats')).toMatchObject([hit])
    expect(await search('xylophone in:documents')).toEqual([])
    const principal = { principalType: 'account', principalId: 'bob' } as const
    await ann.call(accessRoutes.grant, { body: { resourceType: 'chat', resourceId: id, ...principal } })
    expect((await search('harbour', 'bob')).length).toBeGreaterThan(0)
    expect(await search('xylophone', 'bob')).toEqual([])
    const params = { sessionId: id, messageId: answer.id }
    await ann.call(chatRoutes.removeMessage, { params, query: {} })
    expect(await search('xylophone')).toEqual([])
  })

  test('is stopped in the middle of a call, which is told to stop before anything else and counts as cancelled', async () => {
    const { id } = await newChat(ann)
    const begun = Promise.withResolvers<void>()
    const order: string[] = []
    run = (call, { signal, tell }) => {
      tell({ type: 'tool-call', call: { ...call, status: 'running' } })
      begun.resolve()
      // Goes on regardless: nobody waits for it.
      return new Promise(() => signal.addEventListener('abort', () => order.push('call stopped')))
    }
    const params = { sessionId: id }
    const requests = () => harness.provider.requests.filter(({ path }) => path === '/api/chat').length
    const before = requests()
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body: { message: '<<send>>' } })
    await begun.promise
    const { message } = await ann.call(chatRoutes.cancel, {
      params: { ...params, assistantMessageId: assistantMessage.id },
    })
    order.push('Stop answered')
    expect(order).toEqual(['call stopped', 'Stop answered'])
    expect(message).toMatchObject({ status: 'cancelled', toolCalls: [{ name: 'send', status: 'cancelled' }] })
    expect(requests() - before, 'the model is not asked again').toBe(1)
    await say(ann, id, 'Go on.')
    expect(JSON.stringify(sent())).toContain('The user stopped this call')
  })

  /** The stored answer, as if its first call had given this. */
  const withResult = async (messageId: string, text: string) => {
    const keys = await harness.vault.keyring('ann')
    const row = await harness.database
      .tables<ChatTables>()
      .selectFrom('chat_messages')
      .selectAll()
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow()
    const content = openContent(keys, row)
    const [first = ''] = Object.keys(content.toolTexts)
    return sealContent(keys, messageId, { ...content, toolTexts: { ...content.toolTexts, [first]: text } })
  }

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
    await Promise.all([resume(decided), resume(decided)])
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
    await resume(decided)
    expect((await read()).messages.items.at(-1)).toEqual(whole)
    // Told again as it was, also across the pause.
    const before = sent()
    await say(ann, id, 'And now?')
    expect(sent().slice(0, before.length)).toEqual(before)
  })

  test('goes on in another process', async () => {
    const { answer, read, decide } = await askAndWait()
    decide()
    const first = resume
    const other = await harness.another()
    await resume({ accountId: 'ann', subjectId: answer.id })
    await expect.poll(async () => (await read()).messages.items.at(-1)?.status).toBe('complete')
    await other.close()
    resume = first
  })

  test('is left behind by a new question, as if the call had been refused', async () => {
    const { id, answer, read, decide } = await askAndWait()
    await say(ann, id, 'Never mind.')
    expect(denied).toEqual([answer.id])
    expect(JSON.stringify(sent())).toContain('didn’t allow this call')
    const { messages, needsAnswer } = await read()
    expect(needsAnswer).toBe(false)
    expect(messages.items[1]).toMatchObject({ status: 'cancelled', toolCalls: [{}, { status: 'denied' }] })
    decide()
    await resume({ accountId: 'ann', subjectId: answer.id })
    expect((await read()).messages.items[1]).toMatchObject({ status: 'cancelled' })
  })

  test('waits on where the new question cannot be asked', async () => {
    const { params, read } = await askAndWait()
    const body = { message: 'word '.repeat(10_000) }
    expect(await ann.refusal(chatRoutes.generate, { params, body })).toMatchObject({ code: 'context_overflow' })
    expect(denied).toEqual([])
    expect((await read()).messages.items[1]).toMatchObject({ status: 'waiting' })
  })

  test('is left behind where another question was asked in the moment in which it began to wait', async () => {
    const { id, answer, read, decide } = await askAndWait()
    await harness.database.tables<ChatTables>().updateTable('chat_sessions').set({ needs_answer: 0 }).execute()
    await say(ann, id, 'Never mind.')
    expect((await read()).messages.items[1]).toMatchObject({ status: 'waiting' })
    decide()
    await resume({ accountId: 'ann', subjectId: answer.id })
    const left = { status: 'cancelled', toolCalls: [{}, { name: 'send', status: 'denied' }] }
    expect((await read()).messages.items[1]).toMatchObject(left)
  })

  test('waits no longer where it is thrown away, alone, with its question, with what follows or with its chat', async () => {
    const alone = await askAndWait()
    await ann.call(chatRoutes.removeMessage, { params: { ...alone.params, messageId: alone.answer.id }, query: {} })
    expect(await alone.read()).toMatchObject({ needsAnswer: false, messageCount: 1 })
    const questionOf = async ({ read, params }: typeof alone) => ({
      ...params,
      messageId: (await read()).messages.items[0]?.id ?? '',
    })
    const asked = await askAndWait()
    await ann.call(chatRoutes.removeMessage, { params: await questionOf(asked), query: { with: 'answers' } })
    expect(await asked.read()).toMatchObject({ needsAnswer: false, messageCount: 0 })
    const below = await askAndWait()
    await ann.call(chatRoutes.truncate, { params: await questionOf(below) })
    expect(await below.read()).toMatchObject({ needsAnswer: false, messageCount: 0 })
    const whole = await askAndWait()
    await ann.call(chatRoutes.remove, { params: whole.params })
    expect(denied).toEqual([alone, asked, below, whole].map(({ answer }) => answer.id))
  })

  test('waits on where the question before it is thrown away', async () => {
    const { params, read } = await askAndWait()
    const messageId = (await read()).messages.items[0]?.id ?? ''
    await ann.call(chatRoutes.removeMessage, { params: { ...params, messageId }, query: {} })
    expect(await read()).toMatchObject({ needsAnswer: true, messageCount: 1 })
    expect(denied).toEqual([])
  })

  test('goes on where nothing may be called any more, and leaves no call open', async () => {
    const { params, answer, read, decide } = await askAndWait()
    await ann.call(chatRoutes.update, { params, body: { settings: { tools: { choice: 'off' } } } })
    decide()
    await resume({ accountId: 'ann', subjectId: answer.id })
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('complete')
    expect((await read()).messages.items[1]?.toolCalls).toMatchObject([
      { status: 'succeeded' },
      { name: 'send', status: 'cancelled' },
    ])
  })

  test('keeps its calls and what it has used where it could not go on, and may go on once more', async () => {
    const { params, answer, read, decide, ran } = await askAndWait()
    decide()
    isRefused = true
    await resume({ accountId: 'ann', subjectId: answer.id })
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('failed')
    const failed = (await read()).messages.items[1]
    expect(failed).toMatchObject({ failure: { code: 'tool_unavailable' }, usage: answer.usage })
    isRefused = false
    await ann.call(chatRoutes.generate, { params, body: { continueMessageId: answer.id } })
    expect(ran).toEqual(['look', 'send', 'look'])
    expect((await read()).messages.items[1]).toMatchObject({ status: 'complete' })
  })

  test('is planned with the definitions that are sent, as the gauge has it', async () => {
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const gauge = () => ann.call(chatRoutes.context, { params, query: { draftTokens: 0 } })
    const sentTokens = Math.ceil(JSON.stringify(specs).length / 4)
    expect((await gauge()).systemTokens).toBe(sentTokens)
    expect((await say(ann, id, 'Hello')).context?.systemTokens).toBe(sentTokens)
    await ann.call(chatRoutes.update, { params, body: { settings: { tools: { choice: 'off' } } } })
    expect((await gauge()).systemTokens).toBe(0)
  })

  test('is offered no tools where their definitions would take more than a quarter of the window', async () => {
    const { id } = await newChat(ann)
    specs = [{ name: 'look', description: 'x'.repeat(9000), parameters: { type: 'object' } }]
    expect(await say(ann, id, '<<look>>')).toMatchObject({ status: 'complete', toolCalls: [] })
    const params = { sessionId: id }
    expect(await ann.call(chatRoutes.context, { params, query: { draftTokens: 0 } })).toMatchObject({ systemTokens: 0 })
  })

  test('is told its results before older messages, and a result that is longer than the window in part', async () => {
    const { id } = await newChat(ann)
    harness.provider.control({
      answers: [
        { match: 'first question', answer: 'Noted.' },
        { match: 'the end of it', answer: 'Found.' },
      ],
    })
    await say(ann, id, `A first question. ${'word '.repeat(4000)}`)
    run = async () => result(`${'a result '.repeat(1000)} the end of it`)
    expect((await say(ann, id, 'Look: <<look>>')).content).toBe('Found.')
    const said = JSON.stringify(sent())
    expect(said).toContain('a result a result')
    expect(said).not.toContain('first question')
    expect(said).not.toContain('left out')

    run = async () => result(`${'much more '.repeat(5000)} the end of it`)
    expect((await say(ann, id, 'Look again: <<look {"at":2}>>')).content).toBe('Found.')
    expect(JSON.stringify(sent())).toMatch(/much more much .*left out, as the window is full.*the end of it/)
    expect(JSON.stringify(sent()).length).toBeLessThan(4 * 8192)

    // What it answered stays known where the result that it had does not fit beside it.
    await say(ann, id, 'And now?')
    expect(JSON.stringify(sent())).toMatch(/left out to make room.*Found\..*And now/)
  })

  test('goes on with the passages of its calls in their results, and not with its question too', async () => {
    const { id } = await newChat(ann)
    let isDecided = false
    const source = { number: 1, kind: 'web' as const, name: 'Page', section: null, passage: 'Nine miles.', score: 1 }
    run = async ({ name }) =>
      name === 'look'
        ? { kind: 'result', text: 'It is [1] far.', images: [], sources: [source], isError: false }
        : isDecided
          ? result('sent')
          : { kind: 'waiting' }
    const answer = await say(ann, id, '<<look>> then <<send>>')
    expect(answer).toMatchObject({ status: 'waiting', sources: [{ number: 1 }] })
    isDecided = true
    await resume({ accountId: 'ann', subjectId: answer.id })
    const read = () => ann.call(chatRoutes.read, { params: { sessionId: id }, query: {} })
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('complete')
    expect((await read()).messages.items[1]?.sources).toHaveLength(1)
    expect(JSON.stringify(sent())).not.toContain('Nine miles')
  })

  test('goes on where what it found is more than the window holds', async () => {
    const { answer, read, decide } = await askAndWait('<<look {"at":1}>> then <<send {"to":3}>>')
    await harness.database
      .tables<ChatTables>()
      .updateTable('chat_messages')
      .set({ content: await withResult(answer.id, 'x'.repeat(40_000)) })
      .where('id', '=', answer.id)
      .execute()
    decide()
    await resume({ accountId: 'ann', subjectId: answer.id })
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('complete')
    expect(JSON.stringify(sent())).toContain('left out to make room')
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
    await resume({ accountId: 'ann', subjectId: answer.id })
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

  test('asks as often as the administrator allows, and the last time without tools', async () => {
    const limited = await openChats(open, { over: () => ({ tools: { ...tools, maxRounds: async () => 2 } }) })
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
