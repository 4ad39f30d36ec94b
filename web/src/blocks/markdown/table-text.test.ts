import { describe, expect, it } from 'vitest'
import { toCsv, toMarkdown } from './table-text.ts'

const table = {
  header: ['Name', 'Note'],
  rows: [
    ['a', 'x, "y"'],
    ['=1+1', '-5'],
    ['p|q', 'two\nlines'],
  ],
}

describe('a table as text', () => {
  it('becomes CSV that a spreadsheet reads and does not run', () => {
    expect(toCsv(table)).toBe('Name,Note\r\na,"x, ""y"""\r\n\'=1+1,-5\r\np|q,"two\nlines"')
  })
  it('becomes Markdown with its bars escaped', () => {
    expect(toMarkdown(table)).toBe(
      '| Name | Note      |\n| ---- | --------- |\n| a    | x, "y"    |\n| =1+1 | -5        |\n| p\\|q | two lines |',
    )
  })
})
