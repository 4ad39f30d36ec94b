/** Every SQL statement about sign-ins at tool servers, and about the clients that they are made with. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { digestOf } from '../../../core/accounts/index.ts'
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { Cookie } from '../../../platform/http/area.ts'
import type { Platform } from '../../../platform/platform.ts'
import { storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import { Endpoints, OAuthClient, SignIn } from './rules.ts'
import type { SignInRow, ToolOAuthTables } from './tables.ts'

/** A client, and whom it is known to. */
const StoredClient = z.object({
  client: OAuthClient,
  /** null: nobody was asked yet. */
  issuer: z.string().nullable(),
  /** The address to come back to that it was registered with; null where an administrator entered it. */
  redirectUrl: z.string().nullable(),
  /** What it was registered to ask for; null: nobody said. */
  scope: z.string().nullable(),
  /** When its secret ends, in milliseconds; null: never. */
  secretEndsAt: z.number().nullable(),
})
export type StoredClient = z.infer<typeof StoredClient>

/** What is known of one try from its beginning to its end. */
const Flow = z.object({
  verifier: z.string(),
  redirectUrl: z.string(),
  resource: z.string(),
  scope: z.string().nullable(),
  client: OAuthClient,
  endpoints: Endpoints,
})
export type Flow = z.infer<typeof Flow>

export interface PendingFlow extends Flow {
  readonly accountId: string
  readonly sessionId: string
  readonly serverId: string
}

export interface StoredSignIn {
  readonly id: string
  readonly accountId: string
  readonly serverId: string
  readonly signIn: SignIn
  readonly expiresAt: number | null
  readonly version: number
}

/** Whose sign-in, and where. */
export interface Where {
  readonly accountId: string
  readonly serverId: string
}

export const flowMs = 10 * 60_000
const administrator = 'administrator'

const clientJson = storedJson('tool_oauth_clients.content', StoredClient)
const signInJson = storedJson('tool_sign_ins.content', SignIn)
const flowJson = storedJson('tool_sign_in_flows.secrets', Flow)

export type OAuthStore = ReturnType<typeof createOAuthStore>

