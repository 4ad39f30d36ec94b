/** The list of all metrics, and those of the app as a whole. */
import { mergeMetrics, type MetricDefinitions, defineGauge } from '../platform/metrics/definition.ts'
import { type Metrics, commonMetrics, createMetrics } from '../platform/metrics/index.ts'
import { createHttpRecorder, defineHttpMetrics } from '../platform/http/metrics.ts'
import { databaseMetrics } from '../platform/db/metrics.ts'
import type { Database } from '../platform/db/types.ts'
import { eventMetrics } from '../platform/events/metrics.ts'
import { jobMetrics } from '../platform/jobs/metrics.ts'
import { auditMetrics } from '../platform/audit/metrics.ts'
import { areas, routesByTag } from './areas.ts'
import { version } from './version.ts'

/** With which every name starts. */
export const metricPrefix = 'atrium_'

/** What one process may tell, whatever is asked of it. */
export const mostSeries = 3000

/** Pages of the documentation, which are no routes either, are counted as `other`. */
const httpMetrics = () => defineHttpMetrics(routesByTag, ['/metrics', '/ws'])

const appMetrics = {
  build_info: defineGauge('Version of this process, always 1', {
    labels: {
      version: { about: 'the version of Atrium', values: [version] },
      node: { about: 'the version of Node', values: [process.version] },
      database: ['sqlite', 'postgres'],
    },
  }),
}

/** Everything that `/metrics` tells, by name without the prefix. */
export const listMetrics = (): MetricDefinitions =>
  mergeMetrics([
    ...commonMetrics,
    httpMetrics(),
    databaseMetrics,
    eventMetrics,
    jobMetrics,
    auditMetrics,
    appMetrics,
    ...areas.map(({ metrics }) => metrics()),
  ])

export const openMetrics = (token: string): Promise<Metrics> =>
  createMetrics({ token, prefix: metricPrefix, definitions: listMetrics() })

export const recordHttp = (metrics: Metrics) => createHttpRecorder(metrics, httpMetrics(), routesByTag)

export const recordBuild = (metrics: Metrics, { dialect }: Pick<Database, 'dialect'>): void => {
  const { build_info } = metrics.bind(appMetrics)
  metrics.onScrape(() => build_info({ version, node: process.version, database: dialect }))
}
