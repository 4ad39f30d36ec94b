/** OpenDocument presentations: slides in order, hidden ones too, with tables, notes and remarks. */
import { compose } from '../compose.ts'
import type { Reader } from '../reader.ts'
import { childrenOf, textOf, type Element } from '../xml.ts'
import { linesOf, openOpenDocument, remarkLines } from './odf.ts'

export const readOdp: Reader = (bytes, _about, { budget }) => {
  const { body, styles, title, objectLines } = openOpenDocument(bytes, budget, 'presentation')
  const pages = childrenOf(body, 'page')
  const masters = new Map(childrenOf(styles, 'master-page').map((master) => [master.attributes['name'], master]))
  const margins = marginsOf(body)
  const out = compose()
  for (const [index, page] of pages.entries()) {
    const number = index + 1
    const notes = childrenOf(page, 'notes').flatMap(linesOf)
    const name = page.attributes['master-page-name']
    const master = masters.get(name)
    // What every slide shows is said once, with the first of them.
    masters.delete(name)
    const lines = [
      ...linesOf(page),
      ...objectLines(page),
      ...(master ? masterLines(master) : []),
      ...margins(page),
      ...notes,
      ...remarkLines(page),
    ]
    out.add(lines.filter((line) => line !== '').join('\n'), { kind: 'slide', label: `Slide ${number}`, number })
  }
  return { extract: out.finish(title), parts: pages.length }
}

/** Frames for titles, outlines, dates and numbers only hold hints. */
const masterLines = (master: Element): string[] =>
  linesOf({
    ...master,
    children: master.children.filter(({ attributes }) => [undefined, 'header', 'footer'].includes(attributes['class'])),
  })

/** The headers and footers that slides take from a list of such, each with the first slide that shows it. */
const marginsOf = (body: Element): ((page: Element) => string[]) => {
  const named = new Map(
    body.children
      .filter(({ name }) => name === 'header-decl' || name === 'footer-decl')
      .map((margin) => [margin.attributes['name'] ?? '', textOf(margin).trim()]),
  )
  return ({ attributes }) =>
    [attributes['use-header-name'], attributes['use-footer-name']].flatMap((name) => {
      const text = named.get(name ?? '')
      named.delete(name ?? '')
      return text ? [text] : []
    })
}
