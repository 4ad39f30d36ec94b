/** Every SQL statement about accounts and their passwords; rows become users here and nowhere else. */
import type { User } from '@atrium/contract/accounts'
import { createdAfter, creationKey, cutPage } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { unlessUnreadable, unreadableWords } from '../../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import { avatarAddress } from '../avatars/rules.ts'
import { noPassword } from '../password/hashing.ts'
import { plainName } from '../rules.ts'
import type { AccountRow, AccountTables, AccountTransaction } from '../tables.ts'
import { createEmailAddresses } from './email-store.ts'
import { createUsernames } from './username-store.ts'

/** What an account is made of. `credential` is a PHC string. */
export interface NewAccount {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly credential: string
  readonly now: number
  /** Whether the address is known to be its own; it is not unless somebody says so. */
  readonly emailVerified?: boolean
}
/** What an account may be. */
export type AccountStatus = Pick<AccountRow, 'role' | 'status'>

export interface ProfileChange {
  readonly username?: string | undefined
  readonly displayName?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Who may be about to sign in. */
export interface LoginCandidate {
  readonly id: string
  readonly status: AccountRow['status']
  readonly phc: string
  /** The hash as it is stored, to tell whether it was changed meanwhile. */
  readonly credential: Uint8Array
}

export type AccountStore = ReturnType<typeof createAccountStore>

export const createAccountStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<AccountTables>()
  const names = createUsernames({ database, vault })
  const emailIndex = (email: string) => vault.blindIndex('accounts.email', plainName(email))

  const open = async (row: AccountRow): Promise<User> => {
    const keyring = await vault.keyring(row.id)
    const text = (column: 'username' | 'display_name' | 'email' | 'pending_email') => {
      const sealed = row[column]
      return sealed === null ? null : unlessUnreadable(() => keyring.open(`accounts.${column}`, row.id, sealed), null)
    }
    return {
      id: row.id,
      username: text('username') ?? unreadableWords,
      displayName: text('display_name'),
      avatar: avatarAddress(row.avatar_tag),
      email: text('email'),
      emailVerified: row.email_verified_at !== null,
      pendingEmail: text('pending_email'),
      role: row.role,
      status: row.status,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    }
  }

  /** Refuses a name or address that another account has, and a name that looks like one. */
  const requireFree = async (
    trx: Reader,
    own: string,
    username: string | undefined,
    email: string | null | undefined,
  ) => {
    if (username !== undefined) await names.requireFree(trx, own, username)
    if (!email) return
    const other = await trx
      .selectFrom('accounts')
      .select('id')
      .where('email_index', '=', emailIndex(email))
      .where('id', '!=', own)
      .executeTakeFirst()
    if (other) throw fail('email_taken')
  }

  /** An account that is not being removed. */
  const readLive = async (id: string): Promise<AccountRow | null> => {
    const row = await tables()
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', id)
      .where('removing_at', 'is', null)
      .executeTakeFirst()
    return row ?? null
  }

  const user = async (id: string): Promise<User | null> => {
    const row = await readLive(id)
    return row ? await open(row) : null
  }

  /** The password hash of an account, and the same as it is stored. */
  const stored = async (id: string): Promise<Pick<LoginCandidate, 'phc' | 'credential'> | null> => {
    const row = await tables().selectFrom('accounts').select('credential').where('id', '=', id).executeTakeFirst()
    if (!row) return null
    const phc = openCredential(await vault.keyring(id), id, row.credential)
    return { phc, credential: row.credential }
  }

  /** Whether anything that is typed can be the password of an account. */
  const hasPassword = async (row: Pick<AccountRow, 'id' | 'credential'>): Promise<boolean> =>
    openCredential(await vault.keyring(row.id), row.id, row.credential) !== noPassword

