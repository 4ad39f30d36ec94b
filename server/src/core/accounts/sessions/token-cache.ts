/** Remembers for some seconds what a token stands for, but never past an ending. */
import { hash } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Endings } from './revocations.ts'

/** How long what was read is believed without asking again; on the same machine news is faster than that. */
const believedMs = 5_000
const believedCount = 5_000

/** Gives what a token stands for; null for nothing. The same object as long as it is believed. */
export const createBelief = <S extends { readonly accountId: string }>(deps: {
  clock: Clock
  endings: Endings
  read: (digest: string) => Promise<S | null>
}): ((token: string) => Promise<S | null>) => {
  const { clock, endings, read } = deps
  // By token, so that a busy client's is not hashed at every call; none stays here after it is believed no more.
  const believed = new Map<string, { standing: S; readAt: number }>()
  let tidying: NodeJS.Timeout | null = null
  endings.onForget((accountId) => {
    if (accountId === null) believed.clear()
    for (const [token, { standing }] of believed) if (standing.accountId === accountId) believed.delete(token)
  })
  const tidy = (): void => {
    const now = clock.now()
    for (const [token, { readAt }] of believed) if (now - readAt >= believedMs) believed.delete(token)
    tidying = believed.size > 0 ? setTimeout(tidy, believedMs).unref() : null
  }
  return async (token) => {
    const known = believed.get(token)
    if (known && clock.now() - known.readAt < believedMs) return known.standing
    const before = endings.count
    const standing = await read(digestOf(token))
    if (standing && before === endings.count) {
      believed.delete(token)
      believed.set(token, { standing, readAt: clock.now() })
      if (believed.size > believedCount) for (const [oldest] of [...believed].slice(0, 500)) believed.delete(oldest)
      tidying ??= setTimeout(tidy, believedMs).unref()
    }
    return standing
  }
}

/** SHA-256 in hex: all that is kept of a token. */
export const digestOf = (token: string): string => hash('sha256', token, 'hex')
