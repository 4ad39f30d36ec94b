/**
 * SQL of what user names are compared by. Names are sealed, so keyed hashes stand for them: one for the name as it is
 * typed, and one for each of its skeletons, which nobody else may have.
 */
import type { Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { unreadableWords } from '../../../platform/stored-json.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { plainName } from '../rules.ts'
import type { AccountTables, AccountTransaction } from '../tables.ts'
import { isOneScript, skeletonsOf, skeletonVersion } from './confusable.ts'

type Reader = Pick<AccountTransaction, 'selectFrom'>

/** Refuses a new name that mixes scripts. `before`: the name that it takes the place of, which may stay whatever it is. */
export const requireOneScript = (username: string | undefined, before?: string): void => {
  if (username !== undefined && username !== before && !isOneScript(username)) throw fail('username_scripts')
}

/** An account, the index of its name, and the hashes of the skeletons of that name. */
interface Named {
  readonly id: string
  readonly index: string
  readonly hashes: readonly string[]
}
/** Two accounts whose names look alike; the second has the skeleton. */
interface Collision {
  readonly accountId: string
  readonly alike: string
}

/** So many accounts at a time get their skeletons: a short transaction. */
const batch = 200

export const createUsernames = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<AccountTables>()
  const indexOf = (name: string): string => vault.blindIndex('accounts.username', plainName(name))
  const skeletons = (name: string): string[] =>
    skeletonsOf(name).map((skeleton) => `${skeletonVersion}:${vault.blindIndex('accounts.skeleton', skeleton)}`)

  const owners = (trx: Reader, hashes: readonly string[]) =>
    trx.selectFrom('account_name_skeletons').selectAll().where('skeleton', 'in', hashes).execute()
  const isTaken = async (trx: Reader, own: string, username: string): Promise<boolean> =>
    (await trx
      .selectFrom('accounts')
      .select('id')
      .where('username_index', '=', indexOf(username))
      .where('id', '!=', own)
      .executeTakeFirst()) !== undefined

  const put = async (trx: AccountTransaction, accountId: string, hashes: readonly string[]): Promise<void> => {
    await trx.deleteFrom('account_name_skeletons').where('account_id', '=', accountId).execute()
    if (hashes.length === 0) return
    const rows = hashes.map((skeleton) => ({ skeleton, account_id: accountId }))
    await trx.insertInto('account_name_skeletons').values(rows).execute()
  }
  /** Keeps what nobody else has; gives who has the rest. */
  const keepFree = async (trx: AccountTransaction, { id, index, hashes }: Named): Promise<Collision[]> => {
    const row = await trx.selectFrom('accounts').select('username_index').where('id', '=', id).executeTakeFirst()
    // Another process removed or renamed it meanwhile.
    if (row?.username_index !== index) return []
    const taken = (await owners(trx, hashes)).filter((each) => each.account_id !== id)
    const isFree = (hash: string) => taken.every(({ skeleton }) => skeleton !== hash)
    await put(trx, id, hashes.filter(isFree))
    return taken.map(({ account_id }) => ({ accountId: id, alike: account_id }))
  }

  return {
    indexOf,

    /** Whether an account has exactly this name, whatever its capitals. */
    isTaken: (username: string): Promise<boolean> => isTaken(tables(), '', username),

    /** Refuses a name that another account has, or that looks like one: `username_taken`. */
    async requireFree(trx: Reader, own: string, username: string): Promise<void> {
      if (await isTaken(trx, own, username)) throw fail('username_taken')
      const alike = await owners(trx, skeletons(username))
      if (alike.some((row) => row.account_id !== own))
        throw fail('username_taken', 'This user name looks like an existing one. Choose another.')
    },

    /** Keeps the skeletons of an account's name in the place of those before; the database refuses what another has. */
    keep: (trx: AccountTransaction, accountId: string, username: string): Promise<void> =>
      put(trx, accountId, skeletons(username)),

    /**
     * Gives their skeletons to accounts that have none of this version, the oldest first: names are sealed, and no
     * migration can read them. Of names that look alike already all stay, and the oldest has the skeleton. Nothing of
     * this refuses a start: a name that cannot be opened is left out, and the log says so.
     */
    async fill(open: (accountId: string) => Promise<string | null>, log: Pick<Log, 'warn'>): Promise<void> {
      const lacking = await tables()
        .selectFrom('accounts')
        .select(['id', 'username_index'])
        .where('removing_at', 'is', null)
        .where('id', 'not in', (by) =>
          by
            .selectFrom('account_name_skeletons')
            .select('account_id')
            .where('skeleton', 'like', `${skeletonVersion}:%`),
        )
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      const opened = async ({ id, username_index: index }: (typeof lacking)[number]): Promise<Named | null> => {
        try {
          const username = (await open(id)) ?? ''
          if (username === unreadableWords) throw new Error('The stored name is damaged.')
          return { id, index, hashes: skeletons(username) }
        } catch (err) {
          log.warn('the name of an account cannot be opened', { accountId: id, err })
          return null
        }
      }
      for (let at = 0; at < lacking.length; at += batch) {
        const named = await Promise.all(lacking.slice(at, at + batch).map(opened))
        const collisions = await database.write<AccountTables, Collision[]>(async (trx) => {
          const found: Collision[] = []
          for (const one of named) if (one) found.push(...(await keepFree(trx, one)))
          return found
        })
        for (const collision of collisions) log.warn('the names of two accounts look alike', { ...collision })
      }
    },
  }
}
