/** Before each file of tests: gathers the statements that its tests compile, and keeps threads for the next database. */
import { relative } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { keepSpareThreads } from '../platform/db/sqlite/thread.ts'
import { createGathered, type Gathered, gatherAll } from './statements.ts'

const kept = globalThis as { gathered?: Gathered }

const currentTest = (): string => {
  const { testPath = '', currentTestName } = expect.getState()
  const file = relative(process.cwd(), testPath)
  return currentTestName ? `${file} > ${currentTestName}` : file
}

// Once in each worker, where files follow each other.
if (!kept.gathered) {
  kept.gathered = createGathered(inject('statementFolder'))
  gatherAll(kept.gathered, currentTest)
  // Starting a thread costs more than most tests.
  keepSpareThreads(8)
}

afterAll(() => kept.gathered?.write())
