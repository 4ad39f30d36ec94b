import { describe, expect, test } from 'vitest'
import { parseQuery } from './query.ts'

const day = (text: string) => Date.parse(`${text}T00:00:00.000Z`)

describe('a search as it was typed', () => {
  test('is words where there are no operators', () => {
    expect(parseQuery('  kites over   Bremen ')).toMatchObject({
      wanted: { words: 'kites over Bremen', kinds: null, within: null, from: null, after: null, before: null },
      unknown: [],
    })
  })

  test.each([
    ['in:documents roof', { words: 'roof', kinds: new Set(['document']) }],
    ['in:messages roof', { words: 'roof', kinds: new Set(['message']) }],
    ['roof IN:chats', { words: 'roof', kinds: new Set(['chat', 'message']) }],
    ['in:"House rules" roof', { words: 'roof', within: 'house rules', kinds: null }],
    ['from:me roof', { words: 'roof', from: 'me' }],
    ['from:Model roof', { words: 'roof', from: 'model' }],
    ['has:code has:sources x', { words: 'x', has: new Set(['code', 'source']) }],
    ['after:2026-03-01 before:2026-04 x', { words: 'x', after: day('2026-03-01'), before: day('2026-04-01') }],
    ['is:pinned IS:Archived x', { words: 'x', is: new Set(['pinned', 'archived']) }],
    ['model:"GPT 5" x', { words: 'x', model: 'gpt 5' }],
    ['tag:Work TAG:"Tax 2026" x', { words: 'x', tags: ['work', 'tax 2026'], kinds: null }],
    ['before:2026 x', { words: 'x', before: day('2026-01-01') }],
    ['#Team roof', { words: 'roof', channel: 'team', kinds: new Set(['channel-message']) }],
    ['#"Team lunch" @ann', { words: '', channel: 'team lunch', person: 'ann' }],
    ['is:mention roof', { words: 'roof', is: new Set(['mention']), kinds: new Set(['channel-message']) }],
    ['has:links has:file has:pin has:threads', { words: '', has: new Set(['link', 'file', 'pin', 'thread']) }],
    ['in:calendar dentist', { words: 'dentist', kinds: new Set(['calendar-event']) }],
    ['issue #12 of a@b.org', { words: 'issue #12 of a@b.org', channel: null, person: null, kinds: null }],
  ])('understands %s', (typed, wanted) => {
    expect(parseQuery(typed)).toMatchObject({ wanted, unknown: [] })
  })

  test.each([
    'from:grandma',
    'is:blue',
    'model:',
    'tag:',
    'tag:#',
    'has:wings',
    'before:yesterday',
    'after:2026-02-31',
    'in:',
    'before:2026-13',
  ])('names %s as not understood and looks for the rest', (operator) => {
    expect(parseQuery(`roof ${operator}`)).toMatchObject({ wanted: { words: 'roof' }, unknown: [operator] })
  })

  test('leaves what only looks like an operator among the words', () => {
    expect(parseQuery('http://example.org 12:30 note: this')).toMatchObject({
      wanted: { words: 'http://example.org 12:30 note: this' },
      unknown: [],
    })
  })
})
