import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { slowFiles } from './slow-files.ts'

/** Runs files that may cost much before the others, so that none of them is left alone at the end of a run. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a))
  }
}

const secondsOf = ({ moduleId }: TestSpecification): number =>
  slowFiles[relative(process.cwd(), moduleId)]?.seconds ?? 0
