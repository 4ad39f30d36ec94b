import { expect, test } from 'vitest'
import { markdownToHtml } from './markdown-html.ts'

const html = (text: string): string => markdownToHtml([text])[0]?.trim() ?? ''

test.each([
  ['**Bold** and `a<b`', '<p dir="auto"><strong>Bold</strong> and <code>a&#60;b</code></p>'],
  ['# One', '<h3 dir="auto">One</h3>'],
  [
    '3. three\n4. four',
    '<ol start="3"><li dir="auto"><p dir="auto">three</p>\n</li>\n<li dir="auto"><p dir="auto">four</p>\n</li>\n</ol>',
  ],
  ['[x][y]\n\n[y]: https://a.test', '<p dir="auto"><a href="https://a.test" rel="noreferrer">x</a></p>'],
  ['| a |\n|---|\n| b |', '<table><tr><th dir="auto">a</th></tr>\n<tr><td dir="auto">b</td></tr></table>'],
])('%j becomes %j', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](https://track.test/p.gif)',
  '```html\n</code></pre><script>alert(1)</script>\n```',
  '[x](https://a.test/"onmouseover="alert(1))',
])('nothing of %j runs or loads', (text) => {
  const made = html(text)
  expect(made).not.toMatch(/<(?:script|img|iframe)|href="(?!https?:|mailto:)|"\s*on\w+=/i)
})

const formulasOf = (text: string): (string | undefined)[] =>
  [...html(text).matchAll(/<math[^>]*>[^]*?<annotation[^>]*>([^]*?)<\/annotation>/g)].map(([, tex]) => tex)

test.each([
  ['Here $a_1 * b_2 * c$ and \\(x\\)', ['a_1 * b_2 * c', 'x']],
  ['$$\na\n\n+ b\n$$', ['a\n\n+ b']],
  ['\\[ \\frac{1}{2} \\]', ['\\frac{1}{2}']],
  ['> $$\n> a\n> $$', ['a']],
  ['- **$x$** in $y$', ['x', 'y']],
  ['| $a$ | b |\n|---|---|\n| c | $d$ |', ['a', 'd']],
])('the formulas of %j are drawn as MathML', (text, tex) => {
  expect(formulasOf(text).map((one) => one?.replace(/&amp;/g, '&').trim())).toEqual(tex)
})

test.each([
  ['It costs $5 or $6.', '<p dir="auto">It costs $5 or $6.</p>'],
  ['`$a$` and \\$b$', '<p dir="auto"><code>$a$</code> and $b$</p>'],
  ['```\n$$\na\n$$\n```', '<pre><code>$$\na\n$$</code></pre>'],
  ['[x](https://a.test/$a$b)', '<p dir="auto"><a href="https://a.test/$a$b" rel="noreferrer">x</a></p>'],
  ['| $a | b$ |\n|---|---|', '<table><tr><th dir="auto">$a</th><th dir="auto">b$</th></tr></table>'],
  ['a $b\n\nc$ d', '<p dir="auto">a $b</p>\n<p dir="auto">c$ d</p>'],
  ['\uFDD00\uFDD1 $a$', '<p dir="auto">\uFDD00\uFDD1 $a$</p>'],
])('%j holds none', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test.each([
  ['$\\frac{1}$', '<p dir="auto"><code dir="ltr">$\\frac{1}$</code></p>'],
  ['$\\def\\a{\\a\\a}\\a$', '<p dir="auto"><code dir="ltr">$\\def\\a{\\a\\a}\\a$</code></p>'],
])('%j cannot be drawn and stays as it is written', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test.each([
  '$\\href{javascript:alert(1)}{x}$',
  '$\\href{https://track.test}{x}$',
  '$\\url{https://track.test}$',
  '$\\includegraphics{https://track.test/p.gif}$',
  '$\\htmlStyle{background: url(https://track.test)}{x}$',
  '$\\htmlData{onclick=alert(1)}{x}$',
  '$\\text{</annotation><script>alert(1)</script>}$',
  `$${'{'.repeat(2400)}${'}'.repeat(2400)}$`,
])('the formula %j brings in no link, picture, style or script', (text) => {
  const made = html(text)
  expect(made).not.toMatch(/<(?:script|img|image|iframe|a)\b|\bhref=|\bsrc=|style="[^"]*url|\bon\w+="/i)
})

test('a text that is too long to be parsed stays as it is typed', () => {
  expect(html(`${'a '.repeat(101_000)}<b>`)).toMatch(/^<pre dir="auto">a a .*&#60;b&#62;<\/pre>$/)
})

test('formulas after those that took too long stay as they are written, and the rest of their text is formatted', () => {
  const endless = `$\\def1{${'2'.repeat(150)}}${'1'.repeat(20)}$`
  expect(html(endless)).toContain('<math')
  // A macro whose name is no letter multiplies what is written as well.
  expect(html(`$\\def1{${'2'.repeat(2400)}}${'1'.repeat(400)}$`)).toContain('<code dir="ltr">$\\def1{')
  const time = { leftMs: 1 }
  const [first, , last] = markdownToHtml(['$y$', `$${'x^2 + '.repeat(500)}1$`, '$x$ **bold**'], time)
  expect(first).toContain('<math')
  expect(last).toContain('<code dir="ltr">$x$</code> <strong>bold</strong>')
})
