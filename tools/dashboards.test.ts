/** The files for Grafana and Prometheus ask for what `/metrics` tells. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readExpression } from './promql.mjs'
import { listMetrics, metricPrefix } from '../server/src/app/metrics.ts'

const told = new Set(
  Object.entries(listMetrics()).flatMap(([name, { kind }]) =>
    (kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((ending) => `${metricPrefix}${name}${ending}`),
  ),
)
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

describe.each([...alerts, ...panels])('%s', (_name, expression) => {
  test('is PromQL, and asks for metrics that are told', () => {
    const names = readExpression(expression.replaceAll('$__rate_interval', '5m'))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) if (name !== 'up') expect(told).toContain(name)
  })
})

test('every rule has an expression that was looked at, and no two have the same name', () => {
  expect(alerts).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
  expect(new Set(alerts.map(([name]) => name)).size).toBe(alerts.length)
  expect(panels.length).toBeGreaterThan(20)
})

test('the data source and the instance are chosen by variables, and no data source is named', () => {
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance'])
  for (const [title, expression] of panels) expect(expression, title).toContain('{job=~"$job",instance=~"$instance"')
  for (const [, uid] of JSON.stringify(dashboard).matchAll(/"uid":"([^"]+)"/g))
    expect(['atrium', '${datasource}']).toContain(uid)
})

test('what is no PromQL is told', () => {
  expect(() => readExpression('sum by (rate(atrium_answers_total[5m])')).toThrow('No PromQL')
  expect(readExpression('sum(rate(atrium_answers_total{end="done"}[5m])) / on (job) up')).toEqual([
    'atrium_answers_total',
    'up',
  ])
})
