/** Every SQL statement about sign-ins elsewhere that accounts are linked with. */
import { storedJson, unlessUnreadable, unreadableWords } from '../../../platform/stored-json.ts'
import { providerKinds } from '@atrium/contract/sign-in-providers'
import { z } from 'zod'
import type { Database } from '../../../platform/db/types.ts'
import { inTables } from '../../../platform/db/types.ts'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { ProviderProfile } from './rules.ts'
import type { OAuthTables, IdentityRow } from './tables.ts'

const IdentityClaims = z.object({ label: z.string(), idToken: z.string().nullable() })
const claimsJson = storedJson('identities.claims', IdentityClaims)
const unreadableClaims = { label: unreadableWords, idToken: null }

export interface LinkedIdentity {
  readonly id: string
  readonly accountId: string
  readonly providerId: string
  /** What the provider calls the person. */
  readonly label: string
  /** The last ID token, as a hint who signs out. */
  readonly idToken: string | null
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** Who somebody is at a provider, as far as it takes to link. */
export type ProviderSubject = Pick<ProviderProfile, 'issuer' | 'subject' | 'names' | 'email' | 'idToken'>

type ProviderKind = (typeof providerKinds)[number]

const mostPerAccount = 20
/** So long a session of a provider is remembered. */
const sidMs = 30 * 24 * 3600_000

export type IdentityStore = ReturnType<typeof createIdentityStore>

export const createIdentityStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<OAuthTables>()
  const subjectIndex = ({ issuer, subject }: Pick<ProviderProfile, 'issuer' | 'subject'>) =>
    vault.blindIndex('identities.subject', JSON.stringify([issuer, subject]))
  const sidIndex = (issuer: string, sid: string) => vault.blindIndex('identities.sid', JSON.stringify([issuer, sid]))

  const open = async (row: IdentityRow): Promise<LinkedIdentity> => {
    const keyring = await vault.keyring(row.account_id)
    const kept = unlessUnreadable(() => claimsJson.open(keyring, row.id, row.claims), unreadableClaims)
    return {
      id: row.id,
      accountId: row.account_id,
      providerId: row.provider_id,
      ...kept,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }
  }
  const sealed = async (accountId: string, id: string, subject: ProviderSubject) =>
    (await vault.keyring(accountId)).seal(
      'identities.claims',
      id,
      JSON.stringify({ label: labelOf(subject), idToken: subject.idToken }),
    )

