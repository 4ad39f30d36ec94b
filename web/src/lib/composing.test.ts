import { expect, test } from 'vitest'
import { isComposing } from './composing.ts'

test('a key is the input method’s while it composes, and in Safari just after it', () => {
  expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true)
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true)
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false)
})
