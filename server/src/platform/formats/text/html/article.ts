/** The article of a web page, without what stands around it. */
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Segment } from '../../types.ts'
import { cleanText, oneLine } from '../clean.ts'
import { isUnseen } from './hidden.ts'
import { nestingOf } from './nesting.ts'
import { pageExtract } from './page.ts'

export interface Article {
  readonly title: string | null
  readonly text: string
  readonly segments: readonly Segment[]
}

/** The article where one can be told from the rest, else the whole page. Throws ReadFault `too_complex` or `no_text`. */
export const readArticle = (html: string): Article => {
  const article = articleOf(html)
  if (!article) return pageExtract(html)
  const { text, segments } = pageExtract(article.content)
  return { title: article.title, text, segments }
}

/** Less is a teaser or a note about cookies, not the article. */
const leastArticle = 400
const mostElements = 20_000
/** What looks for the article goes up and down a tree again and again. */
const deepest = 100

const articleOf = (html: string): { title: string | null; content: string } | null => {
  const { elements, depth } = nestingOf(html)
  if (elements > mostElements || depth > deepest) return null
  const { document } = parseHTML(html)
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName
    // Scripts may hold the title as linked data; the reader itself drops them later.
    if (name === 'title' || name === 'meta' || name === 'script') continue
    if (isUnseen(name, (attribute) => element.getAttribute(attribute))) element.remove()
  }
  const found = parsed(document)
  if (!found?.content || (found.textContent ?? '').trim().length < leastArticle) return null
  return { title: oneLine(cleanText(found.title ?? '')) || null, content: found.content }
}

const parsed = (document: ReturnType<typeof parseHTML>['document']): ReturnType<Readability['parse']> => {
  try {
    return new Readability(document, { maxElemsToParse: mostElements }).parse()
  } catch {
    // It trips over markup that no browser would mind; the whole page is read then.
    return null
  }
}
