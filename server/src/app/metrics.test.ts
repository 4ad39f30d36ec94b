import { chatRoutes } from '@atrium/contract/chat'
import { describe, expect, test } from 'vitest'
import { mostSeriesOf, otherValue } from '../platform/metrics/definition.ts'
import { processMetrics } from '../platform/metrics/process.ts'
import { startTestApp } from '../testing/app.ts'
import { listMetrics, metricPrefix, mostSeries } from './metrics.ts'

const definitions = listMetrics()
const names = Object.keys(definitions)
const token = 'a-token-for-metrics'

const unitsOf: Readonly<Record<string, RegExp>> = { seconds: /_seconds(_total)?$/, bytes: /_bytes(_total)?$/ }

test.each(Object.entries(definitions))('%s says by its name what it is', (name, { kind, unit, help, buckets }) => {
  expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
  expect(name.endsWith('_total')).toBe(kind === 'counter')
  for (const [other, ending] of Object.entries(unitsOf)) expect(ending.test(name), other).toBe(unit === other)
  expect(help).not.toMatch(/\.$/)
  expect(buckets.length > 0).toBe(kind === 'histogram')
})

test('all series together stay below what the documentation says, whatever is asked for', () => {
  const most = names.reduce((sum, name) => sum + mostSeriesOf(definitions[name] as never), 0)
  expect(most).toBeLessThanOrEqual(mostSeries)
})

describe.each(['sqlite', 'postgres'] as const)('a scrape (%s)', (dialect) => {
  test('tells what the list has and nothing else, with labels of the list, also under hostile requests', async () => {
    const app = await startTestApp({ dialect, env: { METRICS_TOKEN: token } })
    try {
      const user = await app.signUpAdmin()
      await user.call(chatRoutes.create, { body: { title: 'A secret title' } })
      const guest = app.client()
      const hostile = Array.from({ length: 300 }, (_, i) => i)
      for (const i of hostile) await guest.raw(`/api/chat/sessions/planted-${i}/%22%7D%0Aplanted_total%201`)
      for (const i of hostile.slice(0, 30))
        await guest.raw(`/v1/planted-${i}`, { method: 'POST', body: '{"model":"planted"}' })
      for (const method of ['PROPFIND', 'LOCK', 'REPORT']) await guest.raw('/planted', { method })
      const scrape = await app.client(token).raw('/metrics')
      const { types, series } = parse(await scrape.text())
      expect(types).toEqual(
        Object.fromEntries(names.map((name) => [`${metricPrefix}${name}`, definitions[name]?.kind])),
      )
      expect(series.length).toBeLessThan(1000)
      for (const { name, labels } of series) {
        const definition = definitions[baseName(name)]
        expect(definition, name).toBeDefined()
        for (const [label, value] of Object.entries(labels)) {
          if (label === 'le') continue
          expect([...(definition?.labels[label]?.values ?? []), otherValue], `${name} ${label}`).toContain(value)
        }
      }
      const told = new Set(series.map(({ name }) => baseName(name)))
      const always = Object.keys(processMetrics).filter((name) => name !== 'nodejs_gc_duration_seconds')
      const own = ['build_info', 'database_bytes', 'open_streams', 'running_generations', 'mail_waiting_letters']
      const counted = ['http_requests_total', 'database_statement_duration_seconds', 'database_write_duration_seconds']
      for (const name of [...always, ...own, ...counted]) expect(told, name).toContain(name)
      expect(series).toContainEqual({ name: 'atrium_scrape_failures_total', labels: {} })
      expect(JSON.stringify(series)).not.toMatch(/planted|secret|admin"/)
    } finally {
      await app.close()
    }
  })
})

const baseName = (name: string): string => {
  const bare = name.slice(metricPrefix.length)
  const base = bare.replace(/_(bucket|sum|count)$/, '')
  return definitions[base]?.kind === 'histogram' ? base : bare
}

const parse = (text: string) => {
  const types: Record<string, string> = {}
  const series: { name: string; labels: Record<string, string> }[] = []
  for (const line of text.split('\n')) {
    const [, typed, kind] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? []
    if (typed && kind) types[typed] = kind
    const [, name, written = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (!name || line.startsWith('#')) continue
    const labels = Object.fromEntries(
      [...written.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [label, value]),
    )
    series.push({ name, labels })
  }
  return { types, series }
}
