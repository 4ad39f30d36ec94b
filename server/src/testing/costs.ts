/** What files of tests cost in processor time, their processes and threads included, and what they may cost. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slowFiles, suiteSeconds, usualSeconds } from './slow-files.ts'

interface Cost {
  readonly file: string
  readonly seconds: number
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

export const writeCost = (folder: string, cost: Cost): void =>
  appendFileSync(join(folder, `${process.pid}.costs`), `${JSON.stringify(cost)}\n`)

/** Dearest first. */
export const readCosts = (folder: string): Cost[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.costs'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Cost)
    .toSorted((a, b) => b.seconds - a.seconds)

/** Where all is tested on both databases, it may cost twice as much. */
const databases = process.env['ATRIUM_TEST_ALL'] === '1' ? 2 : 1

/** Sentences about files that cost more than they may. */
export const overspent = (costs: readonly Cost[], times = databases): string[] =>
  costs.flatMap(({ file, seconds }) => {
    const allowed = (slowFiles[file]?.seconds ?? usualSeconds) * times
    if (seconds <= allowed) return []
    return [
      `${file} took ${seconds.toFixed(1)} s of processor time; ${allowed} s are allowed. Make it quicker, or give it a budget and a reason in server/src/testing/slow-files.ts.`,
    ]
  })

/** The dearest files and the sum, for people. */
export const describeCosts = (costs: readonly Cost[], most = 20): string =>
  [
    `Processor time of ${costs.length} files: ${sumOf(costs).toFixed(0)} s. The slowest:`,
    ...costs.slice(0, most).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
  ].join('\n')

/** Whether all of them together cost more than they may. */
export const isTooMuch = (costs: readonly Cost[]): boolean => sumOf(costs) > suiteSeconds * databases

const sumOf = (costs: readonly Cost[]): number => costs.reduce((sum, { seconds }) => sum + seconds, 0)
