/** Metrics as values: name, kind, help, unit, labels with all of their values. The registry is made of a list of them. */

export type MetricUnit = 'seconds' | 'bytes' | 'ratio' | 'count'

/** The values that a label has; `about` says in words what they are where they are many. */
export interface LabelValues {
  readonly about?: string
  readonly values: readonly string[]
}

export interface MetricDefinition<Label extends string = string> {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** One sentence for people, without a full stop. */
  readonly help: string
  readonly unit: MetricUnit
  /** A value that is not among those of its label is counted as `other`. */
  readonly labels: { readonly [L in Label]: LabelValues }
  /** Upper bounds of a histogram. */
  readonly buckets: readonly number[]
  /** How many combinations of labels are told apart; those that come later are counted with `other` for these labels. */
  readonly most: number
  readonly folded: readonly Label[]
}

/** By name, without the prefix. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>

/** Stands for every value that is not in the list. */
export const otherValue = 'other'

type Labels<L extends string> = { readonly [K in L]: readonly string[] | LabelValues }
interface Options<L extends string> {
  readonly unit?: MetricUnit
  readonly labels?: Labels<L>
  readonly most?: number
  /** Labels that `most` may cost; all of them unless told. What alerts look at stays. */
  readonly folded?: readonly NoInfer<L>[]
}

/** A figure that only grows while the process lives. */
export const defineCounter = <const L extends string = never>(help: string, options: Options<L> = {}) =>
  define('counter', help, options)

/** A figure that goes up and down, read when somebody looks. */
export const defineGauge = <const L extends string = never>(help: string, options: Options<L> = {}) =>
  define('gauge', help, options)

/** Seconds, unless told otherwise, counted below each of these bounds. */
export const defineHistogram = <const L extends string = never>(
  help: string,
  buckets: readonly number[],
  options: Options<L> = {},
) => define('histogram', help, { unit: 'seconds', ...options }, buckets)

const define = <L extends string>(
  kind: MetricDefinition['kind'],
  help: string,
  { unit = 'count', labels, most = Number.POSITIVE_INFINITY, folded }: Options<L>,
  buckets: readonly number[] = [],
): MetricDefinition<L> => ({
  kind,
  help,
  unit,
  labels: Object.fromEntries(
    Object.entries<readonly string[] | LabelValues>(labels ?? {}).map(([name, set]) => [
      name,
      isList(set) ? { values: set } : set,
    ]),
  ) as MetricDefinition<L>['labels'],
  buckets,
  most,
  folded: folded ?? (Object.keys(labels ?? {}) as L[]),
})

const isList = (set: readonly string[] | LabelValues): set is readonly string[] => Array.isArray(set)

/** All of several lists as one. Throws a sentence when two have a metric of the same name. */
export const mergeMetrics = (lists: readonly MetricDefinitions[]): MetricDefinitions => {
  const all: Record<string, MetricDefinition> = {}
  for (const [name, definition] of lists.flatMap((list) => Object.entries(list))) {
    if (all[name]) throw new Error(`The metric ${name} is there twice.`)
    all[name] = definition
  }
  return all
}

/** How many series a metric can come to, whatever happens: each value, `other`, and what a histogram adds. */
export const mostSeriesOf = ({ labels, most, folded, kind, buckets }: MetricDefinition): number => {
  const combine = (sets: readonly (readonly [string, LabelValues])[]): number =>
    sets.reduce((product, [, { values }]) => product * (values.length + 1), 1)
  const sets = Object.entries<LabelValues>(labels)
  // A metric with a bound has some more: those of all which came later.
  const later = combine(sets.filter(([label]) => !folded.includes(label)))
  return Math.min(combine(sets), most + later) * (kind === 'histogram' ? buckets.length + 3 : 1)
}
