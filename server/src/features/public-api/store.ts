/** Every SQL statement of `/v1`: answers under idempotency keys, sealed. */
import type { Database } from '../../platform/db/types.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { StoredAnswerRow, PublicApiTables } from './tables.ts'

export interface StoredAnswer {
  readonly mediaType: string
  readonly body: Uint8Array
}

/** The record of a key; null when it was free and is now claimed. */
export type IdempotencyRecord = { readonly digest: string; readonly answer: StoredAnswer | null } | null

export interface IdempotencyClaim {
  readonly id: string
  readonly accountId: string
  readonly digest: string
  readonly now: number
  /** What is older is as good as gone: whole answers, and requests whose end nobody saw. */
  readonly answersSince: number
  readonly runningSince: number
}

export type AnswerStore = ReturnType<typeof createAnswerStore>

export const createAnswerStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<PublicApiTables>()
  const place = 'kept_answers.answer'

  return {
    /** Claims a key for one request, or returns its record. */
    async claim({
      id,
      accountId,
      digest,
      now,
      answersSince,
      runningSince,
    }: IdempotencyClaim): Promise<IdempotencyRecord> {
      const row = await database.write<PublicApiTables, StoredAnswerRow | null>(async (trx) => {
        const there = await trx.selectFrom('kept_answers').selectAll().where('id', '=', id).executeTakeFirst()
        if (there && there.created_at >= (there.answer === null ? runningSince : answersSince)) return there
        const fresh = { digest, media_type: null, answer: null, created_at: now }
        await trx
          .insertInto('kept_answers')
          .values({ id, account_id: accountId, ...fresh })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(fresh))
          .execute()
        return null
      })
      if (!row) return null
      if (row.answer === null || row.media_type === null) return { digest: row.digest, answer: null }
      const body = await (await vault.keyring(accountId)).openBytes(place, id, row.answer)
      return { digest: row.digest, answer: { mediaType: row.media_type, body } }
    },

    /** Nothing where another request has the key by now. */
    async saveAnswer({ id, accountId, now }: IdempotencyClaim, { mediaType, body }: StoredAnswer): Promise<void> {
      const answer = await (await vault.keyring(accountId)).sealBytes(place, id, body)
      await tables()
        .updateTable('kept_answers')
        .set({ media_type: mediaType, answer })
        .where('id', '=', id)
        .where('created_at', '=', now)
        .execute()
    },

    /** Frees the key of a request that failed; nothing where another one has it by now. */
    async release({ id, now }: IdempotencyClaim): Promise<void> {
      await tables()
        .deleteFrom('kept_answers')
        .where('id', '=', id)
        .where('created_at', '=', now)
        .where('answer', 'is', null)
        .execute()
    },

    async prune(before: number): Promise<void> {
      await tables().deleteFrom('kept_answers').where('created_at', '<', before).execute()
    },
  }
}
