/** How much a page asks of a parser that builds a tree; told in one pass, without building one. */
import { Parser } from 'htmlparser2'

export const nestingOf = (html: string): { readonly elements: number; readonly depth: number } => {
  let elements = 0
  let open = 0
  let depth = 0
  const parser = new Parser({
    onopentag() {
      elements++
      depth = Math.max(depth, ++open)
    },
    onclosetag() {
      open--
    },
  })
  parser.end(html)
  return { elements, depth }
}
