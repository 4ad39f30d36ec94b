import type { ToolCall } from '@atrium/contract/generation'
import { expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { echoTool, openTestTools } from '../../testing/tools.ts'
import type { Part, Turn } from '../../providers/types.ts'
import type { Toolkit, ToolkitResult } from '../tools/index.ts'
import { answerInRounds, type RoundsRequest } from './rounds.ts'

const spec = { name: 'look', description: 'Looks.', parameters: { type: 'object' } }
const turn: Turn = {
  model: 'm',
  system: null,
  messages: [{ role: 'user', text: 'Where is it?', images: [] }],
  tools: [],
  options: {},
}
const call = (id: string, args = '{}'): Part => ({ type: 'tool-call', call: { id, name: 'look', arguments: args } })
const words = (delta: string): Part => ({ type: 'text', delta })
const stop: Part = { type: 'finish', reason: 'stop' }
const result = (text: string): ToolkitResult => ({ kind: 'result', text, images: [], sources: [], isError: false })

/** Reads an answer whose model says what stands in `rounds`, one after the other; the last one again and again. */
const read = async (
  rounds: readonly (readonly Part[])[],
  run: (call: ToolCall, context: Parameters<Toolkit['run']>[1]) => Promise<ToolkitResult>,
  more: Partial<RoundsRequest> = {},
  signal = new AbortController().signal,
) => {
  const turns: Turn[] = []
  const parts: Part[] = []
  const request: RoundsRequest = {
    turn,
    toolkit: { specs: () => [spec], run },
    maxRounds: 8,
    async *ask(asked) {
      turns.push(asked)
      yield rounds[Math.min(turns.length, rounds.length) - 1] ?? []
    },
    ...more,
  }
  for await (const some of answerInRounds(request, signal)) parts.push(...some)
  return { turns, parts, calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : [])) }
}

test('arguments are told while they are written, of the tools that show them', async () => {
  const written = (index: number, name: string, delta: string): Part[] => [
    { type: 'tool-call-start', index, id: 'the-provider’s', name },
    { type: 'tool-call-delta', index, delta },
    { type: 'tool-call-delta', index, delta: '' },
  ]
  const { parts } = await read(
    [
      [...written(0, 'look', '{"a'), ...written(1, 'draw', '{"b'), call('a')],
      [...written(1, 'draw', '{'), words('Done.')],
    ],
    async () => result('seen'),
    { toolkit: { specs: () => [spec], showsDraft: (name) => name === 'draw', run: async () => result('seen') } },
  )
  expect(parts.filter(({ type }) => type === 'tool-draft')).toEqual([
    { type: 'tool-draft', draft: '1.1', name: 'draw', delta: '{"b' },
    { type: 'tool-draft', draft: '2.1', name: 'draw', delta: '{' },
  ])
  expect(parts.some(({ type }) => type === 'tool-call-start' || type === 'tool-call-delta')).toBe(false)
})

test('what is called is run, and its result goes back with the words and the call that led to it', async () => {
  const { turns, parts } = await read(
    [
      [words('Let me see.'), call('a', '{"in":"attic"}')],
      [words('There.'), stop],
    ],
    async ({ arguments: args }) => result(`looked ${args}`),
  )
  expect(turns.map(({ tools }) => tools)).toEqual([[spec], [spec]])
  expect(turns[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', text: 'Let me see.', toolCalls: [{ id: 'a', name: 'look', arguments: '{"in":"attic"}' }] },
    { role: 'tool', callId: 'a', name: 'look', text: 'looked {"in":"attic"}' },
  ])
  expect(parts).toMatchObject([
    { type: 'text', delta: 'Let me see.' },
    { type: 'tool-call', call: { id: 'a', round: 1, textBefore: 11 } },
    { type: 'tool-result', callId: 'a', result: { status: 'done' } },
    { type: 'tool-call', call: { id: 'a', status: 'succeeded' } },
    { type: 'tool-result-text', callId: 'a' },
    { type: 'text', delta: '\n\nThere.' },
    stop,
  ])
})

