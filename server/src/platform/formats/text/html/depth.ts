/** A look at HTML before it is parsed: what is nested without end costs a parser the square of its length. */
import { ReadFault } from '../../fault.ts'

/**
 * Throws ReadFault `too_complex` for more than 512 elements in one another (where browsers stop too), or formatting
 * left open so often that a parser would open it again millions of times. Linear; an estimate that counts high.
 */
export const checkDepth = (html: string): void => {
  let depth = 0
  let formatting = 0
  let reopened = 0
  tag.lastIndex = 0
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const name = match[2]?.toLowerCase() ?? ''
    if (name === '') {
      tag.lastIndex = after(html, '-->', tag.lastIndex)
    } else if (match[1] === '/') {
      if (formats.has(name)) formatting = Math.max(0, formatting - 1)
      else if (!loose.has(name)) depth = Math.max(0, depth - 1)
    } else if (raw.has(name)) {
      tag.lastIndex = after(html, `</${name}`, tag.lastIndex)
    } else {
      if (formats.has(name)) formatting++
      else if (!loose.has(name)) depth++
      reopened += formatting
      if (depth > maxDepth || formatting > maxDepth || reopened > maxReopened) throw new ReadFault('too_complex')
    }
  }
}

const maxDepth = 512
const maxReopened = 20_000_000
const tag = /<(?:!--|(\/?)([a-z][^\s/>]{0,40}))/gi

const after = (html: string, end: string, from: number): number => {
  const found = html.indexOf(end, from)
  return found < 0 ? html.length : found + end.length
}

const words = (text: string): Set<string> => new Set(text.split(/\s+/))
const raw = words('script style textarea title xmp noscript iframe noembed noframes')
const formats = words('a b big code em font i nobr s small strike strong tt u')
/** Without content, or closed by what comes next. */
const loose = words(
  `area base basefont bgsound body br caption col colgroup dd dt embed frame head hr html image img input keygen li link
   meta option optgroup p param rb rp rt rtc source tbody td tfoot th thead tr track wbr`,
)
