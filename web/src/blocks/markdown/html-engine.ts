/** DOMPurify, loaded when the first raw HTML is complete. */
import purify from 'dompurify'

const tags =
  'p br hr div span h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code kbd samp var sub sup b i u s em strong small mark del ins q cite abbr time table caption thead tbody tfoot tr th td colgroup col details summary figure figcaption ruby rt rp'.split(
    ' ',
  )

/** The HTML without what could act, load, link or restyle; null when anything had to go: then the source is shown. */
export function sanitise(html: string): string | null {
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['colspan', 'rowspan', 'start', 'open', 'dir', 'lang'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  const lost = purify.removed.some(
    (gone) => 'element' in gone && gone.element instanceof Element && !isFrame(gone.element),
  )
  return lost ? null : clean
}

/** The parser's own document parts are not what the text lost. */
const isFrame = (element: Element) => /^(html|head|body)$/i.test(element.tagName)
