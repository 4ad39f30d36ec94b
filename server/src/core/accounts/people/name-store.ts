/**
 * Names of accounts, for people who choose with whom to share: active accounts only, never an address. Names are sealed
 * with a key of each account, so a beginning cannot be looked up on disk; they are opened once and remembered until
 * the account changes. The first `most` accounts are searched by the beginning of their names, all by a whole user name.
 */
import { createCache } from '../../../platform/cache/cache.ts'
import { openWords } from '../../../platform/stored-json.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { avatarAddress } from '../avatars/rules.ts'
import { beginsWith, plainName } from '../rules.ts'
import type { AccountRow, AccountTables } from '../tables.ts'

export interface NamedAccount {
  readonly id: string
  /** The user name, after the display name where there is one. */
  readonly name: string
  /** Where its picture is, if it has one. */
  readonly avatar: string | null
}

export interface AccountNames {
  /** Those with a name or a word of it that begins so, by name; without `but`. */
  search(beginning: string, limit: number, but: string): Promise<NamedAccount[]>
  /** These accounts, active or not, by id; absent ones are left out. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** As `names`, with their pictures. */
  named(ids: readonly string[]): Promise<ReadonlyMap<string, NamedAccount>>
  /** An active account, or null. */
  find(id: string): Promise<NamedAccount | null>
}

interface Known extends NamedAccount {
  readonly updatedAt: number
  readonly words: readonly string[]
}

const most = 5_000
const atOnce = 100

export const createAccountNames = ({ database, vault }: { database: Database; vault: Vault }): AccountNames => {
  const tables = () => database.tables<AccountTables>()
  const remembered = createCache<Known>({ max: 2 * most })

  const open = async (
    row: Pick<AccountRow, 'id' | 'username' | 'display_name' | 'avatar_tag' | 'updated_at'>,
  ): Promise<Known> => {
    const keyring = await vault.keyring(row.id)
    const username = openWords(keyring, 'accounts.username', row.id, row.username)
    const display = row.display_name && openWords(keyring, 'accounts.display_name', row.id, row.display_name)
    const known = {
      id: row.id,
      updatedAt: row.updated_at,
      name: display ? `${display} (${username})` : username,
      avatar: avatarAddress(row.avatar_tag),
      words: [username, display ?? ''].flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)]).map(plainName),
    }
    remembered.set(row.id, known)
    return known
  }

  /** From memory, unless an account changed. */
  const opened = async (rows: readonly Pick<AccountRow, 'id' | 'updated_at'>[]): Promise<Known[]> => {
    const found = new Map<string, Known>()
    const changed: string[] = []
    for (const { id, updated_at } of rows) {
      const known = remembered.get(id)
      if (known?.updatedAt === updated_at) found.set(id, known)
      else changed.push(id)
    }
    for (let at = 0; at < changed.length; at += atOnce) {
      const read = await tables()
        .selectFrom('accounts')
        .select(['id', 'username', 'display_name', 'avatar_tag', 'updated_at'])
        .where('id', 'in', changed.slice(at, at + atOnce))
        .execute()
      for (const known of await Promise.all(read.map(open))) found.set(known.id, known)
    }
    return rows.flatMap(({ id }) => found.get(id) ?? [])
  }

  const byId = async (ids: readonly string[]): Promise<Known[]> => {
    if (ids.length === 0) return []
    return await opened(
      await tables().selectFrom('accounts').select(['id', 'updated_at']).where('id', 'in', ids).execute(),
    )
  }

  return {
    async search(beginning, limit, but) {
      const active = tables()
        .selectFrom('accounts')
        .select(['id', 'updated_at'])
        .where('status', '=', 'active')
        .where('id', '!=', but)
      const [first, exact] = await Promise.all([
        active.orderBy('created_at').orderBy('id').limit(most).execute(),
        active.where('username_index', '=', vault.blindIndex('accounts.username', plainName(beginning))).execute(),
      ])
      const rows = new Map([...exact, ...first].map((row) => [row.id, row]))
      return (await opened([...rows.values()]))
        .filter(({ words }) => beginsWith(words, beginning))
        .sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(namedOf)
    },

    async names(ids) {
      return new Map((await byId(ids)).map(({ id, name }) => [id, name]))
    },

    async named(ids) {
      return new Map((await byId(ids)).map((known) => [known.id, namedOf(known)]))
    },

    async find(id) {
      const rows = await tables()
        .selectFrom('accounts')
        .select(['id', 'updated_at'])
        .where('id', '=', id)
        .where('status', '=', 'active')
        .execute()
      const [known] = await opened(rows)
      return known ? namedOf(known) : null
    },
  }
}

const namedOf = ({ id, name, avatar }: NamedAccount): NamedAccount => ({ id, name, avatar })
