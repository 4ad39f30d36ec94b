/** Circles of imports, types included. Three files that know each other are one thing; more are a knot. */
import { resolveImport } from './sources.mjs'

export const rule = 'Take what several of them need into a file of its own.'

const most = 3

export function find(sources) {
  const shipped = sources.filter(({ ships }) => ships)
  const known = new Set(shipped.map(({ path }) => path))
  const imports = new Map(
    shipped.map(({ path, imports: listed }) => [
      path,
      [...new Set(listed.map(({ specifier }) => resolveImport(path, specifier, known)))].filter(
        (to) => to !== null && to !== path,
      ),
    ]),
  )
  return knotsOf(imports)
    .filter((files) => files.length > most)
    .map((files) => `${files.length} files import each other in a circle: ${files.toSorted().join(', ')}`)
}

/** The strongly connected components of a graph (Tarjan), without those of one. */
function knotsOf(edges) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (from) => {
    index.set(from, index.size)
    low.set(from, index.get(from))
    stack.push(from)
    for (const to of edges.get(from)) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(from, Math.min(low.get(from), low.get(to)))
    }
    if (low.get(from) !== index.get(from)) return
    const knot = stack.splice(stack.indexOf(from))
    if (knot.length > 1) found.push(knot)
  }
  for (const from of edges.keys()) if (!index.has(from)) visit(from)
  return found
}
