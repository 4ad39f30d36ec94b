/** OpenDocument presentations: slides in order, hidden ones too, with tables and notes. */
import { compose } from '../compose.ts'
import type { Reader } from '../reader.ts'
import { childrenOf } from '../xml.ts'
import { linesOf, openOpenDocument } from './odf.ts'

export const readOdp: Reader = (bytes, _about, { budget }) => {
  const { body, title } = openOpenDocument(bytes, budget, 'presentation')
  const pages = childrenOf(body, 'page')
  const out = compose()
  for (const [index, page] of pages.entries()) {
    const number = index + 1
    const notes = childrenOf(page, 'notes').flatMap(linesOf)
    const lines = [...linesOf(page), ...notes].filter((line) => line !== '')
    out.add(lines.join('\n'), { kind: 'slide', label: `Slide ${number}`, number })
  }
  return { extract: out.finish(title), parts: pages.length }
}
