/** What this room asks of sessions: whether one is live, and how they began. */
import type { SessionKind } from '@atrium/contract/authentication'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { AccountTables } from '../../accounts/tables.ts'

export type SessionReader = ReturnType<typeof createSessionReader>

export const createSessionReader = ({ database, clock }: { database: Database; clock: Clock }) => {
  const live = (accountId: string) =>
    database
      .tables<AccountTables>()
      .selectFrom('auth_sessions')
      .select(['id', 'kind'])
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', clock.now())
  return {
    /** How a live session began; null when it is over. */
    async kindOf(accountId: string, sessionId: string): Promise<SessionKind | null> {
      return (await live(accountId).where('id', '=', sessionId).executeTakeFirst())?.kind ?? null
    },
    /**
     * The live sessions that began on a road before a time; where `upstream` names a session there, those that came
     * from it, and those of which it is not known where they came from.
     */
    async idsOfKind(accountId: string, kind: SessionKind, before: number, upstream: string | null): Promise<string[]> {
      let query = live(accountId).where('kind', '=', kind).where('created_at', '<', before)
      if (upstream !== null)
        query = query.where((by) => by.or([by('upstream_index', '=', upstream), by('upstream_index', 'is', null)]))
      return (await query.execute()).map(({ id }) => id)
    },
  }
}
