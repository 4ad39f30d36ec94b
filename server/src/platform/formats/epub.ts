/** EPUB (3.3): the chapters in the order of the spine, each with its headings as sections. */
import { openArchive } from './archive.ts'
import { compose } from './compose.ts'
import { ReadFault } from './fault.ts'
import type { Reader } from './reader.ts'
import { pageExtract } from './text/html/page.ts'
import type { Extract } from './types.ts'
import { childOf, childrenOf, decodeXml, parseXml, textOf } from './xml.ts'

export const readEpub: Reader = (bytes, _about, { budget }) => {
  const archive = openArchive(bytes, budget)
  const part = (name: string) => archive.read(name) ?? missing()
  // Fonts are often scrambled, and say so here, too; a sealed book names its chapters.
  const sealed = archive.read('META-INF/encryption.xml')
  const container = parseXml(part('META-INF/container.xml'))
  const path = childOf(container, 'container', 'rootfiles', 'rootfile')?.attributes['full-path'] ?? ''
  const book = childOf(parseXml(part(path)), 'package')
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const items = new Map(
    childrenOf(childOf(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'], attributes]),
  )
  const locked = sealed ? decodeXml(sealed) : ''

  const out = compose()
  for (const { attributes } of childrenOf(childOf(book, 'spine'), 'itemref')) {
    const href = nameOf(folder, items.get(attributes['idref'])?.['href'] ?? '')
    const chapter = archive.names.includes(href) ? archive.read(href) : null
    if (!chapter) continue
    if (locked.includes(`"${href}"`)) throw new ReadFault('encrypted')
    const extract = chapterExtract(decodeXml(chapter))
    if (!extract) continue
    // A chapter without a heading goes by its title.
    if (extract.segments.length > 0 || extract.title === null) out.append(extract, (segment) => segment)
    else out.add(extract.text, { kind: 'section', label: extract.title, number: null })
  }
  return { extract: out.finish(textOf(childOf(book, 'metadata', 'title')) || null) }
}

const missing = (): never => {
  throw new ReadFault('damaged')
}

const nameOf = (folder: string, href: string): string => {
  const [file = ''] = href.split('#')
  const path: string[] = []
  for (const step of (folder + safeDecode(file)).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  return path.join('/')
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A cover or a plate has no text. */
const chapterExtract = (html: string): Extract | null => {
  try {
    // Written as XML, where an element may end itself; HTML would leave titles and scripts open.
    return pageExtract(html.replace(/<(title|script|style|textarea|iframe)(\s[^<>]*)?\/>/gi, '<$1$2></$1>'))
  } catch (error) {
    if (error instanceof ReadFault && error.failure === 'no_text') return null
    throw error
  }
}
