/** Every SQL statement about what is asked of people; rows become records here and nowhere else. */
import { ToolApproval, type ToolDecision } from '@atrium/contract/generation'
import { z } from 'zod'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import { readableOf, storedJson } from '../../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { ApprovalRow, ToolsTables } from '../tables.ts'

/** `isTemporary`: what is allowed for its chat holds once. `isBound`: only the very run of the call that asked can use the answer. */
const Question = z.strictObject({ approval: ToolApproval, isTemporary: z.boolean(), isBound: z.boolean().optional() })
const Answer = z.strictObject({
  arguments: z.string().optional(),
  answers: z.record(z.string(), z.unknown()).optional(),
})
export type ApprovalAnswer = z.infer<typeof Answer>

const questionJson = storedJson('tool_approvals.question', Question)
const answerJson = storedJson('tool_approvals.answer', Answer)

/** Times are milliseconds. */
export interface ApprovalRecord extends z.infer<typeof Question> {
  readonly id: string
  readonly accountId: string
  readonly chatId: string | null
  readonly subjectId: string
  readonly recordId: string
  readonly kind: ApprovalRow['kind']
  readonly state: ApprovalRow['state']
  readonly decision: ToolDecision | null
  readonly answer: ApprovalAnswer
  readonly waits: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

export interface NewApproval {
  readonly id: string
  readonly accountId: string
  readonly chatId: string | null
  readonly subjectId: string
  readonly recordId: string
  readonly place: number
  readonly kind: ApprovalRow['kind']
  readonly argumentsDigest: string
  readonly approval: ToolApproval
  readonly isTemporary: boolean
  readonly isBound: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>

export const createApprovalStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const tables = () => database.tables<ToolsTables>()
  const open = async (row: ApprovalRow | undefined): Promise<ApprovalRecord | null> =>
    row ? rowToApproval(await vault.keyring(row.account_id), row) : null

