/**
 * Figures for Prometheus. Off until a token is set; the library behind it is loaded only then. The registry is made of a
 * closed list. Labels are route templates, codes and kinds: never ids, names or anything a user wrote.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Counter, Gauge, Histogram } from 'prom-client'
import { createBoundedRead } from '../machine/bounded-read.ts'
import { type MetricDefinition, type MetricDefinitions, defineCounter, otherValue } from './definition.ts'
import { processMetrics } from './process.ts'

/** Adds to a counter (1 unless told), sets a gauge, or notes a value of a histogram. */
type Recorder<D extends MetricDefinition> = [keyof D['labels']] extends [never]
  ? (values?: Readonly<Record<string, never>>, amount?: number) => void
  : (values: { readonly [L in keyof D['labels']]: string }, amount?: number) => void
export type Recorders<D extends MetricDefinitions> = { readonly [N in keyof D]: Recorder<D[N]> }

export interface Metrics {
  /** The functions that tell these metrics, by name. Throws for one that is not in the list. */
  bind<const D extends MetricDefinitions>(definitions: D): Recorders<D>
  /** Has gauges set at each scrape; for three seconds at most, and what throws leaves its gauges out. */
  onScrape(read: () => void | Promise<void>): void
  /** Whether this token may look. */
  allows(token: string | null): boolean
  /** The figures in Prometheus' text form. */
  text(): Promise<{ type: string; body: string }>
}

export interface MetricsOptions {
  readonly token: string
  /** With which every name starts. */
  readonly prefix: string
  /** All that are told, `commonMetrics` with them. */
  readonly definitions: MetricDefinitions
}

const scrapeMs = 3000

const scrapeMetrics = {
  scrape_failures_total: defineCounter('Groups of metrics that couldn’t be read in time for a scrape'),
}

/** What is in every list. */
export const commonMetrics: readonly MetricDefinitions[] = [processMetrics, scrapeMetrics]

export const createMetrics = async ({ token, prefix, definitions }: MetricsOptions): Promise<Metrics> => {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  for (const { name } of registry.getMetricsAsArray())
    if (!Object.hasOwn(processMetrics, name.slice(prefix.length))) registry.removeSingleMetric(name)

  const gauges: Gauge[] = []
  const record = (
    name: string,
    { kind, help, labels, buckets, most, folded }: MetricDefinition,
  ): ((values?: Readonly<Record<string, string>>, amount?: number) => void) => {
    const labelNames = Object.keys(labels)
    const options = { name: `${prefix}${name}`, help, labelNames, registers: [registry] }
    const admit = createAdmission(labels, most, folded)
    if (kind === 'counter') {
      const counter: Counter = new Counter(options)
      for (const values of most === Number.POSITIVE_INFINITY ? combinationsOf(labels) : []) counter.inc(values, 0)
      return (values = {}, amount = 1) => counter.inc(admit(values), amount)
    }
    if (kind === 'histogram') {
      const histogram: Histogram = new Histogram({ ...options, buckets: [...buckets] })
      return (values = {}, amount = 1) => histogram.observe(admit(values), amount)
    }
    const gauge: Gauge = new Gauge(options)
    gauges.push(gauge)
    return (values = {}, amount = 1) => gauge.set(admit(values), amount)
  }
  const recorders = new Map(
    Object.entries(definitions)
      .filter(([name]) => !Object.hasOwn(processMetrics, name))
      .map(([name, each]) => [name, record(name, each)]),
  )

  const reads: (() => Promise<true | null>)[] = []
  const wanted = digest(token)
  let scrape: Promise<{ type: string; body: string }> | null = null
  const collect = async () => {
    for (const gauge of gauges) forget(gauge)
    for (const done of await Promise.all(reads.map((read) => read()))) if (!done) own.scrape_failures_total()
    return { type: registry.contentType, body: await registry.metrics() }
  }
  const bind: Metrics['bind'] = (chosen) =>
    Object.fromEntries(
      Object.keys(chosen).map((name) => {
        const recorder = recorders.get(name)
        if (!recorder) throw new Error(`The metric ${name} is not in the list of the app.`)
        return [name, recorder]
      }),
    ) as never
  const own = bind(scrapeMetrics)
  return {
    bind,
    onScrape: (read) => void reads.push(createBoundedRead(async () => (await read(), true as const), scrapeMs)),
    allows: (given) => given !== null && timingSafeEqual(digest(given), wanted),
    // Those who ask at the same time get the same figures.
    text: () => (scrape ??= collect().finally(() => (scrape = null))),
  }
}

const mostFromZero = 20

/**
 * What a counter is told of from the start, where these are few: the first step of a series that is not there before
 * is no increase to Prometheus.
 */
const combinationsOf = (labels: MetricDefinition['labels']): Record<string, string>[] => {
  const sets = Object.entries(labels)
  if (sets.length === 0 || sets.reduce((product, [, { values }]) => product * values.length, 1) > mostFromZero)
    return []
  return sets.reduce<Record<string, string>[]>(
    (all, [label, { values }]) =>
      all.flatMap((each) => values.map((value) => Object.assign({}, each, { [label]: value }))),
    [{}],
  )
}

/** A gauge that nobody sets at this scrape is not told. */
const forget = (gauge: Gauge): void => {
  gauge.reset()
  gauge.remove({})
}

/**
 * Gives the labels to count by: values that are not in the list become `other`, and so do those of `folded` in combinations
 * past the bound.
 */
const createAdmission = (labels: MetricDefinition['labels'], most: number, folded: readonly string[]) => {
  const sets = Object.entries(labels).map(([label, { values }]) => [label, new Set(values)] as const)
  const known = new Set<string>()
  return (given: Readonly<Record<string, string>>): Record<string, string> => {
    const admitted: Record<string, string> = {}
    let key = ''
    for (const [label, set] of sets) {
      const value = given[label] ?? otherValue
      admitted[label] = set.has(value) ? value : otherValue
      key += ` ${admitted[label]}`
    }
    if (most === Number.POSITIVE_INFINITY || known.has(key)) return admitted
    if (known.size < most) known.add(key)
    else for (const label of folded) admitted[label] = otherValue
    return admitted
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
