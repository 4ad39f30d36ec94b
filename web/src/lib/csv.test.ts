import { expect, test } from 'vitest'
import { parseCsv, writeCsv } from './csv.ts'

test.each([
  ['commas', 'a,b\n1,2\n'],
  ['semicolons, as some spreadsheets write', 'a;b\r\n1;2\r\n'],
  ['tabs', 'a\tb\n1\t2'],
  ['a mark at the beginning and empty lines', '\uFEFFa,b\n\n , \n1,2\n\n'],
])('a table with %s is read', (_name, text) => {
  expect(parseCsv(text)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('quotes hold separators, lines and quotes', () => {
  expect(parseCsv('a,b\n"x, y","two\nlines and ""quotes"""\n')).toEqual([
    ['a', 'b'],
    ['x, y', 'two\nlines and "quotes"'],
  ])
  expect(parseCsv('a\n"never ends, and so on')).toEqual([['a'], ['never ends, and so on']])
  expect(parseCsv('')).toEqual([])
})

test('what is written is read again, and no cell is a formula', () => {
  const rows = [
    ['a, b', '"'],
    ['two\nlines', 'ö'],
  ]
  expect(parseCsv(writeCsv(rows))).toEqual(rows)
  expect(writeCsv([['=1+1', '@x', '-2', '+3']])).toContain(`'=1+1,'@x,'-2,'+3`)
})
