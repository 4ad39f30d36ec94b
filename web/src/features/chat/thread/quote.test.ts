import { describe, expect, it } from 'vitest'
import { asQuote, withQuestion, withQuote } from './quote.ts'

describe('a quotation', () => {
  it('has its mark before every line, and none too many between paragraphs', () => {
    expect(asQuote('One line')).toBe('> One line')
    expect(asQuote('\n  \nFirst\r\n\r\n\r\n\r\nSecond\n  indented\n\n')).toBe('> First\n>\n> Second\n>   indented')
  })

  it('comes after what is typed and before what will be', () => {
    expect(withQuote('', 'Words')).toBe('> Words\n\n')
    expect(withQuote('Look: ', 'Words')).toBe('Look:\n\n> Words\n\n')
    expect(withQuote('> First\n\n', 'Second')).toBe('> First\n\n> Second\n\n')
  })

  it('is asked about together with those before it, under one question', () => {
    const one = withQuestion('', 'First', 'Explain this.')
    expect(one).toEqual({ content: '> First\n\nExplain this.', start: 9 })
    const both = withQuestion(one.content, 'Second', 'Explain this.')
    expect(both.content).toBe('> First\n\n> Second\n\nExplain this.')
    expect(both.content.slice(both.start)).toBe('Explain this.')
    expect(withQuestion('My own. Explain this.', 'Words', 'Explain this.').content).toMatch(
      /^My own\. Explain this\.\n/,
    )
  })
})
