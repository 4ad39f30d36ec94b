import type { ChatEvent, Message } from '@atrium/contract/chat'
import { describe, expect, test } from 'vitest'
import { eventForReader, messageForReader, redactFor } from './redact.ts'

const source = (number: number, cited?: boolean) => ({
  number,
  name: `Report ${number}`,
  section: null,
  passage: `words of ${number}`,
  score: 1,
  ...(cited === undefined ? {} : { cited }),
})
const retrieval = {
  mode: 'keyword' as const,
  query: 'secret wish',
  documents: 3,
  excerpts: 2,
  tokens: 10,
  nothingMatched: false,
  asked: true,
  nearest: [source(9)],
  notes: [],
}
const message: Message = {
  id: 'm',
  parentId: null,
  role: 'assistant',
  status: 'failed',
  content: 'See [1].',
  reasoning: 'I thought',
  attachments: [],
  documents: [],
  toolCalls: [{ id: 't', name: 'look', arguments: '{}' }],
  sources: [source(1, true), source(2, false), source(3)],
  retrieval,
  selection: null,
  usage: {
    inputTokens: 900,
    outputTokens: 7,
    firstTokenMs: 40,
    durationMs: 90,
    tokensPerSecond: 80,
    cost: { amount: '0.5', currency: 'USD' },
  },
  context: null,
  finishReason: 'stop',
  failure: { code: 'provider_failed', detail: 'My own connection “Lab 4” did not answer.' },
  rating: -1,
  siblingIndex: 0,
  siblingCount: 1,
  depth: 1,
  summarised: false,
  generationId: 'g',
  createdAt: '2026-11-20T10:00:00.000Z',
  editedAt: null,
}

describe('a reader', () => {
  test('gets the names of the tools that were called and how they went, and not with what', () => {
    const call = {
      id: 'c',
      name: 'send',
      arguments: '{"to":"secret"}',
      round: 1,
      textBefore: 3,
      status: 'succeeded' as const,
      source: 'builtin' as const,
      result: { status: 'done' as const, text: 'secret' },
      approval: { id: 'a', decisions: [], decision: null, message: 'secret' },
    }
    const seen = messageForReader({ ...message, toolCalls: [...message.toolCalls, call] })
    const told = {
      id: 'c',
      name: 'send',
      arguments: '',
      source: 'builtin',
      status: 'succeeded',
      round: 1,
      textBefore: 3,
    }
    expect(seen.toolCalls).toEqual([told])
    expect(eventForReader({ type: 'tool-call', data: call })).toEqual({ type: 'tool-call', data: told })
    expect(eventForReader({ type: 'tool-result', data: { callId: 'c', result: call.result } })).toBeNull()
  })

  test('gets what was said with the sources that are cited, and nothing of how it came about', () => {
    const seen = messageForReader(message)
    expect(seen.sources.map(({ number }) => number)).toEqual([1, 3])
    expect(seen).toMatchObject({ content: 'See [1].', reasoning: 'I thought', finishReason: 'stop' })
    expect(seen).toMatchObject({ toolCalls: [], retrieval: null, usage: null, context: null, rating: null })
    expect(seen.failure?.code).toBe('provider_failed')
    expect(JSON.stringify(seen)).not.toMatch(/Lab 4|secret wish|words of 2|words of 9/)
  })

  test('is told from an owner by the right', () => {
    expect(redactFor({ right: 'owner' }, [message])).toEqual([message])
    for (const right of ['read', 'write', 'admin'] as const)
      expect(redactFor({ right }, [message])).toEqual([messageForReader(message)])
  })

  const kept: [string, ChatEvent, ChatEvent | null][] = [
    ['text', { type: 'text', data: { delta: 'a' } }, { type: 'text', data: { delta: 'a' } }],
    ['reasoning', { type: 'reasoning', data: { delta: 'a' } }, { type: 'reasoning', data: { delta: 'a' } }],
    [
      'a search without what came of it',
      { type: 'search', data: { status: 'done', where: 'documents', retrieval, context: null } },
      { type: 'search', data: { status: 'done', where: 'documents' } },
    ],
    ['no sources before it is known which are cited', { type: 'sources', data: { items: [source(2)] } }, null],
    ['no tools', { type: 'tool-call', data: { id: 't', name: 'look', arguments: '{}' } }, null],
    [
      'an end with the answer',
      { type: 'done', data: { message } },
      { type: 'done', data: { message: messageForReader(message) } },
    ],
    [
      'a failure without its words',
      { type: 'error', data: { code: 'provider_failed', detail: 'My own connection “Lab 4” did not answer.' } },
      { type: 'error', data: { code: 'provider_failed', detail: 'The answer ended early.' } },
    ],
  ]
  test.for(kept)('hears live: %s', ([, event, seen]) => expect(eventForReader(event)).toEqual(seen))
})
