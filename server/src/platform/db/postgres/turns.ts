/** One after the other; where the database is away, they do not find that out one after the other. */
import { isOutage } from '../outage.ts'

export type RunInTurn = <R>(work: () => Promise<R>) => Promise<R>

/**
 * Makes a line of work. When the one in front finds that the database does not answer, those who have waited longer than
 * `patienceMs` behind it fail with the same, and do not wait for it each by themselves.
 */
export const createTurns = (patienceMs: number): RunInTurn => {
  let last: Promise<unknown> = Promise.resolve(null)
  return (work) => {
    const since = performance.now()
    const turn = last.then((failure) => {
      if (failure !== null && performance.now() - since > patienceMs) throw failure
      return work()
    })
    last = turn.then(
      () => null,
      (error: unknown) => (isOutage(error) ? error : null),
    )
    return turn
  }
}
