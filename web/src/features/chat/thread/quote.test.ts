import { describe, expect, it } from 'vitest'
import { asQuote, withQuote } from './quote.ts'

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
})