  return {
    /** What stands for a session there. */
    sidIndex,

    async find(
      providerId: string,
      subject: Pick<ProviderProfile, 'issuer' | 'subject'>,
    ): Promise<LinkedIdentity | null> {
      const row = await tables()
        .selectFrom('identities')
        .selectAll()
        .where('provider_id', '=', providerId)
        .where('subject_index', '=', subjectIndex(subject))
        .executeTakeFirst()
      return row ? await open(row) : null
    },

    async findBySid(providerId: string, issuer: string, sid: string): Promise<LinkedIdentity | null> {
      const row = await tables()
        .selectFrom('identity_sessions')
        .innerJoin('identities', 'identities.id', 'identity_sessions.identity_id')
        .selectAll('identities')
        .where('identity_sessions.sid_index', '=', sidIndex(issuer, sid))
        .where('identities.provider_id', '=', providerId)
        .executeTakeFirst()
      return row ? await open(row) : null
    },

    /** Oldest first. */
    async of(accountId: string): Promise<LinkedIdentity[]> {
      const rows = await tables()
        .selectFrom('identities')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return await Promise.all(rows.map(open))
    },

    /** Prepares a link; the function writes it within a transaction. Refuses with `identity_linked`. */
    async link(
      link: { id: string; accountId: string; providerId: string; subject: ProviderSubject },
      now: number,
    ): Promise<(trx: AnyTransaction) => Promise<void>> {
      const { id, accountId, providerId, subject } = link
      const claims = await sealed(accountId, id, subject)
      const index = subjectIndex(subject)
      return async (any) => {
        const trx = inTables<OAuthTables>(any)
        const rows = await trx
          .selectFrom('identities')
          .select(['provider_id', 'subject_index', 'account_id'])
          .where((by) =>
            by.or([
              by('account_id', '=', accountId),
              by.and([by('provider_id', '=', providerId), by('subject_index', '=', index)]),
            ]),
          )
          .execute()
        const own = rows.filter((row) => row.account_id === accountId)
        if (rows.some((row) => row.provider_id === providerId && row.subject_index === index))
          throw fail('identity_linked')
        if (own.length >= mostPerAccount) throw fail('conflict', 'You can link at most 20 sign-ins.')
        await trx
          .insertInto('identities')
          .values({
            id,
            account_id: accountId,
            provider_id: providerId,
            subject_index: index,
            claims,
            created_at: now,
            last_used_at: null,
          })
          .execute()
      }
    },

    /** For what belongs together with a line in the audit. */
    write: (work: (trx: AnyTransaction) => Promise<void>): Promise<void> =>
      database.write<OAuthTables, void>(work, 'audit'),

    /** Notes that it was used, and the session it has there. */
    async used(known: LinkedIdentity, profile: ProviderProfile, now: number): Promise<void> {
      const claims = await sealed(known.accountId, known.id, profile)
      await database.write<OAuthTables, void>(async (trx) => {
        await trx.updateTable('identities').set({ claims, last_used_at: now }).where('id', '=', known.id).execute()
        await trx
          .deleteFrom('identity_sessions')
          .where('seen_at', '<', now - sidMs)
          .execute()
        if (profile.sid === null) return
        await trx
          .insertInto('identity_sessions')
          .values({ identity_id: known.id, sid_index: sidIndex(profile.issuer, profile.sid), seen_at: now })
          .onConflict((on) => on.columns(['sid_index', 'identity_id']).doUpdateSet({ seen_at: now }))
          .execute()
      })
    },

    /** Removes one of an account; gives its provider. `also` runs last in the transaction. Refuses with `identity_not_found`. */
    async unlink(
      accountId: string,
      id: string,
      also: (trx: AnyTransaction, providerId: string) => Promise<void>,
    ): Promise<string> {
      return await database.write<OAuthTables, string>(async (trx) => {
        const rows = await trx
          .selectFrom('identities')
          .select(['id', 'provider_id'])
          .where('account_id', '=', accountId)
          .execute()
        const own = rows.find((row) => row.id === id)
        if (!own) throw fail('identity_not_found')
        await trx.deleteFrom('identities').where('id', '=', id).execute()
        await also(trx, own.provider_id)
        return own.provider_id
      }, 'audit')
    },

    /** With the providers of which kind these accounts are linked. */
    async kindsOf(accountIds: readonly string[]): Promise<Map<string, ProviderKind[]>> {
      if (accountIds.length === 0) return new Map()
      const rows = await tables()
        .selectFrom('identities')
        .leftJoin('identity_providers', 'identity_providers.id', 'identities.provider_id')
        .select(['identities.account_id', 'identities.provider_id', 'identity_providers.kind'])
        .where('identities.account_id', 'in', accountIds)
        .execute()
      const found = new Map<string, Set<ProviderKind>>()
      for (const { account_id, provider_id, kind } of rows) {
        // Those of the environment have no row, and are called after their kind.
        const known = kind ?? providerKinds.find((name) => name === provider_id) ?? 'oidc'
        found.set(account_id, (found.get(account_id) ?? new Set()).add(known))
      }
      return new Map([...found].map(([accountId, kinds]) => [accountId, [...kinds]]))
    },

    /** Whether an account is linked with any, asked within somebody's transaction. */
    async isLinked(trx: AnyTransaction, accountId: string): Promise<boolean> {
      const row = await inTables<OAuthTables>(trx)
        .selectFrom('identities')
        .select('id')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

const labelOf = ({ names, email, subject }: ProviderSubject): string => (email ?? names[0] ?? subject).slice(0, 200)
