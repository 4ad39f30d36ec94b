import { expect, test } from 'vitest'
import { isLeftOut, largestFile, refusalOf } from './rules.ts'

test('what is too large, empty or of no use is refused before it is sent', () => {
  expect(refusalOf({ name: 'a.pdf', size: largestFile })).toBeNull()
  expect(refusalOf({ name: 'a.pdf', size: largestFile + 1 })).toBe('too-large')
  expect(refusalOf({ name: 'film.MP4', size: 5 })).toBe('unsupported')
  expect(refusalOf({ name: 'a.txt', size: 0 })).toBe('empty')
  expect(refusalOf({ name: 'no ending', size: 5 })).toBeNull()
})

test('what belongs to the system is left out of a folder', () => {
  expect(['.DS_Store', '.git', 'Thumbs.db', 'node_modules'].map(isLeftOut)).toEqual([true, true, true, true])
  expect(['notes.md', 'a.b', 'modules'].map(isLeftOut)).toEqual([false, false, false])
})