test('calls of one round run side by side, and their results go back in their order', async () => {
  const second = Promise.withResolvers<void>()
  const { turns } = await read([[call('a'), call('b')], [words('Done.')]], async ({ id }) => {
    // The first one ends only when the second one has.
    if (id === 'a') await second.promise
    else second.resolve()
    return result(id)
  })
  expect(turns[1]?.messages.slice(2)).toMatchObject([{ callId: 'a' }, { callId: 'b' }])
})

test('calls that a provider numbers alike in every round are told apart', async () => {
  const { calls, turns } = await read(
    [[call('call_0', '1')], [call('call_0', '2')], [words('Done.')]],
    async ({ arguments: args }) => result(args),
  )
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  expect(turns[2]?.messages.slice(1).map((message) => message.text)).toEqual(['', '1', '', '2'])
})

test('more than eight calls of one round are not made, and the model is told so', async () => {
  const ran: string[] = []
  const many = Array.from({ length: 10 }, (_, n) => call(`c${n}`, String(n)))
  const { turns, calls } = await read([many, [words('Done.')]], async ({ id }) => {
    ran.push(id)
    return result(id)
  })
  expect(ran.length).toBe(8)
  expect(turns[1]?.messages.at(-1)).toMatchObject({ callId: 'c9', text: expect.stringContaining('Only 8 calls') })
  expect(calls.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(['c8', 'c9'])
})

test('in the last round nothing is offered, and what is called all the same is not made', async () => {
  let ran = 0
  const { turns, parts } = await read([[call('a')]], async ({ arguments: args }) => result(`${args}${(ran += 1)}`), {
    maxRounds: 3,
  })
  expect(turns.map(({ tools, formerTools }) => [tools.length, formerTools?.length ?? 0])).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
  ])
  expect(ran).toBe(2)
  expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' })
})

test('the same call with the same result three times running ends the calls', async () => {
  let ran = 0
  const { turns } = await read([[call('a')], [call('b')], [call('c')], [words('I give up.')]], async () => {
    ran += 1
    return result('nothing')
  })
  expect(ran).toBe(3)
  expect(turns.at(-1)?.tools).toEqual([])
  expect(turns.at(-1)?.messages.at(-1)?.text).toContain('3 times with the same result')
})

withDatabase('rounds with real tools', (open) => {
  test('a result that is quoted is the same result again, and another one is not', async () => {
    const source = { name: 'Page', url: 'https://a.example', section: null, passage: 'Nine miles.', score: 1 }
    let text = 'Nothing yet.'
    let ran = 0
    const look = echoTool({
      name: 'look',
      readsForeignText: true,
      async run() {
        ran += 1
        return { text, sources: [source] }
      },
    })
    const { kit } = await (await openTestTools(open)).startProcess([look])
    const asks = [call('a', '{"text":"x"}')]
    const { turns } = await read([asks], async () => result(''), { toolkit: await kit() })
    expect(turns.at(-1)?.messages.at(-1)?.text).toContain('3 times with the same result')
    expect(ran).toBe(3)
    const other = await kit({ subjectId: 'other' })
    const changing: Toolkit = { ...other, run: (...given) => ((text += '.'), other.run(...given)) }
    await read([asks], async () => result(''), { toolkit: changing, maxRounds: 6 })
    expect(ran).toBe(3 + 5)
  })
})

test('calls beyond the limits are refused, and written down each', async () => {
  const refused: string[] = []
  const run = async () => result('seen')
  const noteRefusal: Toolkit['noteRefusal'] = async ({ name }, reason) => void refused.push(`${name} ${reason}`)
  const many = Array.from({ length: 10 }, (_, at) => call(`c${at}`, JSON.stringify({ at })))
  await read([many, [call('last')]], run, { toolkit: { specs: () => [spec], run, noteRefusal }, maxRounds: 2 })
  expect(refused).toEqual(['look calls', 'look calls', 'look rounds'])
})

