import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import fc from 'fast-check'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'

beforeAll(() => {
  // Links compare themselves with the page they stand on.
  Object.assign(globalThis, { location: { origin: 'https://atrium.example' } })
})
// Blocks of code ask whether they can be run.
const client = new QueryClient()
const drawElement = (element: ReactElement) => renderToString(createElement(QueryClientProvider, { client }, element))
const draw = (text: string, streaming = false) => drawElement(createElement(Markdown, { text, streaming }))

describe('Markdown on screen', () => {
  it('shows raw HTML as text', () => {
    const drawn = draw(
      'Hi <img src=x onerror=alert(1)> <a href="javascript:x">y</a>\n\n<form action="/api/x"><input></form>',
    )
    expect(drawn).not.toMatch(/<(img|form|input|script|iframe)\b/)
    expect(drawn).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  it('keeps harmless marks', () => {
    expect(draw('H<sub>2</sub>O<br>and <kbd>Esc</kbd>')).toMatch(/H<sub>2<\/sub>O<br\/>and <kbd>Esc<\/kbd>/)
    expect(draw('a <sub>b')).toContain('&lt;sub&gt;')
    expect(draw('<sub onclick="x">b</sub>')).not.toContain('<sub')
  })

  it('loads no image of another host by itself', () => {
    const drawn = draw('![A cat](https://evil.example/cat.png?secret=1)')
    expect(drawn).not.toContain('<img')
    expect(drawn).toContain('evil.example')
  })

  it('makes no link of what is no web address', () => {
    for (const href of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example', 'file:///x'])
      expect(draw(`[x](${href})`), href).not.toContain('<a')
    expect(draw('[x](https://a.example)')).toContain('rel="noopener noreferrer"')
  })

  it('keeps code from left to right, and text in its own direction', () => {
    expect(draw('```js\nlet a\n```')).toMatch(/<figure dir="ltr"/)
    expect(draw('مرحبا')).toContain('<p dir="auto"')
  })

  it('puts headings below those of the message', () => {
    expect(draw('## One\n\n### Two')).toMatch(/<h3[^>]*>One.*<h4[^>]*>Two/)
  })

  it('makes marks of sources that exist, in text only, and keeps what is copied', () => {
    const cite = (number: number) => (number >= 1 && number <= 2 ? createElement('b', { key: number }, number) : null)
    const drawn = (text: string, streaming = false) =>
      drawElement(createElement(Markdown, { text, streaming, cite })).replace(/<!-- -->/g, '')
    const plain = (html: string) => html.replace(/<[^>]*>/g, '')
    expect(drawn('Kites fly [1].')).toMatch(/<i>\[<\/i><span><b>1<\/b><\/span><i>\]<\/i>/)
    expect(plain(drawn('- **So** it is [1, 2], 【2】and【1†kites.md】.'))).toBe('So it is [1, 2], [2]and[1].')
    expect(drawn('One [1][2] and a table\n\n| a |\n|-|\n| b [2] |').match(/<b>/g)).toHaveLength(3)
    for (const text of [
      'No [3] and no [1, 3]',
      '`[1]`',
      '```\n[1]\n```',
      '[see [1]](https://a.example)',
      '$x[1]$',
      'array[0]',
    ])
      expect(drawn(text), text).not.toContain('<b>')
    expect(drawn('Half a mark [1', true)).not.toContain('<b>')
    expect(draw('Kites fly [1].')).toContain('[1]')
  })

  it('draws whatever a model may write, whole or cut off', () => {
    const piece = fc.constantFrom(
      '<script>alert(1)</script>',
      '<style>*{}</style>',
      '<div id=x style="y">',
      '</div>',
      '<!--',
      '```',
      '~~~js\n',
      '$$',
      '$x$',
      '\\(',
      '| a | b |\n|-|-|\n',
      '> ',
      '- [ ] ',
      '1. ',
      '![a](',
      ')',
      '[b](javascript:x)',
      '<svg onload=x>',
      '&#0;',
      '&#x110000;',
      '\u0000',
      '\n\n',
      'word ',
      '\u202e',
      '**',
      '<details>\n',
      '</details>\n',
      '<a href="x" id="y">',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, streaming) => {
        const drawn = withoutValues(draw(pieces.join(''), streaming))
        expect(drawn).not.toMatch(/<(script|style|form|iframe|object|embed|base|meta|link)\b/i)
        expect(drawn).not.toMatch(/<[a-z][^>]*\s(onload|onerror|onclick)=/i)
        expect(drawn).not.toMatch(/<[a-z][^>]*\shref="(?!https?:|mailto:)/i)
      }),
      { numRuns: 500 },
    )
  })
})

/** Values of attributes may say anything, but for those that lead somewhere. */
const withoutValues = (html: string): string =>
  html.replace(/<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*>/gi, (tag) =>
    tag.replace(/(\shref)?="[^"]*"/gi, (value, leads?: string) => (leads ? value : '=""')),
  )
