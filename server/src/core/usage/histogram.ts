/** Times in fixed buckets that grow by a fourth root of two, so that histograms of any days and models add up. */

const perDoubling = 4
/** About twelve days. */
const highest = 120

/** The bucket of a time in whole milliseconds; 0 holds what took less than one. */
export const bucketOf = (ms: number): number =>
  ms < 1 ? 0 : Math.min(highest, 1 + Math.floor(Math.log2(ms) * perDoubling + 1e-9))

const lowerEnd = (bucket: number): number => (bucket === 0 ? 0 : 2 ** ((bucket - 1) / perDoubling))

/** How many calls fell into each bucket. */
export type Histogram = Map<number, number>

export const addTo = (histogram: Histogram, bucket: number, calls: number): void => {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + calls)
}

/**
 * The time in milliseconds below which a share (0 to 1) of the calls lies; null without calls. It is exact to the
 * bucket, a fifth at most, and read along a line within it.
 */
export const percentileOf = (histogram: Histogram, share: number): number | null => {
  let calls = 0
  for (const count of histogram.values()) calls += count
  if (calls === 0) return null
  const wanted = share * calls
  let passed = 0
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    if (passed + count >= wanted) {
      const within = (wanted - passed) / count
      return Math.round(lowerEnd(bucket) + (lowerEnd(bucket + 1) - lowerEnd(bucket)) * within)
    }
    passed += count
  }
  return null
}
