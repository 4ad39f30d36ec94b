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

test('a text that is too long to be parsed stays as it is typed', () => {
  expect(html(`${'a '.repeat(101_000)}<b>`)).toMatch(/^<pre dir="auto">a a .*&#60;b&#62;<\/pre>$/)
})
