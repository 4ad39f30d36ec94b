/**
 * What the areas above accounts add to them. Each registers itself when it is created, so that accounts import none of
 * them; here what is registered is asked, one after the other.
 */
import type { User } from '@atrium/contract/accounts'
import type { SignInMeans } from '@atrium/contract/user-administration'
import type { RawBuilder } from 'kysely'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Caller, Context } from '../../platform/http/area.ts'
import type { AuditActor } from './audit-actor.ts'

export interface PasswordAttempt {
  readonly username: string
  readonly password: string
}

/** A directory or a provider that knows accounts. Every member is optional: some sign in, some only manage. */
export interface SignInProvider {
  /** What these accounts can sign in with because of it. */
  readonly methodsOf?: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, readonly SignInMeans[]>>
  /** Whether an account can sign in with it; asked within the transaction that removes another method. */
  readonly isLinked?: (trx: AnyTransaction, accountId: string) => Promise<boolean>
  /** The name of whoever manages each of these accounts from outside. */
  readonly managersOf?: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /**
   * Checks a password that is not the one kept here. `account`: who has this name here. null: not right there either.
   * May refuse, with what those who were right are told.
   */
  readonly checkPassword?: (
    attempt: PasswordAttempt,
    account: { readonly id: string; readonly phc: string } | null,
    context: Context<Caller | null>,
  ) => Promise<User | null>
  /** Where the session at the provider is ended as well, asked before the session here ends; null for nowhere. */
  readonly logoutUrl?: (accountId: string, sessionId: string, origin: string | null) => Promise<string | null>
}

export interface GroupName {
  readonly id: string
  readonly name: string
}

/** Groups of accounts. */
export interface GroupMemberships {
  /** The groups of each of these accounts that is in one, oldest first. */
  namesOf(accountIds: readonly string[]): Promise<ReadonlyMap<string, readonly GroupName[]>>
  /** Who is in which group, as a part of the list of accounts. */
  readonly memberships: RawBuilder<{ group_id: string; account_id: string }>
  /** Puts an account into those of these groups that still exist. */
  join(accountId: string, groupIds: readonly string[]): Promise<void>
  /** Takes an account out of all groups, within the transaction that begins its removal. */
  leaveAll(trx: AnyTransaction, accountId: string): Promise<void>
}

/** Credentials beside sessions: API tokens. */
export interface AccountCredentials {
  /** When one of each of these accounts was last used. */
  lastUsedAt(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Those that have not ended: open streams depend on them. */
  liveIds(accountId: string): Promise<readonly string[]>
  /** Revokes all of an account within a transaction; gives their ids. */
  revokeAll(trx: AnyTransaction, accountId: string, now: number): Promise<readonly string[]>
  /** Told after that transaction, by whom. */
  revoked(ids: readonly string[], actor: AuditActor): Promise<void>
}

export type AccountExtensions = ReturnType<typeof createAccountExtensions>

export const createAccountExtensions = () => {
  const providers: SignInProvider[] = []
  const groups: GroupMemberships[] = []
  const credentials: AccountCredentials[] = []

  return {
    registerSignInProvider: (provider: SignInProvider): void => void providers.push(provider),
    registerGroups: (memberships: GroupMemberships): void => void groups.push(memberships),
    registerCredentials: (kind: AccountCredentials): void => void credentials.push(kind),

    async methodsOf(accountIds: readonly string[]) {
      return joined(await Promise.all(providers.map(async ({ methodsOf }) => await methodsOf?.(accountIds))))
    },

    async isLinked(trx: AnyTransaction, accountId: string): Promise<boolean> {
      for (const { isLinked } of providers) if (await isLinked?.(trx, accountId)) return true
      return false
    },

    async managersOf(accountIds: readonly string[]) {
      const found = await Promise.all(providers.map(async ({ managersOf }) => await managersOf?.(accountIds)))
      return new Map(found.flatMap((managers) => [...(managers ?? [])]))
    },

    /** The first provider that accepts the password decides. */
    async checkPassword(...attempt: Parameters<NonNullable<SignInProvider['checkPassword']>>): Promise<User | null> {
      for (const { checkPassword } of providers) {
        const user = await checkPassword?.(...attempt)
        if (user) return user
      }
      return null
    },

    async logoutUrl(...session: Parameters<NonNullable<SignInProvider['logoutUrl']>>): Promise<string | null> {
      for (const { logoutUrl } of providers) {
        const url = await logoutUrl?.(...session)
        if (url) return url
      }
      return null
    },

    async groupsOf(accountIds: readonly string[]) {
      return joined(await Promise.all(groups.map((each) => each.namesOf(accountIds))))
    },
    memberships: () => groups.map((each) => each.memberships),
    async joinGroups(accountId: string, groupIds: readonly string[]): Promise<void> {
      for (const each of groups) await each.join(accountId, groupIds)
    },
    async leaveGroups(trx: AnyTransaction, accountId: string): Promise<void> {
      for (const each of groups) await each.leaveAll(trx, accountId)
    },

    async lastUsedAt(accountIds: readonly string[]) {
      const latest = new Map<string, number>()
      for (const each of credentials)
        for (const [id, at] of await each.lastUsedAt(accountIds)) latest.set(id, Math.max(latest.get(id) ?? 0, at))
      return latest
    },
    async liveCredentials(accountId: string): Promise<string[]> {
      return (await Promise.all(credentials.map((each) => each.liveIds(accountId)))).flat()
    },
    /** Revokes credentials within a transaction; gives their ids, and what is to be done after it. */
    async revokeCredentials(trx: AnyTransaction, accountId: string, now: number) {
      const ids: string[] = []
      const told: ((actor: AuditActor) => Promise<void>)[] = []
      for (const each of credentials) {
        const own = await each.revokeAll(trx, accountId, now)
        ids.push(...own)
        told.push((actor) => each.revoked(own, actor))
      }
      return {
        ids,
        async after(actor: AuditActor): Promise<void> {
          for (const tell of told) await tell(actor)
        },
      }
    },
  }
}

/** One map of several, with everything that they have for a key. */
const joined = <T>(maps: readonly (ReadonlyMap<string, readonly T[]> | undefined)[]): Map<string, T[]> => {
  const all = new Map<string, T[]>()
  for (const map of maps) for (const [key, values] of map ?? []) all.set(key, [...(all.get(key) ?? []), ...values])
  return all
}
