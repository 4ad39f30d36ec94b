import { type ChatEvent, chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ChatHarness, collect, local, newChat, openChats, say, textOf, until } from '../../../testing/chats.ts'
import type { Client, ClientFrame } from '../../../testing/client.ts'
import { onBothDatabases, usualDialects } from '../../../testing/databases.ts'

onBothDatabases('answers', (open, dialect) => {
  let harness: ChatHarness
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
    bob = harness.bob
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.calm())

  /** Races, and what several processes do, are tried on both databases; what statements alone do is not. */
  const isUsual = usualDialects.includes(dialect)

  if (isUsual)
    describe('asking', () => {
      test('stores question and answer, and streams start, text, usage and done', async () => {
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        const frames = await collect(
          ann.follow(chatRoutes.generateStream, { params, body: { message: 'Hello there' } }),
        )
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
        const read = await ann.call(chatRoutes.read, { params })
        expect(read.messages.items.map(({ role }) => role)).toEqual(['user', 'assistant'])
        expect(read).toMatchObject({ messageCount: 2, runningGenerationId: null, failed: false, unread: true })
      })

      test('waits for the whole answer where one asks to', async () => {
        const { id } = await newChat(ann)
        expect((await say(ann, id, 'Plain?')).content).toContain('You said: Plain?')
      })

      test('starts an answer that goes on by itself, and names the stream to follow', async () => {
        const { id } = await newChat(ann, 'drip-20')
        const started = await ann.call(chatRoutes.startGeneration, {
          params: { sessionId: id },
          body: { message: 'Slowly' },
        })
        expect(started.userMessage?.content).toBe('Slowly')
        expect(started.assistantMessage).toMatchObject({ status: 'running', generationId: started.generationId })
        expect(started.eventStream).toContain(started.generationId)
        const frames = await collect(ann.follow(chatRoutes.events, { params: { sessionId: id }, query: {} }))
        expect(frames.at(-1)?.event.type).toBe('done')
      })

      test('sends the history of the path, the system message and the options', async () => {
        const settings = { systemMessage: 'Be brief.', generationOptions: { temperature: 0.1 } }
        const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo'), settings } })
        await say(ann, id, 'One')
        await ann.call(chatRoutes.generate, {
          params: { sessionId: id },
          body: { message: 'Two', options: { seed: 7 } },
        })
        const bodies = harness.provider.requests.filter(({ path }) => path === '/api/chat').map(({ body }) => body)
        // The title of the chat may be asked for after it.
        const asked = (
          bodies as { messages: { role: string; content: string }[]; options: Record<string, unknown> }[]
        ).findLast(({ messages }) => messages.at(-1)?.content === 'Two')
        if (!asked) throw new Error('The question did not reach the model server.')
        expect(asked.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
        expect(asked.messages[0]?.content).toBe('Be brief.')
        expect(asked.options).toMatchObject({ temperature: 0.1, seed: 7, num_ctx: 8192 })
      })

      test('uses the options of the model over those for all, and those of the chat over both', async () => {
        const before = { generationOptions: {}, modelGenerationOptions: {} }
        const modelGenerationOptions = { 'local::echo': { top_k: 2, seed: 2 } }
        await ann.call(settingsRoutes.update, {
          body: { generationOptions: { temperature: 0.3, top_k: 1, seed: 1 }, modelGenerationOptions },
        })
        const settings = { generationOptions: { seed: 3 } }
        const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo'), settings } })
        await say(ann, id, 'Mine')
        const optionsAsked = () =>
          harness.provider.requests
            .filter(({ path }) => path === '/api/chat')
            .map(({ body }) => body as { messages?: { content: string }[]; options: object })
            .findLast(({ messages }) => messages?.at(-1)?.content === 'Mine')?.options
        expect(optionsAsked()).toMatchObject({ temperature: 0.3, top_k: 2, seed: 3 })
        const other = await ann.call(chatRoutes.create, { body: { selection: local('thinker') } })
        await say(ann, other.id, 'Mine')
        expect(optionsAsked()).toMatchObject({ temperature: 0.3, top_k: 1, seed: 1 })
        await ann.call(settingsRoutes.update, { body: before })
      })

      test('keeps thoughts apart from the text', async () => {
        const { id } = await newChat(ann, 'thinker')
        const body = { message: 'Why?', options: { think: true } }
        const frames = await collect(ann.follow(chatRoutes.generateStream, { params: { sessionId: id }, body }))
        expect(frames.some(({ event }) => event.type === 'reasoning')).toBe(true)
        const message = (await ann.call(chatRoutes.read, { params: { sessionId: id } })).messages.items[1]
        expect(message?.reasoning).toContain('First I look at the question')
        expect(message?.content).not.toContain('First I look')
      })

      test('refuses a second answer in a chat while one is written', async () => {
        const { id } = await newChat(ann, 'long-2000-drip-20')
        const call = { params: { sessionId: id }, body: { message: 'a b c d e f g h i j k l m n' } }
        const { assistantMessage } = await ann.call(chatRoutes.startGeneration, call)
        expect(await ann.refusal(chatRoutes.startGeneration, call)).toMatchObject({
          status: 409,
          code: 'generation_running',
        })
        await ann.call(chatRoutes.cancel, { params: { sessionId: id, assistantMessageId: assistantMessage.id } })
      })

      test('starts one answer where the same ids are sent twice, at once or later, and refuses other content', async () => {
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        const body = {
          message: 'Once',
          userMessageId: `user-${id}`.slice(0, 60),
          assistantMessageId: `answer-${id}`.slice(0, 60),
        }
        const both = await Promise.all([
          ann.call(chatRoutes.startGeneration, { params, body }),
          ann.call(chatRoutes.startGeneration, { params, body }),
        ])
        expect(both[0].generationId).toBe(both[1].generationId)
        await harness.generations.waitUntilEnded(both[0].generationId)
        expect((await ann.call(chatRoutes.generate, { params, body })).id).toBe(body.assistantMessageId)
        expect((await ann.call(chatRoutes.read, { params })).messageCount).toBe(2)
        const other = { ...body, message: 'Twice' }
        expect(await ann.refusal(chatRoutes.generate, { params, body: other })).toMatchObject({
          status: 409,
          code: 'id_reused',
        })
        const half = { message: 'Twice', userMessageId: body.userMessageId }
        expect((await ann.refusal(chatRoutes.generate, { params, body: half })).code).toBe('id_reused')
        const theirs = await newChat(bob)
        expect((await bob.refusal(chatRoutes.generate, { params: { sessionId: theirs.id }, body })).code).toBe(
          'id_reused',
        )
      })

      test.each([
        ['nothing', {}],
        ['blank text', { message: '  ' }],
        ['two things', { message: 'x', continueMessageId: 'y' }],
        ['half a regeneration', { regenerate: true }],
        ['an instruction without regeneration', { message: 'x', instruction: 'shorter' }],
        ['a branch without text', { regenerate: true, originalMessageId: 'x', branchOf: 'y' }],
      ])('refuses %s', async (_name, body) => {
        const { id } = await newChat(ann)
        expect(await ann.refusal(chatRoutes.startGeneration, { params: { sessionId: id }, body })).toMatchObject({
          status: 400,
          code: 'validation_failed',
        })
        expect((await ann.call(chatRoutes.read, { params: { sessionId: id } })).messageCount).toBe(0)
      })

      test('never answers with another model than the chosen one', async () => {
        const gone = { providerType: 'plugin' as const, providerId: 'gone', model: 'echo' }
        const { id } = await ann.call(chatRoutes.create, { body: { selection: gone } })
        const refused = await ann.refusal(chatRoutes.startGeneration, {
          params: { sessionId: id },
          body: { message: 'Hi' },
        })
        expect(refused).toMatchObject({ status: 422, code: 'model_unavailable' })
        expect(refused.problem.detail).toContain('removed')
        expect((await ann.call(chatRoutes.read, { params: { sessionId: id } })).messageCount).toBe(0)
      })

      test('come from the model that the list of models names, where none was chosen, and the chat keeps it whole', async () => {
        const fallback = async () => (await ann.call(connectionsRoutes.models, {})).fallback?.selection
        await expect.poll(async () => (await fallback())?.providerType).toBe('local')
        const named = await fallback()
        expect((await ann.call(chatRoutes.create, { body: {} })).selection).toEqual(named)
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        expect((await ann.call(chatRoutes.update, { params, body: { selection: null } })).selection).toBeNull()
        expect((await say(ann, id, 'Anybody?')).selection).toEqual(named)
        expect((await ann.call(chatRoutes.read, { params })).selection).toEqual(named)
        const draft = await ann.call(chatRoutes.create, { body: { draft: true } })
        expect(draft.selection).toBeNull()
      })

      test('come from a model that is named by its members, and never by a guess', async () => {
        const make = async (body: object) => (await ann.call(chatRoutes.create, { body })).selection
        const listed = async () =>
          (await ann.call(connectionsRoutes.models, {})).items.find(({ local, name }) => local && name !== 'Excerpts')
        await expect.poll(listed).toBeDefined()
        const model = (await listed())?.selection.model ?? ''
        expect(await make({ model })).toEqual(local(model))
        expect(await make({ model: 'any', providerType: 'local' })).toEqual(local('any'))
        const builtin = { providerType: 'builtin', providerId: 'builtin', model: 'excerpts' }
        expect(await make({ model: 'excerpts', providerType: 'builtin', providerId: null })).toEqual(builtin)
        expect(await make({ selection: { ...builtin, providerId: null } })).toEqual(builtin)
        const { id } = await newChat(ann)
        const changed = await ann.call(chatRoutes.update, { params: { sessionId: id }, body: { model } })
        expect(changed.selection).toEqual(local(model))
        for (const [field, body] of [
          ['model', { model: 'nobody-has-it' }],
          ['model', { providerType: 'local' as const }],
          ['providerId', { model: 'echo', providerType: 'plugin' as const }],
          ['selection', { model: 'echo', selection: local('echo') }],
        ] as const) {
          const { problem } = await ann.refusal(chatRoutes.create, { body })
          expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: `body.${field}` }] })
        }
      })

      test('says to the local runtime what it alone knows, and that there is no limit by saying none', async () => {
        const options = { num_predict: -1, keep_alive: '5m', typical_p: 0.7, num_thread: 4, use_mmap: false } as const
        const { id } = await ann.call(chatRoutes.create, {
          body: { selection: local('echo'), settings: { generationOptions: { num_predict: 50 } } },
        })
        const body = { message: 'As JSON?', options: { ...options, format: 'json' as const } }
        await ann.call(chatRoutes.generate, { params: { sessionId: id }, body })
        const { num_predict: _, keep_alive, ...rest } = options
        const sent = harness.provider.requests.findLast(({ path }) => path === '/api/chat')?.body as { options: object }
        expect(sent).toMatchObject({ keep_alive, format: 'json', options: rest })
        for (const name of ['num_predict', 'keep_alive', 'format']) expect(sent.options).not.toHaveProperty(name)
      })

      test('refuses a question that does not fit by itself, in words', async () => {
        const { id } = await newChat(ann)
        const body = { message: 'word '.repeat(20_000) }
        const refused = await ann.refusal(chatRoutes.startGeneration, { params: { sessionId: id }, body })
        expect(refused).toMatchObject({ status: 422, code: 'context_overflow' })
        expect(refused.problem.detail).toMatch(/tokens.*8192/)
      })

      test('leaves out what does not fit, and says so', async () => {
        const { id } = await newChat(ann)
        for (let n = 0; n < 3; n += 1) {
          const body = { role: 'user' as const, content: 'word '.repeat(3500) }
          await ann.call(chatRoutes.addMessage, { params: { sessionId: id }, body })
          await ann.call(chatRoutes.addMessage, {
            params: { sessionId: id },
            body: { role: 'assistant', content: 'Yes.' },
          })
        }
        const message = await say(ann, id, 'And now?')
        expect(message.context).toMatchObject({ includedMessages: 3, droppedMessages: 4 })
      })
    })

  if (isUsual)
    describe('failing', () => {
      test.each([
        ['reset', 'provider_', true],
        ['close', 'provider_', true],
        ['half-json', 'provider_', true],
        ['bad-frame', 'provider_', true],
        ['wrong-type', 'provider_', false],
        ['error-mid', 'provider_', true],
        ['error-200', 'provider_', false],
        ['status-400', 'provider_', false],
        ['status-401', '', false],
        ['status-404', 'provider_', false],
        ['status-429', 'provider_', false],
        ['status-500', 'provider_', false],
        ['status-503', 'provider_', false],
        ['context', 'context_overflow', false],
        ['redirect', 'provider_', false],
      ])('%s ends the answer in words of ours, keeps the text, and harms nobody else', async (fault, code, partial) => {
        const mine = await newChat(ann, fault)
        const theirs = await newChat(bob, 'drip-5')
        const params = { sessionId: mine.id }
        const [frames, unharmed] = await Promise.all([
          collect(ann.follow(chatRoutes.generateStream, { params, body: { message: 'one two three four five six' } })),
          collect(
            bob.follow(chatRoutes.generateStream, { params: { sessionId: theirs.id }, body: { message: 'Fine?' } }),
          ),
        ])
        const last = frames.at(-1)?.event
        if (last?.type !== 'error') throw new Error(`not an error: ${last?.type}`)
        expect(last.data.code).toMatch(new RegExp(`^(${code}|api_key_needed)`))
        expect(last.data.detail).toMatch(/^[A-Z].*[.?]$/)
        expect(last.data.message).toMatchObject({ status: 'failed', failure: { code: last.data.code } })
        expect(last.data.message?.content).toBe(textOf(frames))
        if (partial) expect(textOf(frames)).not.toBe('')
        if (fault === 'status-429') expect(last.data.message?.failure?.retryAt).toMatch(/Z$/)
        expect(unharmed.at(-1)?.event.type).toBe('done')
        expect(await ann.call(chatRoutes.read, { params })).toMatchObject({ failed: true, runningGenerationId: null })
        expect(await ann.refusal(chatRoutes.generate, { params, body: { message: 'Again' } })).toMatchObject({
          code: last.data.code,
        })
      })
    })

  describe('stopping', () => {
    test('keeps the partial answer, reaches the provider at once, and tells who won', async () => {
      const { id } = await newChat(ann, 'long-2000-drip-20')
      const params = { sessionId: id }
      const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body: { message: 'Long' } })
      const frames: ClientFrame<ChatEvent>[] = []
      const following = (async () => {
        for await (const frame of ann.follow(chatRoutes.events, { params, query: {} })) frames.push(frame)
      })()
      await until(() => textOf(frames).length > 20)
      const begun = performance.now()
      const stop = { params: { ...params, assistantMessageId: assistantMessage.id } }
      const stopped = await ann.call(chatRoutes.cancel, stop)
      expect(performance.now() - begun).toBeLessThan(20_000)
      expect(stopped).toMatchObject({ outcome: 'cancelled', message: { status: 'cancelled', failure: null } })
      await following
      expect(frames.at(-1)?.event.type).toBe('cancelled')
      expect(stopped.message.content).toBe(textOf(frames))
      expect((await ann.call(chatRoutes.cancel, stop)).outcome).toBe('already-ended')
      await until(() => harness.provider.requests.at(-1)?.ended === 'aborted')
    })

    test.each(['stall-headers', 'stall'])('works on a provider that says nothing any more (%s)', async (fault) => {
      const { id } = await newChat(ann, fault)
      const params = { sessionId: id }
      const { assistantMessage } = await ann.call(chatRoutes.startGeneration, {
        params,
        body: { message: 'a b c d e f' },
      })
      await until(() => harness.provider.requests.some(({ model }) => model?.startsWith(fault)))
      const begun = performance.now()
      const stop = { params: { ...params, assistantMessageId: assistantMessage.id } }
      expect((await ann.call(chatRoutes.cancel, stop)).outcome).toBe('cancelled')
      expect(performance.now() - begun).toBeLessThan(20_000)
    })

    test('wins or loses against completion exactly once', async () => {
      const seen = new Set<string>()
      for (let round = 0; round < 40; round += 1) {
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        const { assistantMessage, generationId } = await ann.call(chatRoutes.startGeneration, {
          params,
          body: { message: 'Race' },
        })
        await new Promise((resolve) => setTimeout(resolve, round % 8))
        const stop = { params: { ...params, assistantMessageId: assistantMessage.id } }
        const [one, two] = await Promise.all([ann.call(chatRoutes.cancel, stop), ann.call(chatRoutes.cancel, stop)])
        await harness.generations.waitUntilEnded(generationId)
        const frames = await collect(ann.follow(chatRoutes.events, { params, query: { generation: generationId } }))
        const last = frames.filter(({ event }) => ['done', 'cancelled', 'error'].includes(event.type))
        expect(last).toHaveLength(1)
        const won = last[0]?.event.type
        seen.add(won ?? '')
        expect([one.outcome, two.outcome].includes('cancelled')).toBe(won === 'cancelled')
        const stored = (await ann.call(chatRoutes.read, { params })).messages.items[1]
        expect(stored?.status).toBe(won === 'cancelled' ? 'cancelled' : 'complete')
        expect(stored?.content).toBe(textOf(frames))
      }
      expect([...seen].every((type) => type === 'done' || type === 'cancelled')).toBe(true)
    })

    test('refuses what is not there', async () => {
      const { id } = await newChat(ann)
      const stop = { params: { sessionId: id, assistantMessageId: 'nothing' } }
      expect(await ann.refusal(chatRoutes.cancel, stop)).toMatchObject({ status: 404, code: 'generation_not_found' })
    })
  })

  describe('following', () => {
    test('two pages follow one answer from different points, and both see all of it', async () => {
      const { id } = await newChat(ann, 'long-40-drip-5')
      const params = { sessionId: id }
      const { generationId, assistantMessage } = await ann.call(chatRoutes.startGeneration, {
        params,
        body: { message: 'Go' },
      })
      const first: ClientFrame<ChatEvent>[] = []
      const one = (async () => {
        for await (const frame of ann.follow(chatRoutes.events, { params, query: { generation: generationId } }))
          first.push(frame)
      })()
      await until(() => first.length > 10)
      const after = first[5]?.seq ?? 0
      const query = { generation: assistantMessage.id }
      const second = await collect(ann.follow(chatRoutes.events, { params, query }, { after }))
      await one
      expect(second).toEqual(first.slice(6))
      expect(new Set(first.map(({ seq }) => seq)).size).toBe(first.length)
      expect(textOf(first)).toContain('word40')
      // A finished answer is told again, from any point.
      expect(await collect(ann.follow(chatRoutes.events, { params, query }))).toEqual(first)
      expect(
        await collect(ann.follow(chatRoutes.events, { params, query }, { after: first.at(-1)?.seq ?? 0 })),
      ).toEqual([])
    })

    test('an answer whose events were removed is told from what is stored', async () => {
      const { id } = await newChat(ann)
      const params = { sessionId: id }
      const message = await say(ann, id, 'Remember')
      await until(async () => (await harness.events.lastSeq(`generation:${message.generationId}`)) > 0)
      await until(async () => (await collect(ann.follow(chatRoutes.events, { params, query: {} }))).length > 2)
      const before = await collect(ann.follow(chatRoutes.events, { params, query: {} }))
      await harness.events.remove([`generation:${message.generationId}`])
      const frames = await collect(ann.follow(chatRoutes.events, { params, query: {} }))
      expect(frames.map(({ event }) => event.type)).toEqual(['start', 'text', 'done'])
      expect(textOf(frames)).toBe(message.content)
      expect(frames.at(-1)).toEqual(before.at(-1))
      const late = await collect(ann.follow(chatRoutes.events, { params, query: {} }, { after: 2 }))
      expect(late).toEqual([before.at(-1)])
    })

    test('answers in a chat of somebody else are not there', async () => {
      const { id } = await newChat(ann)
      const message = await say(ann, id, 'Mine')
      const params = { sessionId: id }
      expect((await bob.refusal(chatRoutes.events, { params, query: {} })).code).toBe('chat_not_found')
      const own = await newChat(bob)
      const query = { generation: message.generationId ?? '' }
      const call = { params: { sessionId: own.id }, query }
      expect((await bob.refusal(chatRoutes.events, call)).code).toBe('generation_not_found')
    })
  })

  if (isUsual)
    describe('again and on', () => {
      /** What a model was asked last. The title of a chat may be asked for later still, of another model. */
      const lastAsked = (model: string) => {
        const bodies = harness.provider.requests.filter(({ path }) => path === '/api/chat').map(({ body }) => body)
        return (bodies as { model: string; messages: { content: string }[] }[]).findLast(
          (body) => body.model.split(':')[0] === model,
        )
      }

      test('regenerates as a sibling, with another model and a wish', async () => {
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        const first = await say(ann, id, 'Tell me')
        const body = {
          regenerate: true,
          originalMessageId: first.id,
          instruction: 'shorter',
          modelOverride: local('markdown'),
        }
        const second = await ann.call(chatRoutes.generate, { params, body })
        expect(second).toMatchObject({ siblingIndex: 1, siblingCount: 2, parentId: first.parentId })
        expect(second.selection?.model).toBe('markdown')
        const asked = lastAsked('markdown')
        expect(asked?.messages.at(-1)?.content).toContain('shorter')
        const read = await ann.call(chatRoutes.read, { params })
        expect(read).toMatchObject({ activeLeafId: second.id, messageCount: 2, selection: local('echo') })
      })

      test('the model that was asked last is the one that a new chat starts with, on every device', async () => {
        const startsWith = async () => {
          const { fallback } = await ann.call(connectionsRoutes.models, {})
          return [fallback?.selection.model, fallback?.because]
        }
        const { id } = await newChat(ann)
        for (const model of ['markdown', 'echo', 'markdown']) {
          const body = { message: `And you, ${model}?`, modelOverride: local(`${model}:latest`) }
          await ann.call(chatRoutes.generate, { params: { sessionId: id }, body })
          await vi.waitFor(async () => expect(await startsWith()).toEqual([`${model}:latest`, 'last-used']))
        }
        const { recentModels } = await ann.call(settingsRoutes.read, {})
        // Behind them stand those of other tests.
        expect(recentModels.slice(0, 2)).toEqual(['local::markdown:latest', 'local::echo:latest'])
      })

      test('asks an edited question as a sibling, and keeps the old branch', async () => {
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        const first = await say(ann, id, 'Original')
        await say(ann, id, 'Deeper')
        const body = { message: 'Edited', branchOf: first.parentId ?? '' }
        const answer = await ann.call(chatRoutes.generate, { params, body })
        expect(answer.content).toContain('You said: Edited')
        expect(answer.content).toContain('I received 1 messages')
        const read = await ann.call(chatRoutes.read, { params })
        expect(read.messages.items.map(({ content }) => content)[0]).toBe('Edited')
        expect(read.messages.items[0]).toMatchObject({ siblingIndex: 1, siblingCount: 2 })
        const back = await ann.call(chatRoutes.branch, {
          params: { ...params, messageId: read.messages.items[0]?.id ?? '' },
          body: { branchIndex: 0 },
        })
        expect(back.messageCount).toBe(4)
        expect(back.messages.items[2]?.content).toBe('Deeper')
      })

      test('goes on where an answer was stopped, in the same message', async () => {
        const { id } = await newChat(ann, 'long-2000-drip-20')
        const params = { sessionId: id }
        const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body: { message: 'Long' } })
        const frames: ClientFrame<ChatEvent>[] = []
        for await (const frame of ann.follow(chatRoutes.events, { params, query: {} })) {
          frames.push(frame)
          if (textOf(frames).length > 20) break
        }
        const stop = { params: { ...params, assistantMessageId: assistantMessage.id } }
        const { message: partial } = await ann.call(chatRoutes.cancel, stop)
        const body = { continueMessageId: partial.id, modelOverride: local('long-40-drip-5') }
        const rest = await collect(ann.follow(chatRoutes.generateStream, { params, body }))
        const last = rest.at(-1)?.event
        if (last?.type !== 'done') throw new Error('not done')
        expect(last.data.message.id).toBe(partial.id)
        expect(last.data.message.content).toBe(partial.content + textOf(rest))
        expect(last.data.message.siblingCount).toBe(1)
        const asked = lastAsked('long-40-drip-5')
        expect(asked?.messages.some(({ content }) => content === partial.content)).toBe(true)
        expect((await ann.refusal(chatRoutes.generate, { params, body })).code).toBe('nothing_to_continue')
      })

      test('refuses to go on with, or to answer again, what is not there', async () => {
        const { id } = await newChat(ann)
        const params = { sessionId: id }
        const refused = async (body: object) => (await ann.refusal(chatRoutes.generate, { params, body })).code
        expect(await refused({ continueMessageId: 'nothing-there' })).toBe('message_not_found')
        expect(await refused({ regenerate: true, originalMessageId: 'nothing-there' })).toBe('message_not_found')
        expect(await refused({ message: 'x', branchOf: 'nothing-there' })).toBe('message_not_found')
        expect(await refused({ message: 'x', attachmentIds: ['nothing-there'] })).toBe('attachment_not_found')
      })
    })

  test('one account may have sixteen answers at once, and its fullness is not felt by others', async () => {
    const chats = await Promise.all(Array.from({ length: 17 }, () => newChat(ann, 'long-2000-drip-20')))
    const start = (sessionId: string) => ({ params: { sessionId }, body: { message: 'x' } })
    for (const one of chats.slice(0, 16)) await ann.call(chatRoutes.startGeneration, start(one.id))
    const last = chats[16]?.id ?? ''
    expect(await ann.refusal(chatRoutes.startGeneration, start(last))).toMatchObject({
      status: 429,
      code: 'rate_limited',
    })
    expect((await say(bob, (await newChat(bob)).id, 'Free?')).status).toBe('complete')
    expect(await ann.call(chatRoutes.clear, {})).toMatchObject({ trashed: expect.any(Number) })
    expect(await harness.generations.listRunning('ann')).toEqual([])
  })

  if (dialect === 'postgres') {
    test('a stop of the server ends answers as interrupted, with their text, and other processes serve them', async () => {
      const other = await harness.another()
      const { id } = await newChat(other.ann, 'long-2000-drip-20')
      const params = { sessionId: id }
      const { assistantMessage } = await other.ann.call(chatRoutes.startGeneration, {
        params,
        body: { message: 'Long' },
      })
      const frames: ClientFrame<ChatEvent>[] = []
      const following = (async () => {
        for await (const frame of ann.follow(chatRoutes.events, { params, query: {} })) frames.push(frame)
      })()
      await until(() => textOf(frames).length > 20)
      await other.close()
      await following
      const last = frames.at(-1)?.event
      expect(last).toMatchObject({ type: 'error', data: { code: 'interrupted' } })
      const read = await ann.call(chatRoutes.read, { params })
      expect(read.messages.items[1]).toMatchObject({
        id: assistantMessage.id,
        status: 'interrupted',
        content: textOf(frames),
      })
    })

    test('an answer that another process writes can be stopped from here', async () => {
      const other = await harness.another()
      const { id } = await newChat(other.ann, 'long-2000-drip-20')
      const params = { sessionId: id }
      const { assistantMessage } = await other.ann.call(chatRoutes.startGeneration, {
        params,
        body: { message: 'Long' },
      })
      const stop = { params: { ...params, assistantMessageId: assistantMessage.id } }
      // Were it not told, the answer would go on to its end, and not be cancelled.
      expect((await ann.call(chatRoutes.cancel, stop)).outcome).toBe('cancelled')
      await other.close()
    })
  }
})
