import { expect, test } from 'vitest'
import { findExceededBound } from './shape.ts'

const bounds = { depth: 3, members: 6 }

test.each<[string, string, ReturnType<typeof findExceededBound>]>([
  ['a number', '5', null],
  ['what is as deep as allowed', '[[["deep"]]]', null],
  ['one level more', '[[[["deep"]]]]', 'depth'],
  ['objects', '{"a":{"b":{"c":{}}}}', 'depth'],
  ['as many as allowed', '[1,2,3,4]', null],
  ['one more', '[1,2,3,4,5,6]', 'members'],
  ['brackets and commas in strings', '["[[[[[[,,,,,,,{{{{"]', null],
  ['escapes in strings', '["\\\\","\\"[[[[[,,,,,"]', null],
  ['a string without an end', '["[[[[', null],
])('%s', (_, text, over) => {
  expect(findExceededBound(text, bounds)).toBe(over)
})

test('a text of nothing but escapes costs one pass', () => {
  expect(findExceededBound(`["${'\\\\'.repeat(2_000_000)}"]`, bounds)).toBeNull()
  expect(findExceededBound(`["${'\\"'.repeat(2_000_000)}"]`, bounds)).toBeNull()
})
