import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitBlocks, type SplitText } from './split.ts'

const long = Array.from(
  { length: 200 },
  (_, i) =>
    `## Part ${i}\n\nSome *words* with \`code\`, $x_${i}$ and a [link](https://a.example/${i}).\n\n- one\n- two\n\n\`\`\`js\nlet a = ${i}\n\`\`\`\n`,
).join('\n')

function stream(text: string, size: number, seen?: (s: SplitText, before: SplitText | null) => void): SplitText {
  let at: SplitText | null = null
  for (let end = size; end < text.length + size; end += size) {
    const next = splitBlocks(text.slice(0, end), at, true)
    seen?.(next, at)
    at = next
  }
  return splitBlocks(text, at, false)
}

const join = (s: SplitText) =>
  s.blocks
    .map((b) => b.raw)
    .join('')
    .trimEnd()

describe('splitting Markdown', () => {
  it('looks at a bounded part of the text for every delta, however long the answer is', () => {
    let most = 0
    stream(long, 12, (s) => {
      most = Math.max(most, s.parsed)
    })
    expect(most).toBeLessThan(300)
  })

  it('keeps the identity of every finished block', () => {
    let changed = 0
    let steps = 0
    stream(long.slice(0, 6000), 7, (s, before) => {
      steps++
      if (before) s.blocks.forEach((b, i) => (before.blocks[i] && before.blocks[i] !== b ? changed++ : 0))
    })
    expect(changed / steps).toBeLessThan(2)
  })

  it('gives the same blocks streamed and at once', () => {
    for (const size of [1, 3, 50]) {
      const whole = splitBlocks(long, null, false)
      expect(stream(long, size).blocks.map((b) => [b.token.type, b.raw.trim()])).toEqual(
        whole.blocks.map((b) => [b.token.type, b.raw.trim()]),
      )
    }
  })

  it('loses no character, whatever the text is', () => {
    const piece = fc.constantFrom(
      '# a\n',
      '\n',
      '\n\n',
      '- x\n',
      '1. y\n',
      '  ',
      '```',
      '```js\n',
      '$$',
      '\\[',
      '\\]',
      '|a|b|\n',
      '|-|-|\n',
      '> q\n',
      '<details>\n',
      '</details>\n',
      '<b',
      '>',
      '[x]: y\n',
      'word ',
      '*',
      '_',
      '\\',
      '&amp;',
      '\t',
      '---\n',
      '\r\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const text = pieces.join('')
        const normal = text.replace(/\r\n?/g, '\n')
        expect(join(splitBlocks(text, null, false))).toBe(normal.trimEnd())
        expect(join(stream(text, size))).toBe(normal.trimEnd())
      }),
      { numRuns: 400 },
    )
  })

  it('keeps an open formula in one block until it closes', () => {
    const open = splitBlocks('Then\n\n$$\na\n\nb', null, true)
    expect(open.blocks.map((b) => b.token.type)).toEqual(['paragraph', 'math-block'])
    const closed = splitBlocks('Then\n\n$$\na\n\nb\n$$\n', open, true)
    expect(closed.blocks[1]?.token).toMatchObject({ type: 'math-block', closed: true, text: 'a\n\nb' })
  })

  it('leaves prices alone', () => {
    const token = splitBlocks('It costs $5 and $6, or $x$.', null, false).blocks[0]?.token
    const types = (token as { tokens: { type: string; raw: string }[] }).tokens.filter((t) => t.type === 'math')
    expect(types.map((t) => t.raw)).toEqual(['$x$'])
  })

  it('resolves a link whose definition comes last', () => {
    const done = stream('See [the page][p].\n\nMore.\n\nAnd more.\n\n[p]: https://a.example/', 4)
    expect(JSON.stringify(done.blocks[0]?.token)).toContain('https://a.example/')
  })
})
