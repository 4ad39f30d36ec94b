/**
 * The end of an account, in two steps. `begin` is one transaction after which nobody gets in, nobody sees the account,
 * and its names are free. `finish` takes away everything that it had; it may be run again from the start, as often as
 * it was interrupted, also in another process.
 */
import type { Database } from '../../../platform/db/types.ts'
import type { OpenVault } from '../../../platform/vault/vault.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endings } from '../sessions/revocations.ts'
import type { AccountTables } from '../tables.ts'
import type { AccountRemoved } from '../types.ts'
import type { Standing, Who } from './roles.ts'

export interface Removals {
  /** Refuses with `user_not_found` (also an account that is not `only`), `last_administrator`. */
  begin(accountId: string, who: Who, only?: 'pending'): Promise<void>
  /** Does nothing to an account whose removal has not begun. */
  finish(accountId: string): Promise<void>
  /** Whose removal has begun and is not finished. */
  begun(): Promise<string[]>
  /** Whose day has come. */
  due(): Promise<string[]>
}

export const createRemovals = (deps: {
  database: Database
  vault: OpenVault
  clock: Clock
  endings: Endings
  standing: Standing
  removed: ReadonlySet<AccountRemoved>
}): Removals => {
  const { database, vault, clock, endings, standing, removed } = deps

  const isStanding = async (accountId: string): Promise<boolean> => {
    const row = await database
      .tables<AccountTables>()
      .selectFrom('accounts')
      .select('removing_at')
      .where('id', '=', accountId)
      .executeTakeFirst()
    return row !== undefined && row.removing_at === null
  }

  return {
    async begin(accountId, who, only) {
      const holds = await standing.holds(accountId)
      await standing.beginRemoval(accountId, clock.now(), who, only)
      await endings.tell(accountId, holds)
    },

    async finish(accountId) {
      if (await isStanding(accountId)) return
      // The row stays until the end: as long as it is there, it is known that there is more to do.
      for (const hook of removed) await hook(accountId)
      await vault.removeAccount(accountId)
      await standing.drop(accountId)
      // A hook that was just sealing something may have made a key anew.
      await vault.removeAccount(accountId)
      await endings.tell(accountId, [])
    },

    begun: standing.removing,
    due: () => standing.due(clock.now()),
  }
}
