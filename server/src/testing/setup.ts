/**
 * Before each file of tests: gathers the statements that its tests compile, notes what the file costs, and keeps threads
 * for the next database.
 */
import { relative } from 'node:path'
import { afterAll, afterEach, expect, inject, vi } from 'vitest'
import { keepSpareThreads } from '../platform/db/sqlite/thread.ts'
import { createPace, measurePace, processorSeconds, writeCost } from './costs.ts'
import { createGathered, type Gathered, gatherAll } from './statements.ts'

const longestWaitMs = 120_000
const kept = globalThis as { gathered?: Gathered }
const began = processorSeconds()
const folder = inject('notesFolder')
const pace = createPace()

const currentFile = (): string => relative(process.cwd(), expect.getState().testPath ?? '')

const currentTest = (): string => {
  const { currentTestName } = expect.getState()
  return currentTestName ? `${currentFile()} > ${currentTestName}` : currentFile()
}

// Once in each worker, where files follow each other.
if (!kept.gathered) {
  kept.gathered = createGathered(folder)
  gatherAll(kept.gathered, currentTest)
  // Starting a thread costs more than most tests.
  keepSpareThreads(8)
  // A second, as it is by default, is too short for a machine that others use, too.
  const { waitFor, waitUntil } = vi
  vi.waitFor = (callback, options = longestWaitMs) => waitFor(callback, options)
  vi.waitUntil = (callback, options = longestWaitMs) => waitUntil(callback, options)
  // The first time is longer than all others: its code is compiled.
  measurePace()
}

afterEach(() => pace.look())

afterAll(() => {
  // The next file runs in the same process: it must not find this one's page, clock or network.
  vi.unstubAllGlobals()
  vi.useRealTimers()
  kept.gathered?.write()
  const seconds = processorSeconds() - began
  writeCost(folder, { file: currentFile(), seconds, paceMs: pace.mean() })
})
