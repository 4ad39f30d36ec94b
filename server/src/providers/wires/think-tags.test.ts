import { expect, test } from 'vitest'
import type { Part } from '../types.ts'
import { createThinkTags } from './think-tags.ts'

const cases: [string, string, string, string][] = [
  ['no tags', 'Plain text.', 'Plain text.', ''],
  ['a whole block', '<think>Hm.</think>Yes.', 'Yes.', 'Hm.'],
  ['white space around', '\n <think>\nHm.\n</think>\n\nYes.', 'Yes.', 'Hm.\n'],
  ['tags later in the text', 'About <think>tags</think>.', 'About <think>tags</think>.', ''],
  ['an answer that begins with another tag', '<b>bold</b>', '<b>bold</b>', ''],
  ['a block that never ends', '<think>Hm. And', '', 'Hm. And'],
  ['a beginning that stays a beginning', '<thi', '<thi', ''],
  ['a lower-than sign inside', '<think>1 < 2 </ 3</think>ok', 'ok', '1 < 2 </ 3'],
  ['an empty block', '<think>\n\n</think>\n\nYes.', 'Yes.', ''],
  ['leading white space alone', '  hello', '  hello', ''],
]

test.each(cases)('%s', (_, input, text, reasoning) => {
  for (const size of [1, 2, 5, 1000]) {
    const tags = createThinkTags()
    const parts: Part[] = []
    for (let at = 0; at < input.length; at += size) parts.push(...tags.push(input.slice(at, at + size)))
    parts.push(...tags.end())
    const joined = (type: string) => parts.map((p) => (p.type === type && 'delta' in p ? p.delta : '')).join('')
    expect({ size, text: joined('text'), reasoning: joined('reasoning') }).toEqual({ size, text, reasoning })
  }
})

test.each([
  ['white space', ' '],
  ['beginnings of thoughts', '<think>'],
  ['what may become the end of a thought', '<think></'],
])('a million pieces of %s cost one pass', (_, piece) => {
  const tags = createThinkTags()
  let length = 0
  for (let count = 0; count < 1_000_000; count += 1) length += tags.push(piece).length
  expect(length + tags.end().length).toBeGreaterThan(0)
})
