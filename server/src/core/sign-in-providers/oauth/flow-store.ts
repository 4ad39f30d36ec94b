/** SQL of authorization flows: what waits between the redirect and the callback, and after the callback. Each is taken once. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { Cookie } from '../../../platform/http/area.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { digestOf } from '../../accounts/index.ts'
import type { FlowResultRow, AuthorizationFlowRow, OAuthTables } from './tables.ts'

const FlowSecrets = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  callbackUrl: z.string(),
  next: z.string(),
  /** A window was opened for it. */
  inWindow: z.boolean(),
  /** Somebody pressed a button of ours for it. */
  byClick: z.boolean().default(false),
})
export type FlowSecrets = z.infer<typeof FlowSecrets>

export type FlowPurpose = AuthorizationFlowRow['purpose']
export interface PendingFlow extends FlowSecrets {
  readonly providerId: string
  readonly purpose: FlowPurpose
  readonly accountId: string | null
  readonly sessionId: string | null
}

interface FlowResult {
  readonly id: string
  readonly accountId: string
  readonly providerId: string
  readonly content: unknown
}

export const flowMs = 10 * 60_000
const transferMs = 60_000
const askedMs = 10 * 60_000
const trialMs = 60 * 60_000

export type PendingFlows = ReturnType<typeof createPendingFlows>

export const createPendingFlows = (deps: { database: Database; vault: Vault; clock: Clock }) => {
  const { database, vault, clock } = deps
  const tables = () => database.tables<OAuthTables>()
  const secret = () => randomBytes(32).toString('base64url')

  const keep = async (
    id: string,
    row: Pick<FlowResultRow, 'purpose' | 'token_digest' | 'account_id' | 'provider_id' | 'expires_at'>,
    content: unknown,
  ) => {
    const sealed = (await vault.keyring(row.account_id)).seal('external_arrivals.content', id, JSON.stringify(content))
    await database.write<OAuthTables, void>(async (trx) => {
      await trx.deleteFrom('external_arrivals').where('expires_at', '<=', clock.now()).execute()
      await trx
        .insertInto('external_arrivals')
        .values({ id, ...row, content: sealed })
        .execute()
    })
  }
  const open = async (row: FlowResultRow): Promise<FlowResult> => {
    const keyring = await vault.keyring(row.account_id)
    const content: unknown = JSON.parse(keyring.open('external_arrivals.content', row.id, row.content))
    return { id: row.id, accountId: row.account_id, providerId: row.provider_id, content }
  }

  return {
    /** Begins a try, bound to the browser by a cookie of its own, so that tabs do not disturb each other. */
    async begin(
      flow: Omit<PendingFlow, 'state' | 'nonce' | 'verifier'>,
    ): Promise<{ secrets: FlowSecrets; cookie: Cookie }> {
      const { providerId, purpose, accountId, sessionId, ...way } = flow
      const secrets = { state: secret(), nonce: secret(), verifier: secret(), ...way }
      const browser = secret()
      const digest = digestOf(secrets.state)
      const now = clock.now()
      const sealed = (await vault.keyring(null)).seal('external_flows.secrets', digest, JSON.stringify(secrets))
      await database.write<OAuthTables, void>(async (trx) => {
        await trx.deleteFrom('external_flows').where('expires_at', '<=', now).execute()
        await trx
          .insertInto('external_flows')
          .values({
            state_digest: digest,
            browser_digest: digestOf(browser),
            provider_id: providerId,
            purpose,
            account_id: accountId,
            session_id: sessionId,
            secrets: sealed,
            expires_at: now + flowMs,
          })
          .execute()
      })
      const name = cookieOf(digest)
      return { secrets, cookie: { name, value: browser, sameSite: 'Lax', expiresAt: now + flowMs } }
    },

    /** The name of the cookie that belongs to a state. */
    cookieOf: (state: string): string => cookieOf(digestOf(state)),

    /** The try of this state and this browser with this provider, once; null for anything else. */
    async take(state: string, browser: string, providerId: string): Promise<PendingFlow | null> {
      const row = await tables()
        .deleteFrom('external_flows')
        .where('state_digest', '=', digestOf(state))
        .where('browser_digest', '=', digestOf(browser))
        .where('provider_id', '=', providerId)
        .returningAll()
        .executeTakeFirst()
      if (!row || row.expires_at <= clock.now()) return null
      const keyring = await vault.keyring(null)
      const secrets = FlowSecrets.parse(
        JSON.parse(keyring.open('external_flows.secrets', row.state_digest, row.secrets)),
      )
      return {
        ...secrets,
        providerId: row.provider_id,
        purpose: row.purpose,
        accountId: row.account_id,
        sessionId: row.session_id,
      }
    },

    /** Keeps what somebody is about to take with a cookie: a session for a minute, what a person decides about for ten. */
    async keepResult(
      purpose: 'sign-in' | 'link',
      { accountId, providerId, content }: Omit<FlowResult, 'id'>,
      isAsked = purpose === 'link',
    ): Promise<{ token: string; expiresAt: number }> {
      const token = secret()
      const expiresAt = clock.now() + (isAsked ? askedMs : transferMs)
      const row = { purpose, token_digest: digestOf(token), account_id: accountId, provider_id: providerId }
      await keep(clock.id(), { ...row, expires_at: expiresAt }, content)
      return { token, expiresAt }
    },

    /** What waits for this cookie, taken out of the waiting. */
    async takeResult(purpose: 'sign-in' | 'link', token: string): Promise<FlowResult | null> {
      const row = await tables()
        .deleteFrom('external_arrivals')
        .where('token_digest', '=', digestOf(token))
        .where('purpose', '=', purpose)
        .returningAll()
        .executeTakeFirst()
      return row && row.expires_at > clock.now() ? await open(row) : null
    },

    /** What waits for this cookie; it goes on waiting. */
    async readResult(purpose: 'sign-in' | 'link', token: string): Promise<FlowResult | null> {
      const row = await tables()
        .selectFrom('external_arrivals')
        .selectAll()
        .where('token_digest', '=', digestOf(token))
        .where('purpose', '=', purpose)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      return row ? await open(row) : null
    },

    /** Keeps the result of a trial for who tried. */
    async keepTrial(id: string, { accountId, providerId, content }: Omit<FlowResult, 'id'>): Promise<void> {
      const row = { purpose: 'trial', token_digest: null, account_id: accountId, provider_id: providerId } as const
      await keep(id, { ...row, expires_at: clock.now() + trialMs }, content)
    },

    async trial(accountId: string, id: string): Promise<unknown> {
      const row = await tables()
        .selectFrom('external_arrivals')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('purpose', '=', 'trial')
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      return row ? (await open(row)).content : null
    },
  }
}

const cookieOf = (digest: string): string => `atrium_oauth_${digest.slice(0, 16)}`
