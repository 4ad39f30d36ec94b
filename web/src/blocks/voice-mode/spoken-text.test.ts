import { expect, test } from 'vitest'
import { createSpokenText } from './spoken-text.ts'

const words = { code: 'Code skipped.', table: 'Table skipped.' }
const whole = (text: string) => createSpokenText(words).take(text, true)

test('marks are not said, code and tables are told in a word', () => {
  const text = `# Two ferries

They **leave** at \`nine\` [1]. See [the plan](https://example.org/plan) &amp; ask. $x^2$

- One is here.
- Two
  - and half

> It is late.

![a boat](boat.png)

\`\`\`ts
const ferry = 1
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

---`
  expect(whole(text)).toEqual([
    ...['Two ferries', 'They leave at nine.', 'See the plan & ask.', 'One is here.', 'Two', 'and half', 'It is late.'],
    ...['Code skipped.', 'Table skipped.'],
  ])
})

test('a growing answer gives each sentence once, as soon as it will not change', () => {
  const text = 'The ferry leaves at nine. It comes back before dark.\n\n```\ncode\n```\n\nGood **night**. Sleep well.'
  const spoken = createSpokenText(words)
  const given: [number, string][] = []
  for (let at = 1; at <= text.length; at += 1)
    for (const sentence of spoken.take(text.slice(0, at), false)) given.push([at, sentence])
  for (const sentence of spoken.take(text, true)) given.push([text.length + 1, sentence])
  expect(given.map(([, sentence]) => sentence)).toEqual(whole(text))
  // The first one is said while the second is being written.
  expect(given[0]?.[0]).toBeLessThan('The ferry leaves at nine. It comes'.length)
  expect(given.at(-1)?.[0]).toBe(text.length + 1)
})

test('an answer without words says nothing', () => {
  expect(whole('')).toEqual([])
  expect(whole('<br>\n\n---\n\n$$x$$')).toEqual([])
})