  return {
    /** Prepares to insert one within a transaction. */
    async prepareInsert(given: NewApproval): Promise<(trx: AnyTransaction) => Promise<void>> {
      const keyring = await vault.keyring(given.accountId)
      const row: ApprovalRow = {
        id: given.id,
        account_id: given.accountId,
        chat_id: given.chatId ?? '',
        subject_id: given.subjectId,
        record_id: given.recordId,
        place: given.place,
        kind: given.kind,
        arguments_digest: given.argumentsDigest,
        state: 'pending',
        decision: null,
        question: questionJson.seal(keyring, given.id, {
          approval: given.approval,
          isTemporary: given.isTemporary,
          ...(given.isBound && { isBound: true }),
        }),
        answer: null,
        waits: 0,
        resumed: 0,
        created_at: given.createdAt,
        expires_at: given.expiresAt,
        decided_at: null,
      }
      return async (trx) => void (await inTables<ToolsTables>(trx).insertInto('tool_approvals').values(row).execute())
    },

    async ofCall(recordId: string, place: number): Promise<ApprovalRecord | null> {
      const row = await tables()
        .selectFrom('tool_approvals')
        .selectAll()
        .where('record_id', '=', recordId)
        .where('place', '=', place)
        .executeTakeFirst()
      return await open(row)
    },

    /** Whether a call asked what only the very run that asked can use the answer to. */
    async hasBound(accountId: string, recordId: string): Promise<boolean> {
      const rows = await tables()
        .selectFrom('tool_approvals')
        .select(['id', 'question'])
        .where('record_id', '=', recordId)
        .where('place', '>', 0)
        .execute()
      const keyring = await vault.keyring(accountId)
      return rows.some(({ id, question }) => questionJson.open(keyring, id, question).isBound === true)
    },

    async find(accountId: string, id: string): Promise<ApprovalRecord | null> {
      const row = await tables()
        .selectFrom('tool_approvals')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return await open(row)
    },

    /** What waits for an account, the oldest first. */
    async pending(accountId: string, now: number): Promise<ApprovalRecord[]> {
      const rows = await tables()
        .selectFrom('tool_approvals')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('state', '=', 'pending')
        .where('expires_at', '>', now)
        .orderBy('created_at')
        .orderBy('id')
        .limit(200)
        .execute()
      const keyring = await vault.keyring(accountId)
      return readableOf(rows, (row) => rowToApproval(keyring, row))
    },

    /** Prepares to decide one within a transaction, which gives false where it was decided before. */
    async prepareDecision(
      { accountId, id }: Pick<ApprovalRecord, 'accountId' | 'id'>,
      decision: ToolDecision,
      answer: ApprovalAnswer,
    ): Promise<(trx: AnyTransaction, now: number) => Promise<boolean>> {
      const sealed = answerJson.seal(await vault.keyring(accountId), id, answer)
      return async (trx, now) => {
        const { numUpdatedRows } = await inTables<ToolsTables>(trx)
          .updateTable('tool_approvals')
          .set({ state: 'decided', decision, answer: sealed, decided_at: now })
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .where('expires_at', '>', now)
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n
      }
    },

    /** The answer ends without a decision, and goes on with it later; false: it is decided. */
    async startWaiting(id: string): Promise<boolean> {
      const { numUpdatedRows } = await tables()
        .updateTable('tool_approvals')
        .set({ waits: 1 })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Its answer goes on, and it is asked about again. */
    async stopWaiting(id: string): Promise<void> {
      await tables().updateTable('tool_approvals').set({ waits: 0 }).where('id', '=', id).execute()
    },

    /** A run of an answer ended before its calls did: it goes on once all that they asked is decided, or at once if it is. */
    async leaveWaiting(trx: AnyTransaction, subjectId: string): Promise<void> {
      await inTables<ToolsTables>(trx)
        .updateTable('tool_approvals')
        .set({ waits: 1, resumed: 0 })
        .where('subject_id', '=', subjectId)
        .execute()
    },

    /** The tools of the calls that asked, by the ids of what they asked. */
    async toolsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await tables()
        .selectFrom('tool_approvals')
        .innerJoin('tool_calls', 'tool_calls.id', 'tool_approvals.record_id')
        .select(['tool_approvals.id', 'tool_calls.tool_id'])
        .where('tool_approvals.id', 'in', ids)
        .execute()
      return new Map(rows.map((row) => [row.id, row.tool_id]))
    },

    /**
     * What was not decided and will not be any more: denied. Gives those that it ended. `resumes`: its answer goes on where it
     * waits for it.
     */
    async endPending(
      trx: AnyTransaction,
      ids: readonly string[],
      { now, resumes }: { readonly now: number; readonly resumes: boolean },
    ): Promise<readonly Pick<ApprovalRecord, 'id' | 'recordId' | 'kind'>[]> {
      if (ids.length === 0) return []
      return await inTables<ToolsTables>(trx)
        .updateTable('tool_approvals')
        .set({ state: 'ended', decision: 'deny', decided_at: now, resumed: resumes ? 0 : 1 })
        .where('id', 'in', ids)
        .where('state', '=', 'pending')
        .returning(['id', 'record_id as recordId', 'kind'])
        .execute()
    },

    async pendingOf(of: { readonly subjectId: string } | { readonly chatId: string } | { readonly recordId: string }) {
      const [column, value] =
        'chatId' in of
          ? (['chat_id', of.chatId] as const)
          : 'recordId' in of
            ? (['record_id', of.recordId] as const)
            : (['subject_id', of.subjectId] as const)
      return await tables()
        .selectFrom('tool_approvals')
        .select(['id', 'account_id as accountId'])
        .where(column, '=', value)
        .where('state', '=', 'pending')
        .execute()
    },

    /** Those whose time is over. */
    async expired(now: number, limit: number) {
      return await tables()
        .selectFrom('tool_approvals')
        .select(['id', 'account_id as accountId', 'subject_id as subjectId', 'waits'])
        .where('state', '=', 'pending')
        .where('expires_at', '<=', now)
        .limit(limit)
        .execute()
    },

    /** Answers that ended as waiting, of which everything is decided, and that nobody was told to go on with. */
    async toResume(subjectId: string | null, limit: number) {
      const of = tables()
        .selectFrom('tool_approvals as one')
        .select(['one.subject_id as subjectId', 'one.account_id as accountId', 'one.id as id'])
        .where('one.waits', '=', 1)
        .where('one.resumed', '=', 0)
        .where('one.state', '!=', 'pending')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('tool_approvals as other')
                .select('other.id')
                .whereRef('other.subject_id', '=', 'one.subject_id')
                .where('other.state', '=', 'pending'),
            ),
          ),
        )
      return await (subjectId === null ? of : of.where('one.subject_id', '=', subjectId)).limit(limit).execute()
    },

    async markResumed(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      await tables().updateTable('tool_approvals').set({ resumed: 1 }).where('id', 'in', ids).execute()
    },
  }
}

const rowToApproval = (keyring: Keyring, row: ApprovalRow): ApprovalRecord => ({
  id: row.id,
  accountId: row.account_id,
  chatId: row.chat_id === '' ? null : row.chat_id,
  subjectId: row.subject_id,
  recordId: row.record_id,
  kind: row.kind,
  state: row.state,
  decision: row.decision,
  ...questionJson.open(keyring, row.id, row.question),
  answer: row.answer === null ? {} : answerJson.open(keyring, row.id, row.answer),
  waits: row.waits === 1,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
