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

/**
 * The labels that an expression stands on: those that its selectors match, each with the metric and the values that stand
 * for themselves (none of a pattern that is more than a list), and those that it groups by.
 */
export function readLabels(text) {
  const matches = []
  const groups = new Set()
  let metric = ''
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      const written = text.slice(from, to)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') metric = written
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') groups.add(written)
      if (type.name !== 'UnquotedLabelMatcher') return
      const [, label, value] = /^(\w+)[=!~]+"(.*)"$/.exec(written) ?? []
      matches.push({ metric, label, values: /^[\w.|]+$/.test(value) ? value.split('|') : [] })
    },
  })
  return { matches, groups: [...groups] }
}
