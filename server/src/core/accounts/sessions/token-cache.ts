/** Caches for some seconds what a token stands for, but never past a revocation. */
import { hash } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Revocations } from './revocations.ts'

/**
 * How long an entry is used without asking again. Revocations arrive sooner, unless the message about one is lost: then it
 * holds after this.
 */
const cacheMs = 1_000
const maxCached = 5_000

/** Gives what a token stands for; null for nothing. The same object as long as it is cached. */
export const createTokenCache = <S extends { readonly accountId: string }>(deps: {
  clock: Clock
  revocations: Revocations
  read: (digest: string) => Promise<S | null>
}): ((token: string) => Promise<S | null>) => {
  const { clock, revocations, read } = deps
  // By token, so that a busy client's is not hashed at every call; none stays here after it expired.
  const cached = new Map<string, { holder: S; readAt: number }>()
  let cleanup: NodeJS.Timeout | null = null
  revocations.onAccountChanged((accountId) => {
    if (accountId === null) cached.clear()
    for (const [token, { holder }] of cached) if (holder.accountId === accountId) cached.delete(token)
  })
  const removeExpired = (): void => {
    const now = clock.now()
    for (const [token, { readAt }] of cached) if (now - readAt >= cacheMs) cached.delete(token)
    cleanup = cached.size > 0 ? setTimeout(removeExpired, cacheMs).unref() : null
  }
  return async (token) => {
    const known = cached.get(token)
    if (known && clock.now() - known.readAt < cacheMs) return known.holder
    const before = revocations.count
    const holder = await read(digestOf(token))
    if (holder && before === revocations.count) {
      cached.delete(token)
      cached.set(token, { holder, readAt: clock.now() })
      if (cached.size > maxCached) for (const [oldest] of [...cached].slice(0, 500)) cached.delete(oldest)
      cleanup ??= setTimeout(removeExpired, cacheMs).unref()
    }
    return holder
  }
}

/** SHA-256 in hex: all that is kept of a token. */
export const digestOf = (token: string): string => hash('sha256', token, 'hex')
