/** Reads PromQL with the grammar of Prometheus' own editor. */
import { parser } from '@prometheus-io/lezer-promql'

/**
 * The metrics that an expression names. Throws an Error that says where it is no
 * PromQL. Grafana's variables of time and the like must have been replaced before.
 */
export function readExpression(text) {
  const names = new Set()
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`No PromQL at ${from}: ${text}`)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.add(text.slice(from, to))
    },
  })
  return [...names]
}
