/** SQL of an area stands in its store, where rows become shapes, or with its tables. */
import { placeOf, walk } from './sources.mjs'

export const rule =
  'Move the statement into the store of its area: store.ts, *-store.ts or stores/, or into a *-query.ts.'

const areas = /^server\/src\/(core|features)\//
const stores = /\/(store|[\w-]+-(store|query)|tables)\.ts$|\/stores?\//
const statements = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'])

export function find(sources) {
  return sources.flatMap((source) => {
    if (!source.ships || !areas.test(source.path) || stores.test(source.path)) return []
    const found = []
    walk(source.program, (node) => {
      const isStatement = node.type === 'CallExpression' && statements.has(node.callee.property?.name)
      const isSql =
        node.type === 'TaggedTemplateExpression' && /^sql\b/.test(source.text.slice(node.start, node.start + 4))
      if (isStatement || isSql) found.push(`${placeOf(source, node.callee?.property?.start ?? node.start)} holds SQL`)
    })
    return found
  })
}
