/** Calls of an account in the order of their time. */
import type { ToolDecider } from '@atrium/contract/generation'
import { type SqlBool, sql } from 'kysely'
import { creationKey, cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { ToolsTables } from '../tables.ts'
import { type CallRecord, rowToRecord } from './call-records.ts'

/** What the history may be narrowed to. */
export interface HistoryQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly toolId?: string | undefined
  readonly serverId?: string | undefined
  readonly chatId?: string | undefined
  readonly decidedBy?: ToolDecider | undefined
  /** RFC 3339. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly status?: 'awaiting_approval' | Exclude<CallRecord['state'], 'asking'> | undefined
}

/** All but what came of a call, which may be megabytes. */
const columns = [
  'id',
  'account_id',
  'chat_id',
  'subject_id',
  'run_id',
  'call_id',
  'tool_id',
  'tool_name',
  'source',
  'server_id',
  'digest',
  'state',
  'side_effect',
  'reads_private',
  'reads_foreign',
  'decided_by',
  'owner',
  'content',
  'created_at',
  'started_at',
  'ended_at',
] as const

export type HistoryStore = ReturnType<typeof createHistoryStore>

export const createHistoryStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const page = async (accountId: string, query: HistoryQuery) => {
    let of = database.tables<ToolsTables>().selectFrom('tool_calls').select(columns).where('account_id', '=', accountId)
    if (query.toolId !== undefined) of = of.where('tool_id', '=', query.toolId)
    if (query.serverId !== undefined) of = of.where('server_id', '=', query.serverId)
    if (query.chatId !== undefined) of = of.where('chat_id', '=', query.chatId)
    if (query.status !== undefined)
      of = of.where('state', '=', query.status === 'awaiting_approval' ? 'asking' : query.status)
    if (query.decidedBy !== undefined) of = of.where('decided_by', '=', query.decidedBy)
    if (query.from !== undefined) of = of.where('created_at', '>=', Date.parse(query.from))
    if (query.to !== undefined) of = of.where('created_at', '<', Date.parse(query.to))
    if (query.cursor !== undefined) {
      const { time, id } = decodeCursor(query.cursor)
      of = of.where(sql<SqlBool>`(created_at < ${time} or (created_at = ${time} and id < ${id}))`)
    }
    const rows = await of
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute()
    const { items, nextCursor } = cutPage(rows, query.limit, creationKey)
    const keyring = await vault.keyring(accountId)
    return { items: await Promise.all(items.map((row) => rowToRecord(keyring, row))), nextCursor }
  }

  return {
    page,

    /** All of an account, a page at a time. */
    async *all(accountId: string): AsyncIterable<readonly CallRecord[]> {
      let cursor: string | undefined
      do {
        const { items, nextCursor } = await page(accountId, { limit: 100, cursor })
        yield items
        cursor = nextCursor ?? undefined
      } while (cursor !== undefined)
    },
  }
}
