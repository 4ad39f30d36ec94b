import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Part } from '../../../providers/types.ts'
import { type LinesAgent, readAgents } from '../definition.ts'
import { createLineReader } from './reader.ts'

const tables = new Map(
  (await readAgents(undefined))
    .filter((agent): agent is LinesAgent => agent.speaks === 'jsonl')
    .map(({ id, lines }) => [id, lines]),
)

const tableOf = (id: string) => {
  const table = tables.get(id)
  if (!table) throw new Error(`There is no table of ${id}.`)
  return table
}

/** What the lines of a file tell, with the pieces of a text put together. */
const tell = (id: string, values: Record<string, string> = {}) => {
  const text = readFileSync(new URL(`../../../testing/agents/lines/${id}.jsonl`, import.meta.url), 'utf8')
  const filled = Object.entries(values).reduce((all, [word, value]) => all.replaceAll(word, value), text)
  const reader = createLineReader(tableOf(id))
  const parts: Part[] = []
  const requests: unknown[] = []
  for (const line of filled.trimEnd().split('\n')) {
    const found = reader.read(JSON.parse(line))
    parts.push(...found.parts)
    requests.push(...found.requests)
  }
  parts.push(...reader.end())
  const textOf = (type: 'text' | 'reasoning') =>
    parts.flatMap((part) => (part.type === type && 'delta' in part ? [part.delta] : [])).join('')
  return { reader, requests, parts, text: textOf('text'), reasoning: textOf('reasoning') }
}

describe('the lines of Claude Code', () => {
  const told = tell('claude', { FAILED: 'false' })

  test('tell words once, with a paragraph after each call', () => {
    expect(told.text).toBe('I add it… \n\nLAST')
    expect(told.reasoning).toBe('The file wants a line.')
  })

  test('tell calls with what they change, a plan, and nothing of agents below', () => {
    expect(told.parts.filter(({ type }) => type.startsWith('tool'))).toEqual([
      {
        type: 'tool-call',
        call: { id: 'plan', name: 'plan', arguments: '', steps: [{ text: 'Edit the file', state: 'running' }] },
      },
      {
        type: 'tool-call',
        call: {
          id: 'toolu_1',
          name: 'Edit',
          arguments: expect.stringContaining('"old_string":"one\\n"'),
          places: [{ path: '/work/notes.txt', line: null }],
          changes: [{ path: '/work/notes.txt', before: 'one\n', after: 'one\ntwo\n' }],
        },
      },
      { type: 'tool-result', callId: 'toolu_1', result: { status: 'done', text: 'RESULT' } },
    ])
  })

  test('tell a question with what its answer needs, and the end with session and tokens', () => {
    expect(told.requests).toMatchObject([
      { type: 'question', id: 'req_1', callId: 'toolu_1', values: { name: 'Edit', arguments: { replace_all: false } } },
    ])
    expect(told.parts.at(-1)).toEqual({ type: 'usage', inputTokens: 100, outputTokens: 15, cachedTokens: 70 })
    expect(told.reader).toMatchObject({ session: 'SESSION', isOver: true, failure: null })
  })

  test('tell the result where no words came before, and other requests get their refusal', () => {
    const reader = createLineReader(tableOf('claude'))
    expect(
      reader.read({ type: 'control_request', request_id: 'req_7', request: { subtype: 'hook_callback' } }).requests,
    ).toMatchObject([{ type: 'answer', line: { response: { subtype: 'error', request_id: 'req_7' } } }])
    expect(reader.read({ type: 'result', is_error: false, result: 'Unknown command.' }).parts).toEqual([
      { type: 'text', delta: 'Unknown command.' },
    ])
  })
})

describe('the lines of Codex', () => {
  const told = tell('codex', { INPUT: '300', OUTPUT: '30' })

  test('tell words, thoughts, calls and results', () => {
    expect(told.text).toBe('I look first.\n\nLAST')
    expect(told.reasoning).toBe('**Looking at the file**')
    expect(told.parts.flatMap((part) => (part.type === 'tool-result' ? [part] : []))).toEqual([
      { type: 'tool-result', callId: 'item_4', result: { status: 'done', text: 'one\n' } },
      { type: 'tool-result', callId: 'item_5', result: { status: 'failed', text: '' } },
      { type: 'tool-result', callId: 'item_6', result: { status: 'done', text: 'No such note.' } },
    ])
    expect(told.parts).toContainEqual({
      type: 'tool-call',
      call: expect.objectContaining({ name: 'file_change', places: [{ path: '/work/notes.txt', line: null }] }),
    })
    expect(told.reader).toMatchObject({ session: 'SESSION', isOver: true, failure: null })
  })

  test('count the tokens of the turn, though they are told of the session', () => {
    const line = { type: 'turn.completed', usage: { input_tokens: 300, cached_input_tokens: 40, output_tokens: 30 } }
    const usageAfter = (before?: { input: number; output: number; cached: number }) => {
      const reader = createLineReader(tableOf('codex'), before)
      reader.read(line)
      return reader.end()
    }
    const cached = { cachedTokens: 40 }
    expect(usageAfter()).toEqual([{ type: 'usage', inputTokens: 300, outputTokens: 30, ...cached }])
    expect(usageAfter({ input: 200, output: 20, cached: 40 })).toEqual([
      { type: 'usage', inputTokens: 100, outputTokens: 10 },
    ])
    expect(usageAfter({ input: 900, output: 20, cached: 0 })).toEqual([
      { type: 'usage', inputTokens: 300, outputTokens: 30, ...cached },
    ])
  })

  test('keep the reason of a turn that failed', () => {
    const reader = createLineReader(tableOf('codex'))
    reader.read({ type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized' } })
    expect(reader).toMatchObject({ failure: 'unexpected status 401 Unauthorized', isOver: true, hasTold: false })
  })
})

describe('the lines of pi', () => {
  const told = tell('pi')

  test('tell words, thoughts, calls and the tokens of all requests', () => {
    expect(told.text).toBe('I look first.\n\nLAST')
    expect(told.reasoning).toBe('A look is enough.')
    expect(told.parts).toContainEqual({
      type: 'tool-result',
      callId: 'call_1',
      result: { status: 'done', text: 'one\n' },
    })
    expect(told.parts.at(-1)).toEqual({ type: 'usage', inputTokens: 100, outputTokens: 10, cachedTokens: 10 })
  })

  test('forget a failure after which words came', () => {
    expect(told.reader).toMatchObject({ session: 'SESSION', failure: null })
  })
})

test('more calls than anybody reads end the answer, and long words are cut', () => {
  const reader = createLineReader(tableOf('codex'))
  const call = (id: number, command: string) =>
    reader.read({ type: 'item.started', item: { id: `item_${id}`, type: 'command_execution', command } })
  expect(call(0, 'x'.repeat(30_000)).parts).toMatchObject([
    { call: { arguments: expect.stringMatching(/^x{20000}…$/) } },
  ])
  for (let id = 1; id < 500; id += 1) call(id, 'ls')
  expect(() => call(500, 'ls')).toThrow(expect.objectContaining({ kind: 'too_large' }))
})

test('lines without sense tell nothing', () => {
  for (const table of tables.values()) {
    const reader = createLineReader(table)
    for (const line of [
      {},
      { type: null },
      { type: 'assistant', message: 7 },
      { type: 'result', usage: 'much' },
      { type: 'item.completed', item: { type: 'command_execution' } },
      { type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: {} } },
      { type: '__proto__', constructor: {} },
    ]) {
      expect(reader.read(line).requests).toEqual([])
    }
    expect(reader.session).toBeNull()
  }
})
