/** OpenDocument presentations: slides in order, hidden ones too, with tables, notes and remarks. */
import { compose } from '../compose.ts'
import type { Reader } from '../reader.ts'
import { childrenOf, type Element } from '../xml.ts'
import { linesOf, openOpenDocument, remarkLines } from './odf.ts'

export const readOdp: Reader = (bytes, _about, { budget }) => {
  const { body, styles, title } = openOpenDocument(bytes, budget, 'presentation')
  const pages = childrenOf(body, 'page')
  const masters = new Map(childrenOf(styles, 'master-page').map((master) => [master.attributes['name'], master]))
  const out = compose()
  for (const [index, page] of pages.entries()) {
    const number = index + 1
    const notes = childrenOf(page, 'notes').flatMap(linesOf)
    const name = page.attributes['master-page-name']
    const master = masters.get(name)
    // What every slide shows is said once, with the first of them.
    masters.delete(name)
    const lines = [...linesOf(page), ...(master ? masterLines(master) : []), ...notes, ...remarkLines(page)]
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