export const createOAuthStore = ({ database, vault, clock }: Pick<Platform, 'database' | 'vault' | 'clock'>) => {
  const tables = () => database.tables<ToolOAuthTables>()
  const nameOf = (issuer: string | null) =>
    issuer === null ? administrator : vault.blindIndex('tool_oauth_clients.issuer', issuer)

  const open = async (row: SignInRow): Promise<StoredSignIn | null> => {
    const keyring = await vault.keyring(row.account_id)
    const signIn = unlessUnreadable(() => signInJson.open(keyring, row.id, row.content), null)
    const { id, account_id: accountId, server_id: serverId, expires_at: expiresAt, version } = row
    return signIn && { id, accountId, serverId, signIn, expiresAt, version }
  }
  const contentOf = async (accountId: string, id: string, signIn: SignIn, expiresAt: number | null) => ({
    content: signInJson.seal(await vault.keyring(accountId), id, signIn),
    signed_in: signIn.grant ? (1 as const) : (0 as const),
    expires_at: signIn.grant ? expiresAt : null,
    refreshing_until: null,
  })

  return {
    /** The client that an administrator entered (`issuer` null), or that was registered with an issuer. */
    async client(serverId: string, issuer: string | null): Promise<StoredClient | null> {
      const row = await tables()
        .selectFrom('tool_oauth_clients')
        .selectAll()
        .where('server_id', '=', serverId)
        .where('name', '=', nameOf(issuer))
        .executeTakeFirst()
      if (!row) return null
      const keyring = await vault.keyring(null)
      return unlessUnreadable(() => clientJson.open(keyring, row.id, row.content), null)
    },

    /** Puts a client in its place; `unless`: only where none of it stands yet. */
    async saveClient(serverId: string, issuer: string | null, client: StoredClient, unless?: 'exists'): Promise<void> {
      const id = clock.id()
      const content = clientJson.seal(await vault.keyring(null), id, client)
      const name = nameOf(issuer)
      await database.write<ToolOAuthTables, void>(async (trx) => {
        if (!unless)
          await trx
            .deleteFrom('tool_oauth_clients')
            .where('server_id', '=', serverId)
            .where('name', '=', name)
            .execute()
        await trx
          .insertInto('tool_oauth_clients')
          .values({ id, server_id: serverId, name, content, created_at: clock.now() })
          .onConflict((on) => on.columns(['server_id', 'name']).doNothing())
          .execute()
      })
    },

    /** Whether there was one. */
    async removeClient(serverId: string, issuer: string | null): Promise<boolean> {
      const { numDeletedRows } = await tables()
        .deleteFrom('tool_oauth_clients')
        .where('server_id', '=', serverId)
        .where('name', '=', nameOf(issuer))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** The servers at which an account is signed in. */
    async signedIn(accountId: string): Promise<ReadonlySet<string>> {
      const rows = await tables()
        .selectFrom('tool_sign_ins')
        .select('server_id')
        .where('account_id', '=', accountId)
        .where('signed_in', '=', 1)
        .execute()
      return new Set(rows.map((row) => row.server_id))
    },

    /** How many accounts were signed in and have to do so again, by server. */
    async countEnded(): Promise<ReadonlyMap<string, number>> {
      const rows = await tables()
        .selectFrom('tool_sign_ins')
        .select((by) => ['server_id', by.fn.countAll<number | string>().as('count')])
        .where('signed_in', '=', 0)
        .groupBy('server_id')
        .execute()
      return new Map(rows.map((row) => [row.server_id, Number(row.count)]))
    },

    async find({ accountId, serverId }: Where): Promise<StoredSignIn | null> {
      const row = await tables()
        .selectFrom('tool_sign_ins')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('server_id', '=', serverId)
        .executeTakeFirst()
      return row ? await open(row) : null
    },

    /** Puts a sign-in in its place, whatever stands there; `trx`: with what else is written. */
    async put({ accountId, serverId }: Where, signIn: SignIn, expiresAt: number | null) {
      const id = clock.id()
      const changes = await contentOf(accountId, id, signIn, expiresAt)
      return async (trx: AnyTransaction): Promise<void> => {
        const there = inTables<ToolOAuthTables>(trx)
        await there
          .insertInto('tool_sign_ins')
          .values({ id, account_id: accountId, server_id: serverId, version: 1, ...changes })
          .onConflict((on) =>
            on.columns(['account_id', 'server_id']).doUpdateSet((eb) => ({
              id,
              ...changes,
              version: eb('tool_sign_ins.version', '+', 1),
            })),
          )
          .execute()
      }
    },

    /** Keeps what a server said to an account that was never signed in there. */
    async remember({ accountId, serverId }: Where, signIn: SignIn): Promise<void> {
      const id = clock.id()
      const changes = await contentOf(accountId, id, signIn, null)
      await tables()
        .insertInto('tool_sign_ins')
        .values({ id, account_id: accountId, server_id: serverId, version: 1, ...changes })
        .onConflict((on) => on.columns(['account_id', 'server_id']).doNothing())
        .execute()
    },

    /** Changes what stands, unless it has changed since it was read. Tells whether it did. */
    async replace(before: StoredSignIn, signIn: SignIn, expiresAt: number | null): Promise<boolean> {
      const changes = await contentOf(before.accountId, before.id, signIn, expiresAt)
      const { numUpdatedRows } = await tables()
        .updateTable('tool_sign_ins')
        .set({ ...changes, version: before.version + 1 })
        .where('id', '=', before.id)
        .where('version', '=', before.version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Takes the right to refresh it, for so long; one process has it at a time. */
    async beginRefresh({ id, version }: StoredSignIn, ms: number): Promise<boolean> {
      const now = clock.now()
      const { numUpdatedRows } = await tables()
        .updateTable('tool_sign_ins')
        .set({ refreshing_until: now + ms })
        .where('id', '=', id)
        .where('version', '=', version)
        .where((eb) => eb.or([eb('refreshing_until', 'is', null), eb('refreshing_until', '<=', now)]))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Gives it back where nothing came of it. */
    async endRefresh({ id, version }: StoredSignIn): Promise<void> {
      await tables()
        .updateTable('tool_sign_ins')
        .set({ refreshing_until: null })
        .where('id', '=', id)
        .where('version', '=', version)
        .execute()
    },

    /** Forgets a sign-in; gives what it was. */
    async take({ accountId, serverId }: Where): Promise<StoredSignIn | null> {
      const row = await tables()
        .deleteFrom('tool_sign_ins')
        .where('account_id', '=', accountId)
        .where('server_id', '=', serverId)
        .returningAll()
        .executeTakeFirst()
      return row ? await open(row) : null
    },

    /** Forgets all sign-ins at a server, or of an account; gives what they were. */
    async takeAll(of: { readonly serverId: string } | { readonly accountId: string }): Promise<StoredSignIn[]> {
      const query = tables().deleteFrom('tool_sign_ins')
      const rows = await ('serverId' in of
        ? query.where('server_id', '=', of.serverId)
        : query.where('account_id', '=', of.accountId)
      )
        .returningAll()
        .execute()
      const opened = await Promise.all(rows.map(open))
      return opened.filter((each) => each !== null)
    },

    /** Begins a try, bound to the browser by a cookie of its own, so that tabs do not disturb each other. */
    async beginFlow({ accountId, sessionId, serverId, ...flow }: PendingFlow, state: string): Promise<Cookie> {
      const browser = randomBytes(32).toString('base64url')
      const digest = digestOf(state)
      const now = clock.now()
      const secrets = flowJson.seal(await vault.keyring(null), digest, flow)
      await database.write<ToolOAuthTables, void>(async (trx) => {
        await trx.deleteFrom('tool_sign_in_flows').where('expires_at', '<=', now).execute()
        await trx
          .insertInto('tool_sign_in_flows')
          .values({
            state_digest: digest,
            browser_digest: digestOf(browser),
            server_id: serverId,
            account_id: accountId,
            session_id: sessionId,
            secrets,
            expires_at: now + flowMs,
          })
          .execute()
      })
      return { name: cookieOf(state), value: browser, sameSite: 'Lax', expiresAt: now + flowMs }
    },

    /** The try of this state, this browser and this server, once; null for anything else. */
    async takeFlow(state: string, browser: string, serverId: string): Promise<PendingFlow | null> {
      const row = await tables()
        .deleteFrom('tool_sign_in_flows')
        .where('state_digest', '=', digestOf(state))
        .where('browser_digest', '=', digestOf(browser))
        .where('server_id', '=', serverId)
        .returningAll()
        .executeTakeFirst()
      if (!row || row.expires_at <= clock.now()) return null
      const flow = flowJson.open(await vault.keyring(null), row.state_digest, row.secrets)
      return { ...flow, accountId: row.account_id, sessionId: row.session_id, serverId: row.server_id }
    },
  }
}

/** The name of the cookie that belongs to a state. */
export const cookieOf = (state: string): string => `atrium_tools_${digestOf(state).slice(0, 16)}`
