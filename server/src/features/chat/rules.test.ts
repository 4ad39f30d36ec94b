import { expect, test } from 'vitest'
import { attachmentBlock, cleanFollowups, cleanTitle, firstWords, isContinuable, summaryPrompt } from './rules.ts'

test.each([
  ['A title', 'A title'],
  ['"Quoted title."', 'Quoted title'],
  ['Title: **Bold** words', 'Bold words'],
  ['\n\n# Heading\nmore', 'Heading'],
  ['“عنوان جميل”', 'عنوان جميل'],
  ['   ', null],
  ['one two three four five six seven eight nine ten eleven', 'one two three four five six seven eight nine ten'],
])('the title %j becomes %j', (answer, title) => {
  expect(cleanTitle(answer)).toBe(title)
})

test('first words end at a word, with an ellipsis', () => {
  expect(firstWords('short\n  text')).toBe('short text')
  const long = firstWords('a word '.repeat(30))
  expect(long.length).toBeLessThanOrEqual(120)
  expect(long).toMatch(/word…$/)
  expect(firstWords('x'.repeat(200))).toHaveLength(120)
})

test('follow-ups are the questions of lists of any kind, without marks and repetitions, three at most', () => {
  const long = `${'x'.repeat(120)}?`
  const answer = `Here are some:\n${long}\nWHAT now\n1. What next?\n- And why?\n* What next?\n“How so?”\nWho is it?`
  expect(cleanFollowups(answer, 'What is it?')).toEqual(['What next?', 'And why?', 'How so?'])
  expect(cleanFollowups('**1.** What **is** it?\nAsk about the roof.\n## Who `built` it [2]?', 'what is it')).toEqual([
    'Who built it?',
  ])
  const plain = ['Is snake_case fine?', 'Why C#?', 'Is 2*3 six?']
  expect(cleanFollowups(plain.join('\n'), '')).toEqual(plain)
  expect(cleanFollowups('_كم عمقه؟_\n- **有多深？**', '')).toEqual(['كم عمقه؟', '有多深？'])
})

test('an attachment is fenced by more than it holds', () => {
  expect(attachmentBlock('a.md', 'text')).toBe('Attached file "a.md":\n```\ntext\n```')
  expect(attachmentBlock('a.md', '````js\n````\n')).toBe('Attached file "a.md":\n`````\n````js\n````\n`````')
})

test('a summary prompt holds the transcript, whatever its template', () => {
  expect(summaryPrompt('Short: {{MESSAGES}} after {{PREVIOUS_SUMMARY}}', 'old $&', 'new $1')).toBe(
    'Short: new $1 after The summary so far:\nold $&',
  )
  expect(summaryPrompt('Just do it', null, 'text')).toContain('text')
  expect(summaryPrompt('', null, 'text')).toContain('You condense')
})

test.each([
  ['complete', 'stop', false],
  ['complete', 'length', true],
  ['cancelled', null, true],
  ['interrupted', null, true],
  ['failed', null, true],
  ['running', null, false],
])('an answer that is %s (%s) can be gone on with: %s', (status, reason, can) => {
  expect(isContinuable(status, reason)).toBe(can)
})
