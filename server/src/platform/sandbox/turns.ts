/** Whose run is next: accounts take turns, and none takes all places. */

export interface TurnRules {
  /** Runs at once, of all accounts. */
  readonly places: number
  /** Of one account at once. */
  readonly placesOfOne: number
  /** Of one account, that wait. */
  readonly waitingOfOne: number
}

interface Waiting<T> {
  readonly accountId: string
  readonly value: T
}

export interface Turns<T> {
  /** False: too many of the account wait. */
  add(accountId: string, value: T): boolean
  /** Takes one out that waits; false when it does not wait any more. */
  remove(value: T): boolean
  /** The next one that may run now, which has a place from then on; null: nobody may. */
  take(): T | null
  /** Gives a place back. */
  leave(accountId: string): void
}

/** Of those that wait, the account with the fewest runs comes first, then the one whose last run began longest ago. */
export const createTurns = <T>({ places, placesOfOne, waitingOfOne }: TurnRules): Turns<T> => {
  const waiting: Waiting<T>[] = []
  const running = new Map<string, number>()
  const lastTurns = new Map<string, number>()
  let turn = 0
  const runningOf = (accountId: string): number => running.get(accountId) ?? 0
  return {
    add(accountId, value) {
      if (waiting.filter((entry) => entry.accountId === accountId).length >= waitingOfOne) return false
      waiting.push({ accountId, value })
      return true
    },
    remove(value) {
      const place = waiting.findIndex((entry) => entry.value === value)
      if (place >= 0) waiting.splice(place, 1)
      return place >= 0
    },
    take() {
      const taken = [...running.values()].reduce((sum, count) => sum + count, 0)
      if (taken >= places) return null
      const [next] = waiting
        .filter(({ accountId }) => runningOf(accountId) < placesOfOne)
        .toSorted(
          (a, b) =>
            runningOf(a.accountId) - runningOf(b.accountId) ||
            (lastTurns.get(a.accountId) ?? 0) - (lastTurns.get(b.accountId) ?? 0),
        )
      if (!next) return null
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next.accountId, runningOf(next.accountId) + 1)
      lastTurns.set(next.accountId, ++turn)
      return next.value
    },
    leave(accountId) {
      const left = runningOf(accountId) - 1
      if (left > 0) running.set(accountId, left)
      else running.delete(accountId)
      // Who has nothing here any more is forgotten: it comes before others then, as it should.
      if (left <= 0 && !waiting.some((entry) => entry.accountId === accountId) && lastTurns.size > 1000)
        lastTurns.delete(accountId)
    },
  }
}
