/** An object literal spread into another one: it hides duplicate keys from the compiler, and is one object too many. */
import { placeOf, walk } from './sources.mjs'

export const rule = 'Write the members one by one, without `...{ … }`.'

export function find(sources) {
  return sources.flatMap((source) => {
    const found = []
    walk(source.program, ({ type, properties }) => {
      if (type !== 'ObjectExpression') return
      for (const each of properties)
        if (each.type === 'SpreadElement' && each.argument.type === 'ObjectExpression')
          found.push(`${placeOf(source, each.start)} spreads an object literal`)
    })
    return found
  })
}
