/** What files of tests cost in processor time, their processes and threads included, and what they may cost. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slowFiles, suiteSeconds, usualSeconds } from './slow-files.ts'

interface Cost {
  readonly file: string
  readonly seconds: number
  /** How long the work of `measurePace` took meanwhile, in milliseconds of processor time. */
  readonly paceMs: number
}

/** Processor seconds of this process so far, with those of its children that have ended (where the system tells). */
export const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + endedChildren()
}

const ticksPerSecond = 100

const endedChildren = (): number => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  } catch {
    return 0
  }
}

/** The milliseconds that `measurePace` gives on the machine for which budgets are written. */
export const usualPaceMs = 6

const sample = Array.from({ length: 400 }, (_, n) => ({
  id: `row-${n}`,
  text: 'word '.repeat(n % 20),
  parts: [n, n / 3],
}))

/**
 * Does a fixed piece of work and gives the milliseconds of processor time that it took. A machine that is shared with
 * others takes up to twice as long for the same work, in processor time, too.
 */
export const measurePace = (): number => {
  const from = process.threadCpuUsage()
  for (let round = 0; round < 8; round++) {
    const rows = JSON.parse(JSON.stringify(sample)) as typeof sample
    const byText = Map.groupBy(rows, ({ text }) => text.replace(/o/g, '0'))
    rows.toSorted((a, b) => a.text.localeCompare(b.text) || (byText.get(b.text)?.length ?? 0) - a.parts.length)
  }
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1000
}

export interface Pace {
  /** Measures if this process worked for some seconds since the last time. */
  readonly look: () => void
  /** The mean of what was measured, and of once more, in milliseconds. */
  readonly mean: () => number
}

const secondsBetween = 3

/** The pace over a file of tests: a machine that is shared with others may be slow for some of them only. */
export const createPace = (): Pace => {
  const measured: number[] = []
  let last = processorSeconds()
  return {
    look() {
      const now = processorSeconds()
      if (now - last < secondsBetween) return
      measured.push(measurePace())
      last = now
    },
    mean() {
      measured.push(measurePace())
      return measured.reduce((sum, each) => sum + each, 0) / measured.length
    },
  }
}

export const writeCost = (folder: string, cost: Cost): void =>
  appendFileSync(join(folder, `${process.pid}.costs`), `${JSON.stringify(cost)}\n`)

/** Dearest first. */
export const readCosts = (folder: string): Cost[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.costs'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Cost)
    .toSorted((a, b) => b.seconds - a.seconds)

/** How many times as long as usual this machine took for the same work; 1 where it was quicker. */
export const slowness = (costs: readonly Cost[]): number => {
  // The mean, as systems count processor time in steps of some milliseconds; what took long counts for more.
  const mean = costs.reduce((sum, { seconds, paceMs }) => sum + seconds * paceMs, 0) / sumOf(costs)
  return Math.max(1, (mean || 0) / usualPaceMs)
}

/** Where all is tested on both databases, it may cost twice as much. */
const databases = process.env['ATRIUM_TEST_ALL'] === '1' ? 2 : 1

/** Sentences about files that cost more than they may, on the slower of the whole run and their own time. */
export const overspent = (costs: readonly Cost[], times = slowness(costs)): string[] =>
  costs.flatMap(({ file, seconds, paceMs }) => {
    const allowed = (slowFiles[file]?.seconds ?? usualSeconds) * databases * Math.max(times, paceMs / usualPaceMs)
    if (seconds <= allowed) return []
    return [
      `${file} took ${seconds.toFixed(1)} s of processor time; ${allowed.toFixed(0)} s are allowed. Make it quicker, or give it a budget and a reason in server/src/testing/slow-files.ts.`,
    ]
  })

/** The dearest files and the sum, for people. */
export const describeCosts = (costs: readonly Cost[], most = 20): string =>
  [
    `Processor time of ${costs.length} files: ${sumOf(costs).toFixed(0)} s, on a machine that takes ${slowness(costs).toFixed(2)} times as long as usual. The slowest:`,
    ...costs.slice(0, most).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
  ].join('\n')

/** Whether all of them together cost more than they may. */
export const isTooMuch = (costs: readonly Cost[]): boolean => sumOf(costs) > suiteSeconds * databases * slowness(costs)

const sumOf = (costs: readonly Cost[]): number => costs.reduce((sum, { seconds }) => sum + seconds, 0)
