/** Every SQL statement about calls. */
import { type SqlBool, sql, type Transaction } from 'kysely'
import { type Database, inTables, type AnyTransaction } from '../../../platform/db/types.ts'
import { isUniqueViolation } from '../../../platform/db/index.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { mostResultLetters } from '../rules.ts'
import type { CallRow, ToolsTables } from '../tables.ts'
import {
  type CallContent,
  type CallOutcome,
  type CallRecord,
  openOutcome,
  rowToRecord,
  sealContent,
  sealOutcome,
} from './call-records.ts'

/** What a call may not do to others: which kinds of words are in the answers of a chat already. */
export interface HeldWords {
  readonly privateData: boolean
  readonly foreignText: boolean
}

/** What happens in the same transaction. */
type Also = (trx: AnyTransaction) => Promise<void>
const nothing: Also = async () => undefined

export type CallStore = ReturnType<typeof createCallStore>

export const createCallStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const tables = () => database.tables<ToolsTables>()

  return {
    /** Inserts one, and does `also` with it; false: the answer has a call of this id already. */
    async insert(
      row: Omit<CallRow, 'content' | 'outcome'>,
      content: CallContent,
      also: Also = nothing,
    ): Promise<boolean> {
      const keyring = await vault.keyring(row.account_id)
      const sealed = await sealContent(keyring, row.id, content)
      try {
        await database.write<ToolsTables, void>(async (trx) => {
          await trx
            .insertInto('tool_calls')
            .values({ ...row, content: sealed, outcome: null })
            .execute()
          await also(trx)
        })
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    async find(accountId: string, subjectId: string, callId: string): Promise<CallRecord | null> {
      const row = await tables()
        .selectFrom('tool_calls')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('subject_id', '=', subjectId)
        .where('call_id', '=', callId)
        .executeTakeFirst()
      return row ? rowToRecord(await vault.keyring(accountId), row) : null
    },

    async byId(accountId: string, id: string): Promise<CallRecord | null> {
      const row = await tables()
        .selectFrom('tool_calls')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ? rowToRecord(await vault.keyring(accountId), row) : null
    },

    /** null: nothing came yet, or it cannot be read. */
    async outcomeOf(accountId: string, id: string): Promise<CallOutcome | null> {
      const row = await tables()
        .selectFrom('tool_calls')
        .select('outcome')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (!row?.outcome) return null
      return await openOutcome(await vault.keyring(accountId), id, row.outcome)
    },

    /** Takes it in hand as it was read; false: somebody else has, or it has ended. */
    async begin(
      { id, state, owner }: Pick<CallRecord, 'id' | 'state' | 'owner'>,
      change: Pick<CallRow, 'owner' | 'decided_by'> & { readonly started_at: number },
    ): Promise<boolean> {
      const as = tables()
        .updateTable('tool_calls')
        .set({ ...change, state: 'running' })
        .where('id', '=', id)
        .where('state', '=', state)
      // One that was begun is taken from the process that had it then.
      const { numUpdatedRows } = await (state === 'running'
        ? as.where('owner', '=', owner)
        : as
      ).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Of one that has not ended. */
    async setState(id: string, state: 'asking' | 'running', owner: string): Promise<void> {
      await tables()
        .updateTable('tool_calls')
        .set({ state, owner })
        .where('id', '=', id)
        .where('state', 'in', ['asking', 'running'])
        .execute()
    },

    async changeContent(accountId: string, id: string, content: CallContent): Promise<void> {
      const keyring = await vault.keyring(accountId)
      const sealed = await sealContent(keyring, id, content)
      await tables().updateTable('tool_calls').set({ content: sealed }).where('id', '=', id).execute()
    },

    /** Ends it once, and does `also` with it; false: it has ended, or is gone. */
    async end(
      { accountId, id, decidedBy }: Pick<CallRecord, 'accountId' | 'id' | 'decidedBy'>,
      state: Exclude<CallRow['state'], 'asking' | 'running'>,
      outcome: CallOutcome,
      now: number,
      also: Also = nothing,
    ): Promise<boolean> {
      const keyring = await vault.keyring(accountId)
      const sealed = await sealOutcome(keyring, id, outcome)
      return await database.write<ToolsTables, boolean>(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('tool_calls')
          .set({
            state,
            outcome: sealed,
            ended_at: now,
            ...(decidedBy !== null && { decided_by: decidedBy }),
            ...(outcome.quotes && { reads_private: 1, reads_foreign: 1 }),
          })
          .where('id', '=', id)
          .where('state', 'in', ['asking', 'running'])
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        await also(trx)
        return true
      })
    },

    /** Which words calls brought into the answers of a chat, or into one answer where there is no chat. */
    async heldIn(
      accountId: string,
      within: { readonly chatId: string | null; readonly subjectId: string },
    ): Promise<HeldWords> {
      const of = tables()
        .selectFrom('tool_calls')
        .select((by) => [
          by.fn.max<number | string | null>('reads_private').as('privateData'),
          by.fn.max<number | string | null>('reads_foreign').as('foreignText'),
        ])
        .where('account_id', '=', accountId)
        .where('started_at', 'is not', null)
      const row = await (within.chatId === null
        ? of.where('subject_id', '=', within.subjectId)
        : of.where('chat_id', '=', within.chatId)
      ).executeTakeFirst()
      return { privateData: Number(row?.privateData ?? 0) === 1, foreignText: Number(row?.foreignText ?? 0) === 1 }
    },

    /** Outcomes of the newest calls of a tool in a chat. */
    async outcomesIn(accountId: string, chatId: string, toolId: string, limit: number): Promise<CallOutcome[]> {
      const rows = await tables()
        .selectFrom('tool_calls')
        .select(['id', 'outcome'])
        .where('account_id', '=', accountId)
        .where('chat_id', '=', chatId)
        .where('tool_id', '=', toolId)
        .where('state', '=', 'succeeded')
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      const keyring = await vault.keyring(accountId)
      const opened = await Promise.all(
        rows.map(({ id, outcome }) => (outcome ? openOutcome(keyring, id, outcome) : Promise.resolve(null))),
      )
      return opened.filter((outcome) => outcome !== null)
    },

    /** Whether a call of an answer that changes something was begun. */
    async hadEffect(accountId: string, subjectId: string): Promise<boolean> {
      const row = await tables()
        .selectFrom('tool_calls')
        .select('id')
        .where('subject_id', '=', subjectId)
        .where('account_id', '=', accountId)
        .where('side_effect', '=', 1)
        .where('started_at', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Whether a call of a chat gave more than is told at once. */
    async hasLongResult(accountId: string, chatId: string): Promise<boolean> {
      const row = await tables()
        .selectFrom('tool_calls')
        .select('id')
        .where('account_id', '=', accountId)
        .where('chat_id', '=', chatId)
        .where(sql<SqlBool>`length(outcome) > ${mostResultLetters}`)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** How many an account made since a time; of one server, if it is named. */
    async countSince(accountId: string, since: number, serverId: string | null): Promise<number> {
      const of = tables()
        .selectFrom('tool_calls')
        .select((by) => by.fn.countAll<number | string>().as('count'))
        .where('account_id', '=', accountId)
        .where('created_at', '>', since)
      const row = await (serverId === null ? of : of.where('server_id', '=', serverId)).executeTakeFirstOrThrow()
      return Number(row.count)
    },

    /** Calls end with their questions, where nobody goes on with them: those that had not begun as denied. */
    async endAsking(trx: AnyTransaction, approvalIds: readonly string[], now: number): Promise<void> {
      if (approvalIds.length === 0) return
      await inTables<ToolsTables>(trx)
        .updateTable('tool_calls')
        .set({
          state: sql<CallRow['state']>`case when started_at is null then 'denied' else 'cancelled' end`,
          ended_at: now,
        })
        .where('state', '=', 'asking')
        .where('id', 'in', (by) =>
          by
            .selectFrom('tool_approvals')
            .select('record_id')
            .where('id', 'in', approvalIds)
            .where('state', '=', 'ended')
            .where((either) => either.or([either('place', '=', 0), either('waits', '=', 1)])),
        )
        .execute()
    },

    /** Those of an account, in one chat or in all. Gives the files of the outcomes that went. */
    async removeOf(accountId: string, chatId?: string): Promise<string[]> {
      const files: string[] = []
      for (;;) {
        const rows = await tables()
          .selectFrom('tool_calls')
          .select(['id', 'outcome'])
          .where('account_id', '=', accountId)
          .$if(chatId !== undefined, (query) => query.where('chat_id', '=', chatId ?? ''))
          .limit(100)
          .execute()
        if (rows.length === 0) return files
        for (const { id, outcome } of rows) {
          const read = outcome && (await openOutcome(await vault.keyring(accountId), id, outcome))
          if (read) files.push(...read.media.map(({ fileId }) => fileId))
        }
        const ids = rows.map(({ id }) => id)
        await database.write<ToolsTables, void>((trx: Transaction<ToolsTables>) => removeCalls(trx, ids))
      }
    },
  }
}

const removeCalls = async (trx: Transaction<ToolsTables>, ids: readonly string[]): Promise<void> => {
  await trx.deleteFrom('tool_approvals').where('record_id', 'in', ids).execute()
  await trx.deleteFrom('tool_calls').where('id', 'in', ids).execute()
}
