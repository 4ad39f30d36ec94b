import { MessageSquare } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { filterEntries, findTrigger, withoutTrigger } from './trigger-rules.ts'

const signs = ['/', '@', '#']

describe('a list is asked for', () => {
  const cases: [string, ReturnType<typeof findTrigger>][] = [
    ['/|', { sign: '/', from: 0, query: '' }],
    ['Ask @son|net', { sign: '@', from: 4, query: 'son' }],
    ['(#annual report|', { sign: '#', from: 1, query: 'annual report' }],
    ['first\n/mo|', { sign: '/', from: 6, query: 'mo' }],
    ['and/or|', null],
    ['ann@example.org|', null],
    ['# Heading|', null],
    ['## Heading|', null],
    ['/model\nnext|', null],
    ['| /model', null],
    ['//|', null],
    [`#${'x'.repeat(80)}|`, null],
  ]
  it.each(cases)('or not, by what stands before the caret: %j', (marked, expected) => {
    const caret = marked.indexOf('|')
    expect(findTrigger(marked.replace('|', ''), caret, signs)).toEqual(expected)
  })

  it('and leaves the text as if it had not been', () => {
    expect(withoutTrigger('Ask @son about it', { sign: '@', from: 4, query: 'son' })).toEqual({
      text: 'Ask about it',
      caret: 4,
    })
    expect(withoutTrigger('/mo', { sign: '/', from: 0, query: 'mo' })).toEqual({ text: '', caret: 0 })
  })
})

describe('what is listed', () => {
  const entry = (id: string, name: string, more: object = {}) => ({
    id,
    name,
    icon: MessageSquare,
    choose: () => undefined,
    ...more,
  })
  const entries = [
    entry('1', 'Regenerate', { section: 'a' }),
    entry('2', 'New chat', { section: 'a', words: 'new' }),
    entry('3', 'Übersicht 2026', { section: 'b' }),
    entry('4', 'A new beginning', { section: 'b' }),
  ]
  const found = (query: string) => filterEntries(entries, query).map(({ id }) => id)

  it('holds every word, whatever its case and accents, and keeps its sections together', () => {
    expect(found('')).toEqual(['1', '2', '3', '4'])
    expect(found('uber 26')).toEqual(['3'])
    expect(found('new')).toEqual(['2', '4'])
    expect(found('ne')).toEqual(['2', '1', '4'])
    expect(found('nothing like it')).toEqual([])
  })
})