test('a model can be made to call something, once', async () => {
  const { turns } = await read([[call('a')], [words('Done.')]], async () => result('x'), { mustCall: true })
  expect(turns.map(({ toolChoice }) => toolChoice)).toEqual(['required', undefined])
})

test('what was used is summed over the rounds', async () => {
  const usage = (inputTokens: number, outputTokens: number): Part => ({ type: 'usage', inputTokens, outputTokens })
  const { parts } = await read(
    [
      [call('a'), usage(10, 2)],
      [words('Done.'), usage(20, 3)],
    ],
    async () => result('x'),
  )
  expect(parts.findLast(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 30, outputTokens: 5 })
})

test('thoughts of a round go back with it between rounds', async () => {
  const item = { text: 0, calls: 0, item: { type: 'thinking', signature: 'sealed' } }
  const { turns, parts } = await read(
    [[{ type: 'replay', wire: 'anthropic', item }, call('a')], [words('Done.')]],
    async () => result('x'),
  )
  const kept = { ...item, round: 1 }
  expect(turns[1]?.messages[1]).toMatchObject({ replay: { wire: 'anthropic', model: 'm', items: [kept] } })
  expect(parts[0]).toMatchObject({ type: 'replay', item: kept })
})

test('Stop ends a call that does not listen, and nothing is asked again', async () => {
  const stopping = new AbortController()
  const reading = read(
    [[call('a')], [words('Never.')]],
    () => {
      stopping.abort()
      return new Promise(() => undefined)
    },
    {},
    stopping.signal,
  )
  await expect(reading).rejects.toThrow()
})

test('an answer that waits for a decision ends, and goes on behind what stands without making it again', async () => {
  const decided = new Set(['a'])
  const run = async ({ id }: ToolCall): Promise<ToolkitResult> =>
    decided.has(id) ? result(`ran ${id}`) : { kind: 'waiting' }
  const first = await read([[words('One moment.'), call('a'), call('b', '1')], [words('Never.')]], run)
  expect(first.turns.length).toBe(1)
  expect(first.parts.at(-1)).toEqual({ type: 'waiting' })
  decided.add('b')
  const toolTexts = { a: 'ran a' }
  const toolCalls: ToolCall[] = [
    {
      id: 'a',
      name: 'look',
      arguments: '{}',
      round: 1,
      textBefore: 11,
      status: 'succeeded',
      result: { status: 'done', text: 'ran a' },
    },
    { id: 'b', name: 'look', arguments: '1', round: 1, textBefore: 11, status: 'awaiting_approval' },
  ]
  const ran: string[] = []
  const second = await read(
    [[words('Done.')]],
    async (made) => {
      ran.push(made.id)
      return await run(made)
    },
    { before: { text: 'One moment.', toolCalls, toolTexts } },
  )
  expect(ran).toEqual(['b'])
  expect(second.turns[0]?.messages.slice(1)).toMatchObject([
    { callId: 'a', text: 'ran a' },
    { callId: 'b', text: 'ran b' },
  ])
  // Its words do not run into those of before.
  expect(second.parts).toContainEqual({ type: 'text', delta: '\n\nDone.' })
})

test('a call whose outcome nobody knows is made again only where it changes nothing', async () => {
  const lost = (id: string, sideEffect: boolean): ToolCall => ({
    id,
    name: 'look',
    arguments: '{}',
    round: 1,
    textBefore: 0,
    status: 'unknown',
    startedAt: 1,
    sideEffect,
  })
  const ran: string[] = []
  const { turns } = await read(
    [[words('Done.')]],
    async ({ id }) => {
      ran.push(id)
      return result(`ran ${id}`)
    },
    { before: { text: '', toolCalls: [lost('sent', true), lost('read', false)], toolTexts: {} } },
  )
  expect(ran).toEqual(['read'])
  expect(turns[0]?.messages.slice(1)).toMatchObject([
    { callId: 'sent', text: expect.stringContaining('Nobody knows') },
    { callId: 'read', text: 'ran read' },
  ])
})
