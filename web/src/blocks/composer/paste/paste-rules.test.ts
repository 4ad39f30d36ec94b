import { describe, expect, it } from 'vitest'
import { pastedAddress, tableOfText, tableToCsv, tableToMarkdown, wellFormed } from './paste-rules.ts'

describe('pasted text', () => {
  it('is an address where nothing else was pasted', () => {
    expect(pastedAddress(' https://example.org/a?b=c#d \n')).toBe('https://example.org/a?b=c#d')
    for (const text of [
      'see https://example.org',
      'https://a.org https://b.org',
      'example.org',
      'ftp://a.org/x',
      'https://x',
    ])
      expect(pastedAddress(text)).toBeNull()
  })

  it('is a table where all lines have equally many cells', () => {
    expect(tableOfText('Name\tAge\r\nAnn\t41\r\nBen\t\r\n')).toEqual([
      ['Name', 'Age'],
      ['Ann', '41'],
      ['Ben', ''],
    ])
    for (const text of ['one\ttwo', 'a\nb', 'a\tb\nc', '\tif (x)\n\t\treturn', '\tx = 1\n\ty = 2', ''])
      expect(tableOfText(text)).toBeNull()
  })
})

describe('a table', () => {
  const table = wellFormed([['Name', 'Says'], ['Ann | "A"', 'one,\ntwo'], ['Ben']])

  it('has rows of one length', () => {
    expect(table?.at(-1)).toEqual(['Ben', ''])
    expect(wellFormed([['a', 'b']])).toBeNull()
  })

  it('becomes Markdown and CSV without losing a sign', () => {
    expect(tableToMarkdown(table ?? [])).toBe('| Name | Says |\n| --- | --- |\n| Ann \\| "A" | one, two |\n| Ben |  |')
    expect(tableToCsv(table ?? [])).toBe('Name,Says\r\n"Ann | ""A""","one,\ntwo"\r\nBen,\r\n')
  })
})
