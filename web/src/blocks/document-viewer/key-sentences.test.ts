import { expect, test } from 'vitest'
import { keySentences } from './key-sentences.ts'

const handbook = `Kites need wind. A tail keeps a kite steady
in strong wind. The altitude record of a single kite stands at 4,879 metres, flown in Australia. Lines are made of
Dyneema.`
const found = (content: string, claim: string) =>
  keySentences(content, { start: 0, end: content.length }, claim).map(({ start, end }) => content.slice(start, end))

test('the sentence that says what the answer says is picked, whatever the form of its words', () => {
  expect(found(handbook, 'A single kite reached 4879 metres.')).toEqual([
    'The altitude record of a single kite stands at 4,879 metres, flown in Australia.',
  ])
})

test('a sentence over two lines stays whole', () => {
  expect(found(handbook, 'With strong winds, tails keep it steady.')).toEqual([
    'A tail keeps a kite steady\nin strong wind.',
  ])
})

test('sentences that follow one another are one stretch', () => {
  expect(
    found('Ovens differ. Bake the loaf at 230 degrees. Bake it for 40 minutes.', 'Bake at 230 degrees for 40 minutes'),
  ).toEqual(['Bake the loaf at 230 degrees. Bake it for 40 minutes.'])
})

test('a table is picked from line by line', () => {
  const rows = Array.from({ length: 60 }, (_, at) => `| 2${at + 100} | item number | of stock |`).join('\n')
  expect(found(rows, 'Item 2142 is in stock.')).toEqual(['| 2142 | item number | of stock |'])
})

test('words that are not parted by blanks are compared by pairs of signs', () => {
  expect(found('风筝需要风。单线风筝的高度纪录是四千米。', '高度纪录为四千米')).toEqual([
    '单线风筝的高度纪录是四千米。',
  ])
})

test('nothing is picked where little matches, or where there is but one sentence', () => {
  expect(found(handbook, 'Der Drachen flog sehr hoch.')).toEqual([])
  expect(found(handbook, '')).toEqual([])
  expect(found('Only one sentence about kites and metres', 'kites and metres')).toEqual([])
})

test('places are those of the whole text, and stay inside of the passage', () => {
  const start = handbook.indexOf('A tail')
  const [range] = keySentences(handbook, { start, end: handbook.length }, 'The record is 4879 metres high')
  expect(range?.start).toBe(handbook.indexOf('The altitude'))
})
