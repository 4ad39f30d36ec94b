import { expect, test } from 'vitest'
import { citedNumbers, markCited } from './citations.ts'

test.each([
  ['One [1].', [1]],
  ['Two [1, 2] and [4;5].', [1, 2, 4, 5]],
  ['Side by side [1][2].', [1, 2]],
  ['Other brackets 【3】【4†source】［5］.', [3, 4, 5]],
  ['A range [1-3] and [7–8].', [1, 2, 3, 7, 8]],
  ['A bad range [5-2], a wide one [1-900].', []],
  ['In code `a[1]` and ``b `[2]` c`` but [3].', [3]],
  ['A lone ` tick [1].', [1]],
  ['```js\nlist[1]\n```\nafter [2]', [2]],
  ['~~~\n[1]\n```\n[2]\n~~~\n[3]', [3]],
  ['> ```\n> [1]\n> ```\n[2]', [2]],
  ['An unclosed fence\n```\n[1]', []],
  ['Mathematics $x_[1]$ and $$\ny[2]\n$$ and \\(z[3]\\) and \\[ w[4] \\] but [5].', [5]],
  ['It costs $5 [1] or $6 [2].', [1, 2]],
  ['A link [1](https://example.org) is none, [text [2]](https://example.org) neither; [3] (see there) is.', [3]],
  ['An image ![4](/a.png) and a footnote [^5].', []],
  ['An array [1.5] or [a1] or [x].', []],
  ['In **bold [1]** and in a list:\n- one [2]\n- two[3].', [1, 2, 3]],
  ['حقيقة [1]، وأخرى [٢].', [1]],
])('%j cites %j', (text, numbers) => {
  expect([...citedNumbers(text)].sort((a, b) => a - b)).toEqual(numbers)
})

test('sources learn whether they are cited; those without numbers stay as they are', () => {
  const source = { name: 'a', section: null, passage: 'p', score: 1 }
  const numbered = [1, 2].map((number) => ({ ...source, number }))
  expect(markCited(numbered, 'Only [2], and [9].').map(({ cited }) => cited)).toEqual([false, true])
  expect(markCited([source], '[1]')).toEqual([source])
})

test('a long text of hostile signs is read in one go', () => {
  const signs = ['`', '$', '[', '](', '\\(', '【1', '$$', '[1', '``` ', '[1](a "', '> ', '](()']
  for (const sign of signs)
    expect([sign, citedNumbers(sign.repeat(1_000_000 / sign.length)).size < 2]).toEqual([sign, true])
})
