/** How much of one kind of work runs at once: for an account, and for the process. */
import { Refusal } from '../../platform/http/refusal.ts'

export interface AtOnce {
  /** Takes a place and gives the function that gives it back, once. Refuses with `rate_limited` where there is none. */
  enter(accountId: string): () => void
}

export const createAtOnce = (most: { readonly perAccount: number; readonly all: number }): AtOnce => {
  const running = new Map<string, number>()
  let all = 0
  return {
    enter(accountId) {
      const own = running.get(accountId) ?? 0
      if (own >= most.perAccount || all >= most.all)
        throw new Refusal('rate_limited', 'Too many requests at once. Wait a moment and try again.', undefined, 2000)
      running.set(accountId, own + 1)
      all += 1
      let left = false
      return () => {
        if (left) return
        left = true
        all -= 1
        const rest = (running.get(accountId) ?? 1) - 1
        if (rest === 0) running.delete(accountId)
        else running.set(accountId, rest)
      }
    },
  }
}
