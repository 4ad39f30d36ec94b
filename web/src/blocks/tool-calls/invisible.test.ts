import { expect, test } from 'vitest'
import { revealHidden, showHidden } from './invisible.ts'

test.each([
  ['plain words\nof two lines\tand a tab', 'plain words\nof two lines\tand a tab'],
  ['pay \u202Etnuocca', 'pay ⟨U+202E⟩tnuocca'],
  ['zero\u200Bwidth', 'zero⟨U+200B⟩width'],
  ['\u{E0041}tag', '⟨U+E0041⟩tag'],
  ['bell\u0007 and return\r', 'bell⟨U+0007⟩ and return⟨U+000D⟩'],
  ['half \uD800 a character', 'half ⟨U+D800⟩ a character'],
  ['a family 👨‍👩‍👧 and a heart ❤️', 'a family 👨‍👩‍👧 and a heart ❤️'],
  ['filler\u3164', 'filler⟨U+3164⟩'],
  ['variation\uFE0F', 'variation⟨U+FE0F⟩'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(showHidden(text)).toBe(shown)
})

test('nothing of a text is lost between its pieces', () => {
  const text = `\u2066one\u2069${'x'.repeat(5000)}\u200D`
  expect(revealHidden(text).map(({ hidden }) => hidden)).toEqual([true, false, true, false, true])
})
