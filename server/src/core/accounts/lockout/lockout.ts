/**
 * Attempts at passwords and codes, counted for all addresses and processes together. After too many failures right ones
 * are refused as well, for a while. Whether there is such an account makes no difference here.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { AnyTransaction, Database } from '../../../platform/db/types.ts'
import { tooManyRefusal } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { PasswordHasher } from '../password/hashing.ts'
import { createLockoutStore, lockoutMs } from './store.ts'
import type { FailedAttemptRow, LockoutTables } from './tables.ts'

/** So many attempts at a subject may fail in `lockoutMs`. */
export const failuresAllowed = 20

export interface Lockout {
  /**
   * Runs a comparison as one attempt; `null` is a failure. `locked`: it was the last one for a while. Of many at the same
   * moment no more are let through than of as many in a row. Refuses with `rate_limited`.
   */
  attempt<T>(subject: string, compare: () => Promise<T | null>): Promise<{ right: T | null; locked: boolean }>
  /** Compares a password with a hash for somebody who is signed in; wrong ones are counted for the session. Refuses with `rate_limited`. */
  checkOwnPassword(sessionId: string, password: string, phc: string | null): Promise<boolean>
  /** Whether right ones are refused now, asked within somebody's transaction. */
  isLocked(trx: AnyTransaction, subject: string, now: number): Promise<boolean>
  /** Counts a wrong one within somebody's transaction. */
  countFailure(trx: AnyTransaction, subject: string, now: number): Promise<void>
  /** Forgets wrong ones, after a right one, within somebody's transaction. */
  forget(trx: AnyTransaction, subject: string): Promise<void>
}

export const createLockout = (deps: {
  database: Database
  vault: Vault
  clock: Clock
  passwords: PasswordHasher
}): Lockout => {
  const { database, vault, clock } = deps
  const store = createLockoutStore({ database, vault })

  const requireOpen = (row: FailedAttemptRow | undefined, now: number): void => {
    if (!row || row.wrong_count < failuresAllowed) return
    throw tooManyRefusal(
      'Too many wrong passwords. Try again in 15 minutes, or sign in another way.',
      row.wrong_since + lockoutMs - now,
    )
  }
  const attempt: Lockout['attempt'] = async (subject, compare) => {
    const known = await store.find(subject, clock.now())
    requireOpen(known, clock.now())
    const right = await compare()
    if (right !== null && !known) return { right, locked: false }
    const now = clock.now()
    const before = await database.write<LockoutTables, FailedAttemptRow | undefined>(async (trx) => {
      const row = await store.findIn(trx, subject, now)
      const isLocked = row !== undefined && row.wrong_count >= failuresAllowed
      if (right === null && !isLocked) await store.add(trx, subject, row, now)
      if (right !== null && !isLocked) await store.forget(trx, subject)
      return row
    })
    // Of many that were looked at in the same moment, those past the limit are refused, right or wrong.
    requireOpen(before, now)
    if (right === null && !before) await store.removeExpired(now)
    return { right, locked: right === null && before?.wrong_count === failuresAllowed - 1 }
  }

  return {
    attempt,
    async checkOwnPassword(sessionId, password, phc) {
      const compare = async () => (await deps.passwords.verify(password, phc)) || null
      return (await attempt(`own ${sessionId}`, compare)).right !== null
    },
    async isLocked(trx, subject, now) {
      return ((await store.findIn(trx, subject, now))?.wrong_count ?? 0) >= failuresAllowed
    },
    async countFailure(trx, subject, now) {
      await store.add(trx, subject, await store.findIn(trx, subject, now), now)
    },
    forget: store.forget,
  }
}
