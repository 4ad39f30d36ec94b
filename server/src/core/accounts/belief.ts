/** Remembers for some seconds what a digest stands for, but never past an ending. */
import { hash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Endings } from './endings.ts'

/** How long what was read is believed without asking again; on the same machine news is faster than that. */
const believedMs = 5_000
const believedCount = 5_000

/** Gives what a token's digest stands for; null for nothing. The same object as long as it is believed. */
export const createBelief = <S extends { readonly accountId: string }>(deps: {
  clock: Clock
  endings: Endings
  read: (digest: string) => Promise<S | null>
}): ((digest: string) => Promise<S | null>) => {
  const { clock, endings, read } = deps
  const believed = new Map<string, { standing: S; readAt: number }>()
  endings.onForget((accountId) => {
    if (accountId === null) believed.clear()
    for (const [digest, { standing }] of believed) if (standing.accountId === accountId) believed.delete(digest)
  })
  return async (digest) => {
    const known = believed.get(digest)
    if (known && clock.now() - known.readAt < believedMs) return known.standing
    const before = endings.count
    const standing = await read(digest)
    if (standing && before === endings.count) {
      believed.delete(digest)
      believed.set(digest, { standing, readAt: clock.now() })
      if (believed.size > believedCount) for (const [oldest] of [...believed].slice(0, 500)) believed.delete(oldest)
    }
    return standing
  }
}

/** SHA-256 in hex: all that is kept of a token. */
export const digestOf = (token: string): string => hash('sha256', token, 'hex')
