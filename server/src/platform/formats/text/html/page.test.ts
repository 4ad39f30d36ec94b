import { describe, expect, test } from 'vitest'
import { readHtml } from './html.ts'
import { pageExtract } from './page.ts'

const textOf = (html: string): string => pageExtract(html).text

describe('a page', () => {
  test('is read as people see it: blocks apart, white space together, links as their words', () => {
    expect(textOf('<p>One  <b>two</b>\n three</p><p>four<br>five <a href="http://x.y">six</a></p>')).toBe(
      'One two three\n\nfour\nfive six',
    )
    expect(textOf('a &amp; b &lt;c&gt; &eacute; &#x1F600;')).toBe('a & b <c> é 😀')
    expect(textOf('<pre>a\n  b</pre>c')).toBe('a\n  b\n\nc')
    expect(textOf('<p>A <img src=x alt="red car"> here</p>')).toBe('A red car here')
  })

  test('has lists as items and tables as lines', () => {
    expect(textOf('<ul><li>one<li><p>two</p><ul><li>three</ul></ul>')).toBe('- one\n\n- two\n\n- three')
    expect(textOf('<table><tr><th>A<th>B<tr><td>1<td><p>2</p><p>3</p><tr><td><td>4</table>')).toBe(
      'A | B\n1 | 2 3\n | 4',
    )
  })

  test('numbers the items of ordered lists as they are shown', () => {
    const inner = '<ol start="7"><li>seven<li value="9">nine<li>ten</ol>'
    expect(pageExtract(`<ol><li>one${inner}<li>two</ol><ul><li>dot</ul><ol type="a"><li>letter</ol>`).text).toBe(
      '1. one\n\n7. seven\n9. nine\n10. ten\n\n2. two\n\n- dot\n\n- letter',
    )
  })

  test('has the words of a frame that it holds, and not of one inside of that, nor of one that is hidden', () => {
    const page = `<p>a</p><iframe srcdoc="<p>b</p><iframe srcdoc='c'></iframe>">no</iframe><p>d</p><div hidden><iframe srcdoc="e"></iframe></div>`
    expect(pageExtract(page).text).toBe('a\n\nb\n\nd')
  })

  test('of a file begins with its title, unless the text says it', () => {
    const file = (body: string) => readHtml(new TextEncoder().encode(`<title>Rates of 2026</title>${body}`))
    const { text, segments } = file('<h2>Rent</h2><p>450</p>')
    expect(text).toBe('Rates of 2026\n\nRent\n\n450')
    expect(segments.map(({ start, end }) => text.slice(start, end))).toEqual(['Rent\n\n450'])
    expect(file('<h1>Rates of\n2026</h1>').text).toBe('Rates of 2026')
  })

  test('is not one line when a table only holds its layout', () => {
    expect(textOf('<table><tr><td><h1>Top</h1><p>x</p></td><td><table><tr><td>1<td>2</table></td></table>')).toBe(
      'Top\n\nx\n\n1 | 2',
    )
  })

  test('has its headings as sections and its title from the head', () => {
    const page = pageExtract(
      '<title> My\npage </title><p>Intro</p><h1>One <i>two</i></h1><p>a</p><h2>In</h2>b<h1></h1>',
    )
    expect(page.title).toBe('My page')
    expect(page.segments.map(({ label, start, end }) => [label, page.text.slice(start, end)])).toEqual([
      ['One two', 'One two\n\na\n\n'],
      ['One two › In', 'In\n\nb'],
    ])
    expect(pageExtract('<h1>Only a heading</h1>').title).toBe('Only a heading')
  })

  test.each([
    '<script>no</script>',
    '<style>no</style>',
    '<template>no</template>',
    '<noscript>no</noscript>',
    '<textarea>no</textarea>',
    '<svg><title>no</title></svg>',
    '<!-- no -->',
    '<p hidden>no</p>',
    '<p hidden=until-found>no</p>',
    '<p aria-hidden="TRUE">no</p>',
    '<p style="DISPLAY : None !important">no</p>',
    '<p style="visibility:hidden">no</p>',
    '<p style="opacity:0.0">no</p>',
    '<p style="font-size:0">no</p>',
    '<p style="font-size: 1px">no</p>',
    '<p style="font:0/0 a">no</p>',
    '<p style="color:transparent">no</p>',
    '<p style="position:absolute;left:-9999px">no</p>',
    '<p style="text-indent:-100em">no</p>',
    '<p style="width:0;height:0;overflow:hidden">no</p>',
    '<p style="clip:rect(0, 0, 0, 0)">no</p>',
    '<p style="clip-path:inset(50%)">no</p>',
    '<p style="transform:scale(0)">no</p>',
    '<dialog>no</dialog>',
    '<div style="display:none"><p style="display:block">no</p><div>no</div></div>',
  ])('does not say what it does not show: %s', (html) => {
    expect(textOf(`<p>before</p>${html}<p>after</p>`)).toBe('before\n\nafter')
  })

  test.each([
    '<p style="opacity:0.5">yes</p>',
    '<p style="font-size:10px">yes</p>',
    '<p style="width:0">yes</p>',
    '<p style="margin-left:-10px">yes</p>',
    '<dialog open>yes</dialog>',
    '<details><p>yes</p></details>',
  ])('says what it shows: %s', (html) => {
    expect(textOf(html)).toBe('yes')
  })

  test('that hides itself until its script runs is read', () => {
    expect(textOf('<html style="visibility:hidden"><body style="opacity:0">yes')).toBe('yes')
  })

  test('with nothing to see is refused', () => {
    expect(() => textOf('<script>x</script><p> </p>')).toThrow(expect.objectContaining({ failure: 'no_text' }))
  })

  test('is decoded as it says', () => {
    const said = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xcf\xf0'
    for (const before of ['', `<script>${'x'.repeat(5_000)}</script>`])
      expect(readHtml(Buffer.from(before + said, 'latin1')).text).toBe('Пр')
  })

  test('is decoded as it is where it says that it is UTF-8 and is not', () => {
    const words = Buffer.from(
      'e3d1cdc8c720c8df20f5ed20e6cbedcdc920dacdc8edc920dad420cae6c7e4 20c7e1dad1c8edc9'.replaceAll(' ', ''),
      'hex',
    )
    const arabic = Buffer.concat([words, Buffer.from(' '), words, Buffer.from(' '), words])
    const html = Buffer.concat([Buffer.from('<meta charset="utf-8"><title>x</title><p>'), arabic])
    expect(readHtml(html).text).toContain('مرحبا')
  })
})
