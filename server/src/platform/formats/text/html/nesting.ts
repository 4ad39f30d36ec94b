/** How much a page asks of a parser that builds a tree; told in one pass, without building one. */
import { Parser } from 'htmlparser2'
import { ReadFault } from '../../fault.ts'

/** Far more elements in one another than any page needs. */
export const maxDepth = 2_000

/** Throws ReadFault `too_complex` for more than that. */
export const nestingOf = (html: string): { readonly elements: number; readonly depth: number } => {
  let elements = 0
  let open = 0
  let depth = 0
  const parser = new Parser({
    onopentag() {
      elements++
      depth = Math.max(depth, ++open)
      if (open > maxDepth) throw new ReadFault('too_complex')
    },
    onclosetag() {
      open--
    },
  })
  parser.end(html)
  return { elements, depth }
}
