import { expect, test } from 'vitest'
import { nameLine, textWindow } from './tool-text.ts'

const again = (offset: number) => `ask from ${offset}`

test('gives a text piece by piece, and says how to read on while there is more', () => {
  const first = textWindow('abcdef', 0, 4, again)
  expect(first).toEqual({ part: 'abcd', end: 4, words: 'Characters 0 to 4 of 6. To read on, ask from 4.' })
  expect(textWindow('abcdef', 4, 4, again)).toEqual({ part: 'ef', end: 6, words: 'Characters 4 to 6 of 6.' })
  expect(textWindow('abcdef', 6, 4, again)).toBeNull()
  expect(textWindow('', 0, 4, again)?.part).toBe('')
})

test('cuts no character in two', () => {
  expect(textWindow('a😀b', 0, 2, again)).toMatchObject({ part: 'a', end: 1 })
  expect(textWindow('a😀b', 1, 2, again)).toMatchObject({ part: '😀', end: 3 })
  expect(textWindow('a😀b', 2, 2, again)).toMatchObject({ part: '😀', end: 3 })
})

test('keeps names on their line', () => {
  expect(nameLine(' a\nb\u202ec ')).toBe('a b c')
  expect(nameLine('abcdef', 4)).toBe('abc…')
})
