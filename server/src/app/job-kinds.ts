/** The kinds of jobs that have handlers are those of the contract, so that each has words on the page of jobs. */
import { jobKinds } from '@atrium/contract/jobs'
import type { JobHandlers } from '../platform/jobs/types.ts'

/** Gives the handlers. Throws a sentence where a kind stands only on one side. */
export const requireKnownKinds = (all: readonly JobHandlers[]): readonly JobHandlers[] => {
  const handled = new Set(all.flatMap((some) => Object.keys(some)))
  const differing = [...new Set<string>(jobKinds).symmetricDifference(handled)]
  if (differing.length > 0) throw new Error(`The contract and the handlers differ in kinds of jobs: ${differing}.`)
  return all
}
