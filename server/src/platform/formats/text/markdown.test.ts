import { describe, expect, test } from 'vitest'
import { readMarkdown } from './markdown.ts'

const read = (text: string) => readMarkdown(new TextEncoder().encode(text))
const labels = (text: string): string[] => read(text).segments.map((segment) => segment.label)

describe('Markdown', () => {
  test('keeps its text, and each section reaches from its heading to the next', () => {
    const text = 'Before.\n\n# Guide\n\nOne.\n\n## Install it\n\nTwo.\n'
    const { segments, title, text: kept } = read(text)
    expect(kept).toBe(text)
    expect(title).toBe('Guide')
    expect(segments.map(({ label, start, end }) => [label, text.slice(start, end)])).toEqual([
      ['Guide', '# Guide\n\nOne.\n\n'],
      ['Guide › Install it', '## Install it\n\nTwo.\n'],
    ])
  })

  test.each<[string, string, string[]]>([
    [
      'closing marks, emphasis, code and links are no words',
      '## The *big* `x` [one](http://a.b) ##',
      ['The big x one'],
    ],
    ['levels may be left out', '# A\n### B\n## C\n# D', ['A', 'A › B', 'A › C', 'D']],
    ['underlines make headings', 'First\n===\n\nSecond\nline\n---\n', ['First', 'First › Second line']],
    ['a rule is none', 'text\n\n---\n\n- item\n---\n', []],
    ['a table is none', 'a | b\n--- | ---\n1 | 2\n', []],
    ['in a fence there are none', '```md\n# no\n```\n\n~~~~\n# no\n~~~\n# no\n~~~~\n# yes', ['yes']],
    ['a fence that never closes goes on to the end', '# yes\n```\n# no', ['yes']],
    [
      'in comments and HTML there are none',
      '<!--\n# no\n\n# no\n-->\n# yes\n<pre>\n# no\n\n</pre>\n<div>\n# no\n\n# too',
      ['yes', 'too'],
    ],
    ['a comment on one line ends there', '<!-- note -->\n# yes', ['yes']],
    ['in quotes and indented code there are none', '> # no\n\n    # no\n\n#no\n\n####### no', []],
    ['without words there are none', '#\n\n##   \n\n# yes', ['yes']],
  ])('headings: %s', (_rule, text, expected) => {
    expect(labels(text)).toEqual(expected)
  })

  test('takes its title from the front matter, which holds no heading', () => {
    expect(read('---\ntitle: "The plan"\ndate: 2026\n---\n# Other\n')).toMatchObject({
      title: 'The plan',
      segments: [{ label: 'Other' }],
    })
    expect(read('---\n\nA rule is no front matter\n').title).toBeNull()
  })

  test('of too many headings it keeps the outer ones', () => {
    const { segments } = read('# Chapter\n\n## Part\n\n## Part\n\n'.repeat(4_000))
    expect(segments).toHaveLength(4_000)
    expect(new Set(segments.map((segment) => segment.label))).toEqual(new Set(['Chapter']))
  })
})
