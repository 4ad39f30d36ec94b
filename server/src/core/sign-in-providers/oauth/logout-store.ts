/** Every SQL statement about logout tokens of providers. */
import type { Database } from '../../../platform/db/types.ts'
import { digestOf } from '../../accounts/index.ts'
import type { SignInProvidersDeps } from '../context.ts'
import type { OAuthTables } from './tables.ts'

export const createLogoutStore = (deps: {
  database: Database
  endSession: SignInProvidersDeps['accounts']['sessionStore']['end']
}) => ({
  /**
   * Remembers a token and ends sessions in one transaction; gives those that ended, null for a token that was taken
   * before.
   */
  takeOnce: (
    { issuer, jti, rememberedMs }: { issuer: string; jti: string; rememberedMs: number },
    { accountId, sessionIds }: { accountId: string; sessionIds: readonly string[] },
    now: number,
  ): Promise<string[] | null> =>
    deps.database.write<OAuthTables, string[] | null>(async (trx) => {
      await trx.deleteFrom('logout_tokens').where('expires_at', '<=', now).execute()
      const taken = await trx
        .insertInto('logout_tokens')
        .values({ token_digest: digestOf(JSON.stringify([issuer, jti])), expires_at: now + rememberedMs })
        .onConflict((on) => on.doNothing())
        .returning('token_digest')
        .execute()
      if (taken.length === 0) return null
      const ended: string[] = []
      for (const id of sessionIds) ended.push(...(await deps.endSession(trx, accountId, { only: id }, now)))
      return ended
    }),
})
