/** Every SQL statement about failed attempts. */
import type { Kysely } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { FailedAttemptRow, LockoutTables } from './tables.ts'

/** For so long failures count, and an account stays locked. */
export const lockoutMs = 15 * 60_000

export const createLockoutStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const indexOf = (subject: string) => vault.blindIndex('guesses', subject)
  const read = (from: Reader, subject: string, now: number): Promise<FailedAttemptRow | undefined> =>
    from
      .selectFrom('wrong_guesses')
      .selectAll()
      .where('subject', '=', indexOf(subject))
      .where('wrong_since', '>', now - lockoutMs)
      .executeTakeFirst()

  return {
    /** The row of a subject while it counts. */
    find: (subject: string, now: number) => read(database.tables<LockoutTables>(), subject, now),
    findIn: (trx: AnyTransaction, subject: string, now: number) => read(inTables<LockoutTables>(trx), subject, now),

    /** Counts one more; `row`: what counts already. */
    async add(any: AnyTransaction, subject: string, row: FailedAttemptRow | undefined, now: number): Promise<void> {
      const trx = inTables<LockoutTables>(any)
      const index = indexOf(subject)
      if (row) {
        const set = { wrong_count: row.wrong_count + 1 }
        return void (await trx.updateTable('wrong_guesses').set(set).where('subject', '=', index).execute())
      }
      await trx.deleteFrom('wrong_guesses').where('subject', '=', index).execute()
      await trx.insertInto('wrong_guesses').values({ subject: index, wrong_count: 1, wrong_since: now }).execute()
    },

    async forget(trx: AnyTransaction, subject: string): Promise<void> {
      await inTables<LockoutTables>(trx).deleteFrom('wrong_guesses').where('subject', '=', indexOf(subject)).execute()
    },

    /** Removes what counts no more, of all subjects. */
    async removeExpired(now: number): Promise<void> {
      await database
        .tables<LockoutTables>()
        .deleteFrom('wrong_guesses')
        .where('wrong_since', '<=', now - lockoutMs)
        .execute()
    },
  }
}

type Reader = Pick<Kysely<LockoutTables>, 'selectFrom'>
