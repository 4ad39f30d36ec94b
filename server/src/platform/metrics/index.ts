/**
 * Figures for Prometheus. Off until a token is set; the library behind it is loaded only then.
 * Labels are route templates and codes: never ids, names or anything a user wrote.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Gauge, Histogram, Registry } from 'prom-client'

export interface AnswerFigures {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly stream: boolean
}

export interface Metrics {
  /** Counts one HTTP answer. Streams are counted, their duration is not: it says how long a page was open. */
  answered(answer: AnswerFigures): void
  /** A figure that is asked for when somebody looks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** A figure that only grows; gives the function that adds to it (1 unless told). Labels are few and fixed. */
  counter<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
  ): (values: Record<L, string>, by?: number) => void
  /** Whether this token may look. */
  allows(token: string | null): boolean
  /** The figures in Prometheus' text form. */
  text(): Promise<{ type: string; body: string }>
}

/** Every name starts with `prefix`. The figures of the process and its event loop are there from the start. */
export const createMetrics = async (options: { token: string; prefix: string }): Promise<Metrics> => {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const registry: Registry = new Registry()
  const { prefix } = options
  collectDefaultMetrics({ register: registry, prefix })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: `${prefix}http_requests_total`,
    help: 'HTTP answers',
    labelNames,
    registers: [registry],
  })
  const durations: Histogram<'method' | 'route'> = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from the head of a request to the end of its answer, streams left out',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [registry],
  })
  const series = createSeries()
  const wanted = digest(options.token)
  return {
    answered: (answer) => {
      const { method, route } = series.admit(methods.has(answer.method) ? answer.method : other, answer.route)
      requests.inc({ method, route, status: String(answer.status) })
      if (!answer.stream) durations.observe({ method, route }, answer.durationMs / 1000)
    },
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({
        name: `${prefix}${name}`,
        help,
        registers: [registry],
        collect: async () => gauge.set(await read()),
      })
    },
    counter: (name, help, labels) => {
      const counter = new Counter({ name: `${prefix}${name}`, help, labelNames: [...labels], registers: [registry] })
      return (values, by = 1) => counter.inc(values, by)
    },
    allows: (token) => token !== null && timingSafeEqual(digest(token), wanted),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

/** Those that routes have; clients may send any of some thirty others. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const other = 'other'

/** More than there are routes: no label grows without end, should a route ever be told by something that a client chose. */
const mostSeries = 600

/** Lets so many pairs of method and route be told apart; the rest is counted together. */
const createSeries = () => {
  const known = new Set<string>()
  return {
    admit(method: string, route: string): { method: string; route: string } {
      const key = `${method} ${route}`
      if (!known.has(key) && known.size >= mostSeries) return { method: other, route: other }
      known.add(key)
      return { method, route }
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
