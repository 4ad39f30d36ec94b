import { expect, test } from 'vitest'
import type { Segment } from '../../../platform/formats/types.ts'
import { insertPictureTexts } from './pictures.ts'

const page = (number: number, start: number, end: number): Segment => ({
  kind: 'page',
  label: `Page ${number}`,
  number,
  start,
  end,
})
const stretches = ({ text, segments }: ReturnType<typeof insertPictureTexts>) =>
  segments.map(({ label, start, end }) => [label, text.slice(start, end)])

test('the pages of a scan become its text', () => {
  const read = insertPictureTexts({ text: '', segments: [], title: null }, [
    { page: 2, text: 'second\r\npage' },
    { page: 1, text: ' first ' },
    { page: 3, text: '' },
  ])
  expect(stretches(read)).toEqual([
    ['Page 1', 'first'],
    ['Page 2', 'second\npage'],
  ])
})

test('readings stand behind the text of their page, and pages without text between the others', () => {
  const text = 'one\n\nthree\n\nfour'
  const read = insertPictureTexts({ text, segments: [page(1, 0, 3), page(3, 5, 10), page(4, 12, 16)], title: 'T' }, [
    { page: 2, text: 'TWO' },
    { page: 3, text: 'more of three' },
    { page: 9, text: 'NINE' },
  ])
  expect(stretches(read)).toEqual([
    ['Page 1', 'one'],
    ['Page 2', 'TWO'],
    ['Page 3', 'three\n\nmore of three'],
    ['Page 4', 'four'],
    ['Page 9', 'NINE'],
  ])
  expect(read.title).toBe('T')
  let at = 0
  for (const { start, end } of read.segments) {
    expect(start).toBeGreaterThanOrEqual(at)
    at = end
  }
})

test('an image is its reading, and no reading changes nothing', () => {
  expect(
    insertPictureTexts({ text: '', segments: [], title: null }, [{ page: null, text: 'A cat\u0000' }]),
  ).toMatchObject({
    text: 'A cat',
  })
  const extract = { text: 'as it was', segments: [page(1, 0, 9)], title: null }
  expect(insertPictureTexts(extract, [])).toEqual(extract)
})
