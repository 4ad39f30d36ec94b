/**
 * Guesses at passwords and codes, counted for all addresses and processes together. After too many wrong ones, right
 * ones are refused as well until time opens it. Whether there is such an account makes no difference here.
 */
import type { Kysely } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { type AnyTransaction, type Database, over } from '../../../platform/db/types.ts'
import { tooMany } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { Passwords } from '../password/hashing.ts'
import type { GuessTables, WrongGuessRow } from './tables.ts'

/** So many wrong guesses at a subject may be made in `lockMs`. */
export const mostWrong = 20
export const lockMs = 15 * 60_000

export interface Guesses {
  /**
   * Runs a comparison as one guess; `null` is a wrong one. `shut`: it was the last one for a while. Of many at the same
   * moment no more are let through than of as many in a row. Refuses with `rate_limited`.
   */
  guess<T>(subject: string, compare: () => Promise<T | null>): Promise<{ right: T | null; shut: boolean }>
  /** Compares a password with a hash for somebody who is signed in; wrong ones are counted for the session. Refuses with `rate_limited`. */
  guessOwn(sessionId: string, password: string, phc: string | null): Promise<boolean>
  /** Whether right ones are refused now, asked within somebody's transaction. */
  isShut(trx: AnyTransaction, subject: string, now: number): Promise<boolean>
  /** Counts a wrong one within somebody's transaction. */
  countWrong(trx: AnyTransaction, subject: string, now: number): Promise<void>
  /** Forgets wrong ones, after a right one, within somebody's transaction. */
  forget(trx: AnyTransaction, subject: string): Promise<void>
}

export const createGuesses = (deps: {
  database: Database
  vault: Vault
  clock: Clock
  passwords: Passwords
}): Guesses => {
  const { database, vault, clock } = deps
  const indexOf = (subject: string) => vault.blindIndex('guesses', subject)

  /** The row while it counts. */
  const read = async (from: Reader, subject: string, now: number): Promise<WrongGuessRow | undefined> =>
    await from
      .selectFrom('wrong_guesses')
      .selectAll()
      .where('subject', '=', indexOf(subject))
      .where('wrong_since', '>', now - lockMs)
      .executeTakeFirst()

  const add = async (any: AnyTransaction, subject: string, row: WrongGuessRow | undefined, now: number) => {
    const trx = over<GuessTables>(any)
    const index = indexOf(subject)
    if (row) {
      const set = { wrong_count: row.wrong_count + 1 }
      return void (await trx.updateTable('wrong_guesses').set(set).where('subject', '=', index).execute())
    }
    await trx.deleteFrom('wrong_guesses').where('subject', '=', index).execute()
    await trx.insertInto('wrong_guesses').values({ subject: index, wrong_count: 1, wrong_since: now }).execute()
  }

  const forget: Guesses['forget'] = async (any, subject) => {
    await over<GuessTables>(any).deleteFrom('wrong_guesses').where('subject', '=', indexOf(subject)).execute()
  }
  const requireOpen = (row: WrongGuessRow | undefined, now: number): void => {
    if (!row || row.wrong_count < mostWrong) return
    throw tooMany(
      'There were too many wrong passwords. Try again in a quarter of an hour, or come in by another way.',
      row.wrong_since + lockMs - now,
    )
  }
  /** What counts no more, of all subjects. */
  const tidy = () =>
    database
      .tables<GuessTables>()
      .deleteFrom('wrong_guesses')
      .where('wrong_since', '<=', clock.now() - lockMs)
      .execute()

  const guess: Guesses['guess'] = async (subject, compare) => {
    const known = await read(database.tables<GuessTables>(), subject, clock.now())
    requireOpen(known, clock.now())
    const right = await compare()
    if (right !== null && !known) return { right, shut: false }
    const now = clock.now()
    const before = await database.write<GuessTables, WrongGuessRow | undefined>(async (trx) => {
      const row = await read(trx, subject, now)
      const isShut = row !== undefined && row.wrong_count >= mostWrong
      if (right === null && !isShut) await add(trx, subject, row, now)
      if (right !== null && !isShut) await forget(trx, subject)
      return row
    })
    // Of many that were looked at in the same moment, those past the limit are refused, right or wrong.
    requireOpen(before, now)
    if (right === null && !before) await tidy()
    return { right, shut: right === null && before?.wrong_count === mostWrong - 1 }
  }

  return {
    guess,
    async guessOwn(sessionId, password, phc) {
      const compare = async () => (await deps.passwords.verify(password, phc)) || null
      return (await guess(`own ${sessionId}`, compare)).right !== null
    },
    async isShut(trx, subject, now) {
      return ((await read(over(trx), subject, now))?.wrong_count ?? 0) >= mostWrong
    },
    async countWrong(trx, subject, now) {
      await add(trx, subject, await read(over(trx), subject, now), now)
    },
    forget,
  }
}

type Reader = Pick<Kysely<GuessTables>, 'selectFrom'>
