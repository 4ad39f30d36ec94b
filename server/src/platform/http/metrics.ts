/** What is told of requests. */
import { type LimitName, type RouteTable, limits } from '@atrium/contract/route'
import { defineCounter, defineGauge, defineHistogram } from '../metrics/definition.ts'
import type { Metrics } from '../metrics/index.ts'
import { routeTemplate } from './route-template.ts'
import type { AnswerReport, Http } from './options.ts'

/** Those that routes have; clients may send any of some thirty others. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const statuses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** `tables`: the routes of each tag; `paths`: pages that are no routes of the contract. */
export const defineHttpMetrics = (tables: Readonly<Record<string, RouteTable>>, paths: readonly string[]) => {
  const templates = Object.values(tables).flatMap((table) => Object.values(table).map(routeTemplate))
  const routes = [...new Set([...templates, ...paths, unknownRoute])]
  const areas = Object.keys(tables)
  return {
    http_requests_total: defineCounter('Requests answered, including event streams', {
      labels: {
        method: methods,
        route: { about: 'the template of a route, or `unknown` where there is none', values: routes },
        status: statuses,
      },
      most: 650,
      folded: ['route'],
    }),
    http_request_duration_seconds: defineHistogram(
      'Time from the request headers to the end of the response, without event streams',
      [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      { labels: { area: { about: 'the tag of the route in the description of the interface', values: areas } } },
    ),
    http_rate_limited_total: defineCounter('Requests refused by rate limits', {
      labels: {
        rule: { about: 'the rule; `own` is that of an API token', values: [...Object.keys(limits), 'own'] },
      },
    }),
    http_waiting_requests: defineGauge('Requests not answered yet, without event streams'),
    open_streams: defineGauge('Open event streams, and model answers being passed through'),
    open_sockets: defineGauge('Open WebSockets'),
  }
}

const unknownRoute = 'unknown'

type HttpMetrics = ReturnType<typeof defineHttpMetrics>

/** Gives what the server tells of requests. */
export const createHttpRecorder = (
  metrics: Metrics,
  definitions: HttpMetrics,
  tables: Readonly<Record<string, RouteTable>>,
) => {
  const figures = metrics.bind(definitions)
  const areas = new Map(
    Object.entries(tables).flatMap(([area, table]) =>
      Object.values(table).map((route) => [routeTemplate(route), area] as const),
    ),
  )
  return {
    answered({ method, route, status, durationMs, stream }: AnswerReport): void {
      figures.http_requests_total({ method, route, status: `${Math.floor(status / 100)}xx` })
      const area = areas.get(route)
      if (!stream && area !== undefined) figures.http_request_duration_seconds({ area }, durationMs / 1000)
    },
    limited: (rule: LimitName | 'own'): void => figures.http_rate_limited_total({ rule }),
    watch: (http: Pick<Http, 'openStreams' | 'openSockets' | 'waiting'>): void =>
      metrics.onScrape(() => {
        figures.http_waiting_requests({}, http.waiting)
        figures.open_streams({}, http.openStreams - http.openSockets)
        figures.open_sockets({}, http.openSockets)
      }),
  }
}
