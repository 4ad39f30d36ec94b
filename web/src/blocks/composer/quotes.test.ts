import { describe, expect, it } from 'vitest'
import { longestMessage, mostQuotes } from '@atrium/contract/message-limits'
import {
  asQuote,
  cleanQuote,
  hasRoomFor,
  roomBelow,
  sourceOfQuote,
  toSentQuotes,
  withQuestion,
  withQuotes,
} from './quotes.ts'

const quote = (text: string) => ({ id: 'quote-01', messageId: 'message-01', author: null, text })

describe('a quote', () => {
  it('has its mark before every line, and none too many between paragraphs', () => {
    expect(asQuote('One line')).toBe('> One line')
    expect(asQuote('\n  \nFirst\r\n\r\n\r\n\r\nSecond\n  indented\n\n')).toBe('> First\n>\n> Second\n>   indented')
  })

  it('is sent before what is typed, apart from the quotes beside it', () => {
    expect(withQuotes('Why?', [quote('First'), quote('Second')])).toBe('> First\n\n> Second\n\nWhy?')
    expect(withQuotes('', [quote('Words')])).toBe('> Words')
    expect(withQuotes('  as typed\n')).toBe('  as typed\n')
  })

  it('is known by its words when it was sent, and not when they were changed', () => {
    const sent = toSentQuotes([quote('First\n\n  indented'), { ...quote('Other'), messageId: 'message-02' }])
    expect(sent[1]).toEqual({ messageId: 'message-02', text: 'Other' })
    expect(sourceOfQuote('First\n\nindented\n', sent)).toBe('message-01')
    expect(sourceOfQuote('Other', sent)).toBe('message-02')
    expect(sourceOfQuote('Another', sent)).toBeNull()
    expect(sourceOfQuote('', sent)).toBeNull()
  })

  it('has room as long as the message fits, with the marks and the other quotes', () => {
    const [long, typed] = [quote('x'.repeat(longestMessage - 10)), 'Why?']
    // Two for its mark, two for the empty line, four for what is typed: two are left.
    expect(hasRoomFor(long, typed, [])).toBe(true)
    expect(hasRoomFor(long, `${typed}...`, [])).toBe(false)
    expect(hasRoomFor(quote('y'), typed, [long])).toBe(false)
    expect([roomBelow([]), roomBelow([long])]).toEqual([longestMessage, 6])
    expect(hasRoomFor(quote('y'), '', Array(mostQuotes).fill(quote('z')))).toBe(false)
  })

  it('is asked about together with others, under one question', () => {
    expect(withQuestion('', 'Explain this.')).toEqual({ content: 'Explain this.', start: 0 })
    expect(withQuestion('Explain this. ', 'Explain this.')).toEqual({ content: 'Explain this.', start: 0 })
    expect(withQuestion('Look:\n', 'Explain this.')).toEqual({ content: 'Look:\n\nExplain this.', start: 7 })
    expect(withQuestion('Look:\n\nExplain this.', 'Explain this.').content).toBe('Look:\n\nExplain this.')
    expect(withQuestion('My own. Explain this.', 'Explain this.').start).toBe(23)
  })
})

it('quotes nothing of mere white space, however much of it there is', () => {
  expect(cleanQuote('\r\n \n\t\n')).toBe('')
  // Each look at its end once took as long as the square of its length: ten seconds for this one.
  const blank = ' '.repeat(60_000)
  expect(cleanQuote(`a${blank}b${'\n'.repeat(60_000)}`)).toBe(`a${blank}b`)
})