  return {
    /** What a row says, opened. */
    open,

    ...createEmailAddresses({
      database,
      vault,
      open,
      requireFree: (trx, own, email) => requireFree(trx, own, undefined, email),
    }),

    /** Whether an account has exactly this name, whatever its capitals. */
    isNameTaken: names.isTaken,

    /** Gives the names of accounts that were made before what a look-alike is known by. See names.ts. */
    fillSkeletons: (log: Pick<Log, 'warn'>) => names.fill(async (id) => (await user(id))?.username ?? null, log),

    async hasAccounts(): Promise<boolean> {
      return (await tables().selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    /** Who has exactly this name, whatever its capitals; null for nobody. */
    async usernameOwner(username: string): Promise<string | null> {
      const index = names.indexOf(username)
      return (
        (await tables().selectFrom('accounts').select('id').where('username_index', '=', index).executeTakeFirst())
          ?.id ?? null
      )
    },

    /** Whose address this is; null for nobody's. */
    async emailOwner(email: string): Promise<string | null> {
      const index = emailIndex(email)
      return (
        (await tables().selectFrom('accounts').select('id').where('email_index', '=', index).executeTakeFirst())?.id ??
        null
      )
    },

    /** A cheap look before the password is hashed; the transaction looks again. */
    requireFree: (username: string | undefined, email: string | null) => requireFree(tables(), '', username, email),

    /**
     * Makes an account. `statusOf` decides inside the transaction; of many first accounts at the same time exactly one is
     * told that it is the first. `also` runs last in the same transaction.
     */
    async insert(
      account: NewAccount,
      statusOf: (isFirst: boolean) => AccountStatus,
      also?: (trx: AccountTransaction) => Promise<void>,
    ): Promise<User> {
      const { id, username, email, credential, now } = account
      const keyring = await vault.keyring(id)
      const seal = (column: string, plain: string) => keyring.seal(`accounts.${column}`, id, plain)
      const sealed = {
        username_index: names.indexOf(username),
        username: seal('username', username),
        email_index: email === null ? null : emailIndex(email),
        email: email === null ? null : seal('email', email),
        credential: seal('credential', credential),
      }
      const row = await database.write<AccountTables, AccountRow>(async (trx) => {
        const other = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
        const status = statusOf(other === undefined)
        await requireFree(trx, id, username, email)
        const made: AccountRow = {
          id,
          ...sealed,
          ...status,
          display_name: null,
          created_at: now,
          updated_at: now,
          approved_at: null,
          approved_by: null,
          removal_at: null,
          removing_at: null,
          avatar_tag: null,
          email_verified_at: account.emailVerified ? now : null,
          pending_email: null,
        }
        await trx.insertInto('accounts').values(made).execute()
        await names.keep(trx, id, username)
        await also?.(trx)
        return made
      }, 'audit')
      return await open(row)
    },

    /** The account that signs in by this text: a user name, else an e-mail address. */
    async findByLogin(login: string): Promise<LoginCandidate | null> {
      const index = names.indexOf(login)
      const rows = await tables()
        .selectFrom('accounts')
        .select(['id', 'status', 'credential', 'username_index'])
        .where((by) => by.or([by('username_index', '=', index), by('email_index', '=', emailIndex(login))]))
        .execute()
      const row = rows.find((each) => each.username_index === index) ?? rows[0]
      if (!row) return null
      const keyring = await vault.keyring(row.id)
      const phc = openCredential(keyring, row.id, row.credential)
      return { id: row.id, status: row.status, phc, credential: row.credential }
    },

    user,

    /** These accounts, in this order; those that are gone are left out. */
    async users(ids: readonly string[]): Promise<User[]> {
      if (ids.length === 0) return []
      const rows = await tables()
        .selectFrom('accounts')
        .selectAll()
        .where('id', 'in', ids)
        .where('removing_at', 'is', null)
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return await Promise.all(ids.flatMap((id) => byId.get(id) ?? []).map(open))
    },

    hasPassword,

    /** Whether an account, by its id, has a password that somebody can type. */
    async hasOwnPassword(id: string): Promise<boolean> {
      const present = await stored(id)
      return present !== null && present.phc !== noPassword
    },

    /** Active administrators who have a password here, and so need no provider and no directory to come in. */
    async localAdministrators(): Promise<string[]> {
      const rows = await tables()
        .selectFrom('accounts')
        .select(['id', 'credential'])
        .where('role', '=', 'admin')
        .where('status', '=', 'active')
        .where('removing_at', 'is', null)
        .execute()
      const local = await Promise.all(rows.map(hasPassword))
      return rows.filter((_, at) => local[at]).map(({ id }) => id)
    },

    readLive,
    stored,

    async credential(id: string): Promise<string | null> {
      return (await stored(id))?.phc ?? null
    },

    /** All accounts, oldest first. */
    async page(limit: number, cursor: string | undefined): Promise<{ items: User[]; nextCursor: string | null }> {
      let query = tables()
        .selectFrom('accounts')
        .selectAll()
        .where('removing_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit + 1)
      if (cursor !== undefined) query = query.where(createdAfter(cursor))
      const { items, nextCursor } = cutPage(await query.execute(), limit, creationKey)
      return { items: await Promise.all(items.map(open)), nextCursor }
    },

    async update(id: string, change: ProfileChange, now: number): Promise<User | null> {
      const keyring = await vault.keyring(id)
      const { displayName, email } = change
      // A name that stays is not asked again: others may have looked like it before that was refused.
      const isSame = change.username !== undefined && (await user(id))?.username === change.username
      const username = isSame ? undefined : change.username
      const seal = (column: string, plain: string | null) =>
        plain === null ? null : keyring.seal(`accounts.${column}`, id, plain)
      const set: Partial<AccountRow> = { updated_at: now }
      if (username !== undefined) {
        Object.assign(set, { username_index: names.indexOf(username), username: seal('username', username) })
      }
      if (displayName !== undefined) set.display_name = seal('display_name', displayName)
      if (email !== undefined) {
        Object.assign(set, { email_index: email === null ? null : emailIndex(email), email: seal('email', email) })
        Object.assign(set, { email_verified_at: null, pending_email: null })
      }
      const row = await database.write<AccountTables, AccountRow | undefined>(async (trx) => {
        await requireFree(trx, id, username, email)
        const updated = await trx
          .updateTable('accounts')
          .set(set)
          .where('id', '=', id)
          .where('removing_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (updated && username !== undefined) await names.keep(trx, id, username)
        return updated
      })
      return row ? await open(row) : null
    },

    /**
     * Puts a hash of the same password in the place of one; gives it as it is stored. null when that one is not there any
     * more.
     */
    async renewCredential(id: string, before: Uint8Array, phc: string): Promise<Uint8Array | null> {
      const credential = (await vault.keyring(id)).seal('accounts.credential', id, phc)
      const changed = await tables()
        .updateTable('accounts')
        .set({ credential })
        .where('id', '=', id)
        .where('credential', '=', before)
        .returning('id')
        .execute()
      return changed.length > 0 ? credential : null
    },

    /** Seals a new password hash and runs `also` in the same transaction. */
    async setCredential<R>(
      id: string,
      phc: string,
      now: number,
      also: (trx: AccountTransaction) => Promise<R>,
    ): Promise<R> {
      const credential = (await vault.keyring(id)).seal('accounts.credential', id, phc)
      return await database.write<AccountTables, R>(async (trx) => {
        await trx.updateTable('accounts').set({ credential, updated_at: now }).where('id', '=', id).execute()
        return await also(trx)
      })
    },
  }
}

/** A hash that cannot be read is as good as none: no password fits it, until a new one is set. */
const openCredential = (keyring: Keyring, id: string, sealed: Uint8Array): string =>
  unlessUnreadable(() => keyring.open('accounts.credential', id, sealed), noPassword)

type Reader = Pick<AccountTransaction, 'selectFrom'>
