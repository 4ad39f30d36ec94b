import { expect, test } from 'vitest'
import { sharedText } from './shared-text.ts'

test('what is shared is put together, and nothing is said twice', () => {
  const url = 'https://example.org/a'
  expect(sharedText({ title: 'A page', url })).toBe(`A page\n${url}`)
  // Android puts the address into the text.
  expect(sharedText({ title: 'A page', text: `Look: ${url}`, url })).toBe(`A page\nLook: ${url}`)
  expect(sharedText({ title: url, text: url })).toBe(url)
  expect(sharedText({ text: '  only text ' })).toBe('only text')
  expect(sharedText({})).toBe('')
})
