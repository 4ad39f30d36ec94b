/** OpenDocument: what texts, presentations and sheets have in common (ODF 1.3, part 3). */
import { openArchive, type Budget } from '../archive.ts'
import { ReadFault } from '../fault.ts'
import { childOf, childrenOf, findAll, parseXml, textOf, type Element } from '../xml.ts'
import { listStylesOf, type ListStyles } from './odf-numbering.ts'

export interface OpenDocument {
  /** `office:text`, `office:presentation` or `office:spreadsheet`. */
  readonly body: Element
  readonly styles: Element | undefined
  readonly lists: ListStyles
  readonly title: string | null
  /** What stands in the charts, tables and formulas that an element shows as objects. */
  objectLines(element: Element): string[]
}

/** Throws ReadFault. */
export const openOpenDocument = (bytes: Uint8Array, budget: Budget, kind: string): OpenDocument => {
  const archive = openArchive(bytes, budget)
  const xml = (name: string) => {
    const part = archive.read(name)
    return part ? parseXml(part) : undefined
  }
  const objects = new Map<string, readonly string[]>()
  const objectAt = (name: string): Element | undefined => {
    let part: Uint8Array | null | undefined
    try {
      part = archive.read(name)
      return part ? parseXml(part) : undefined
    } catch (error) {
      // What is unpacked counts for the whole file. An object that cannot be parsed is missing alone.
      if (!(error instanceof ReadFault) || (!part && error.failure === 'too_complex')) throw error
      return undefined
    }
  }
  // Parts with a password are named in the manifest, and are no XML.
  const manifest = archive.read('META-INF/manifest.xml')
  if (manifest && Buffer.from(manifest).includes('encryption-data')) throw new ReadFault('encrypted')
  const content = childOf(xml('content.xml'), 'document-content')
  const body = childOf(content, 'body', kind)
  if (!body) throw new ReadFault('damaged')
  const named = childOf(xml('styles.xml'), 'document-styles')
  return {
    body,
    styles: childOf(named, 'master-styles'),
    lists: listStylesOf(childOf(named, 'styles'), childOf(content, 'automatic-styles')),
    title: textOf(childOf(xml('meta.xml'), 'document-meta', 'meta', 'title')) || null,
    objectLines: (element) =>
      findAll(element, 'object').flatMap(({ attributes }) => {
        const name = `${(attributes['href'] ?? '').replace(/^\.\//, '')}/content.xml`
        const lines = objects.get(name) ?? linesOfObject(objectAt(name))
        objects.set(name, lines)
        return lines
      }),
  }
}

/** A formula is said as it was typed, where that is kept. */
const linesOfObject = (part: Element | undefined): string[] => {
  const formula = childOf(part, 'math')
  const lines = formula
    ? [textOf(findAll(formula, 'annotation')[0] ?? formula).trim()]
    : linesOf(childOf(part, 'document-content', 'body'))
  return lines.filter((line) => line !== '')
}

/** A paragraph or heading in one line, notes behind it in brackets. */
export const lineOf = (element: Element): string =>
  element.children
    .map((child) => {
      if (child.name === '#text') return child.text.replace(/\s+/g, ' ')
      if (child.name === 's') return ' '.repeat(Math.min(100, Number(child.attributes['c'] ?? 1)))
      if (child.name === 'tab') return '\t'
      if (child.name === 'line-break') return '\n'
      if (child.name === 'note') return ` [${linesOf(childOf(child, 'note-body')).join(' ')}]`
      if (child.name === 'annotation' || child.name === 'tracked-changes') return ''
      if (child.name === 'frame' || child.name === 'custom-shape') return ` ${linesOf(child).join(' ')} `
      return lineOf(child)
    })
    .join('')

/** Paragraphs, list items and rows of tables below, a line each. */
export const linesOf = (element: Element | undefined): string[] =>
  element?.children.flatMap((child): string[] => {
    if (child.name === 'p' || child.name === 'h') return [lineOf(child).trim()]
    if (child.name === 'table-row')
      return [
        child.children
          .map((cell) => linesOf(cell).join(' '))
          .join('\t')
          .trim(),
      ]
    if (child.name === 'tracked-changes' || child.name === 'annotation' || child.name === 'notes') return []
    return linesOf(child)
  }) ?? []

/** Headers or footers of all kinds of pages, each line once; a line that only numbers or names the page says nothing. */
export const marginsOf = (styles: Element | undefined, kind: 'header' | 'footer'): string => {
  const pages = styles?.children.filter(({ name }) => name === 'master-page') ?? []
  const lines = pages.flatMap((page) =>
    page.children
      .filter(({ name }) => name === kind || name === `${kind}-left` || name === `${kind}-first`)
      .flatMap((margin) => linesOf(withoutFields(margin))),
  )
  return [...new Set(lines)].join('\n')
}

/** LibreOffice writes `???` and `Page 1` into the margins of every sheet. */
const withoutFields = (element: Element): Element => ({
  ...element,
  children: element.children
    .filter((child) => !(child.name === 'p' && child.children.some(({ name }) => fields.has(name))))
    .map(withoutFields),
})
const fields = new Set(['sheet-name', 'page-number', 'page-count', 'date', 'time'])

/** Remarks of readers below, a line each, with their authors. */
export const remarkLines = (element: Element): string[] =>
  findAll(element, 'annotation').map((remark) => {
    const author = textOf(childOf(remark, 'creator'))
    return `${author === '' ? '' : `${author}: `}${childrenOf(remark, 'p').map(lineOf).join(' ').trim()}`
  })
