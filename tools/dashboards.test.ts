/** The files for Grafana and Prometheus ask for what `/metrics` tells. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readExpression, readLabels } from './promql.mjs'
import { listMetrics, metricPrefix } from '../server/src/app/metrics.ts'
import { otherValue } from '../server/src/platform/metrics/definition.ts'

const definitions = listMetrics()
const told = new Set(
  Object.entries(definitions).flatMap(([name, { kind }]) =>
    (kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((ending) => `${metricPrefix}${name}${ending}`),
  ),
)
/** What Prometheus adds, and what a histogram has of its own. */
const everywhere = ['job', 'instance']
const labelsOf = (metric: string): Readonly<Record<string, readonly string[]>> => {
  const bare = metric.slice(metricPrefix.length)
  const definition = definitions[bare] ?? definitions[bare.replace(/_(bucket|sum|count)$/, '')]
  const own = Object.entries(definition?.labels ?? {}).map(([label, { values }]) => [label, [...values, otherValue]])
  return Object.fromEntries(metric.endsWith('_bucket') ? [...own, ['le', []]] : own) as Record<string, string[]>
}
const read = (path: string) => readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8')

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { query: string } }[]
  }
}
const dashboard = JSON.parse(read('grafana/atrium.json')) as Dashboard
const rules = read('prometheus/alerts.yml')
const alerts = [...rules.matchAll(/^ +- alert: (\w+)\n +expr: (.+)$/gm)].map(
  ([, name = '', expr = '']) => [name, expr] as const,
)
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))

const summaries = new Map(
  [...rules.matchAll(/- alert: (\w+)\n[^]*?summary: '(.*)'/g)].map(([, name = '', summary = '']) => [name, summary]),
)

describe.each([...alerts, ...panels])('%s', (name, expression) => {
  test('is PromQL, and asks for metrics that are told', () => {
    const names = readExpression(expression.replaceAll('$__rate_interval', '5m'))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) if (name !== 'up') expect(told).toContain(name)
  })

  test('matches and groups by labels that these metrics have, with values that they take', () => {
    const text = expression.replaceAll('$__rate_interval', '5m')
    const { matches, groups } = readLabels(text)
    for (const { metric, label, values } of matches.filter((each) => !everywhere.includes(each.label))) {
      expect(Object.keys(labelsOf(metric)), metric).toContain(label)
      for (const value of values) expect(labelsOf(metric)[label], `${metric} ${label}`).toContain(value)
    }
    const known = readExpression(text).flatMap((metric) => Object.keys(labelsOf(metric)))
    for (const label of groups) expect([...everywhere, ...known], text).toContain(label)
    const summary = summaries.get(name) ?? ''
    for (const [, label = ''] of summary.matchAll(/\$labels\.(\w+)/g))
      expect([...groups, ...(groups.length > 0 ? [] : everywhere)], summary).toContain(label)
  })
})

test('every rule has an expression that was looked at, and no two have the same name', () => {
  expect(alerts).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
  expect(new Set(alerts.map(([name]) => name)).size).toBe(alerts.length)
  expect(panels.length).toBeGreaterThan(20)
  expect(summaries.size).toBe(alerts.length)
})

test('the data source and the instance are chosen by variables, and no data source is named', () => {
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance'])
  for (const [title, expression] of panels) expect(expression, title).toContain('{job=~"$job",instance=~"$instance"')
  for (const [, uid] of JSON.stringify(dashboard).matchAll(/"uid":"([^"]+)"/g))
    expect(['atrium', '${datasource}']).toContain(uid)
})

test('every kind of thing that is told has a place on the dashboard', () => {
  const shown = panels.map(([, expression]) => expression).join(' ')
  const kinds = ['http', 'answer', 'model', 'database', 'event_log', 'jobs', 'search', 'documents', 'mail', 'backup']
  for (const kind of kinds) expect(shown).toContain(`${metricPrefix}${kind}`)
})

test('what is no PromQL is told', () => {
  expect(() => readExpression('sum by (rate(atrium_answers_total[5m])')).toThrow('No PromQL')
  expect(readExpression('sum(rate(atrium_answers_total{end="done"}[5m])) / on (job) up')).toEqual([
    'atrium_answers_total',
    'up',
  ])
})
