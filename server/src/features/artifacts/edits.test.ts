import { expect, test } from 'vitest'
import { applyEdits } from './edits.ts'

const page = ['<ul>', '  <li>One</li>', '  <li>Two</li>', '</ul>', '<p>Price: 5</p>'].join('\n')
const edit = (oldText: string, newText: string, everywhere = false) => ({ oldText, newText, everywhere })

test.each([
  ['one passage', [edit('<li>One</li>', '<li>1</li>')], page.replace('One', '1')],
  ['several, each upon the one before', [edit('One', 'Uno'), edit('Uno', 'Eins')], page.replace('One', 'Eins')],
  ['every place', [edit('li>', 'dt>', true)], page.replaceAll('li>', 'dt>')],
  ['letters that mean something in patterns', [edit('Price: 5', 'Price: $& $1')], page.replace('5', () => '$& $1')],
  ['over several lines', [edit('One</li>\n  <li>Two', 'Both')], page.replace('One</li>\n  <li>Two', 'Both')],
])('edits %s', (_name, edits, text) => {
  expect(applyEdits(page, edits)).toEqual({ text })
})

test.each([
  ['what is not there, with the nearest lines', [edit('<li>Tvo</li>', '')], /not in the artifact.*2: {3}<li>One/s],
  ['what is not there, naming which', [edit('One', '1'), edit('<p>Price: 6</p>', '')], /edit 2.*5: <p>Price: 5/s],
  ['what is nothing like it', [edit('qqqq', '')], /Read it first/],
  ['a passage that stands twice', [edit('<li>', '<dt>')], /stands 2 times/],
])('refuses %s', (_name, edits, problem) => {
  expect(applyEdits(page, edits)).toEqual({ problem: expect.stringMatching(problem) })
})

test('looks for the nearest lines of a long text without holding anything up for long', () => {
  const long = Array.from({ length: 30_000 }, (_, n) => `line ${n} of many ${'x'.repeat(n % 300)}`).join('\n')
  expect(applyEdits(long, [edit('line 12345 of mine', '')])).toEqual({
    problem: expect.stringContaining('nearest lines'),
  })
})
