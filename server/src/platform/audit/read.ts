/** Reading the audit: pages for people, rows for a file. */
import type { AuditAction, AuditEvent } from '@atrium/contract/audit'
import { z } from 'zod'
import { cutPage, decodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/types.ts'
import { storedJson, unlessUnreadable } from '../stored-json.ts'
import type { Keyring, Vault } from '../vault/types.ts'
import type { AuditRow, AuditTables } from './tables.ts'

/** An event before the accounts in it have names. `hash`: its digest in the chain. */
export type StoredEvent = Omit<AuditEvent, 'actorName' | 'targetName' | 'names'> & { readonly hash: string }

export interface AuditFilter {
  readonly action?: readonly AuditAction[] | undefined
  readonly actor?: string | undefined
  readonly result?: AuditEvent['result'] | undefined
  readonly targetType?: string | undefined
  readonly targetId?: string | undefined
  /** Integer milliseconds; before this time, and at or after that one. */
  readonly before?: number | undefined
  readonly after?: number | undefined
}

const atOnce = 500

export const createReader = ({ database, vault }: { database: Database; vault: Vault }) => {
  const chosen = (filter: AuditFilter) => {
    const { action, actor, result, targetType, targetId, before, after } = filter
    let query = database.tables<AuditTables>().selectFrom('audit_events').selectAll()
    if (action) query = query.where('action', 'in', action)
    if (actor !== undefined) query = query.where('actor_account_id', '=', actor)
    if (result) query = query.where('result', '=', result)
    if (targetType !== undefined) query = query.where('target_type', '=', targetType)
    if (targetId !== undefined) query = query.where('target_id', '=', targetId)
    if (before !== undefined) query = query.where('occurred_at', '<', before)
    if (after !== undefined) query = query.where('occurred_at', '>=', after)
    return query
  }

  return {
    /** Newest first. Refuses with `bad_cursor`. */
    async page(
      filter: AuditFilter,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: StoredEvent[]; nextCursor: string | null }> {
      const keyring = await vault.keyring(null)
      let query = chosen(filter)
        .orderBy('seq', 'desc')
        .limit(limit + 1)
      // The place in the chain says it all; times of several processes need not be in order.
      if (cursor !== undefined) query = query.where('seq', '<', decodeCursor(cursor).time)
      const { items, nextCursor } = cutPage(await query.execute(), limit, ({ seq, id }) => ({ time: seq, id }))
      return { items: items.map((row) => open(keyring, row)), nextCursor }
    },

    /** All that is there when this begins, oldest first, some hundred at a time. */
    async *all(filter: AuditFilter): AsyncGenerator<StoredEvent[]> {
      const keyring = await vault.keyring(null)
      const { seq: last } = await database
        .tables<AuditTables>()
        .selectFrom('audit_head')
        .select('seq')
        .executeTakeFirstOrThrow()
      for (let from = 0; ; ) {
        const rows = await chosen(filter)
          .where('seq', '>', from)
          .where('seq', '<=', last)
          .orderBy('seq')
          .limit(atOnce)
          .execute()
        if (rows.length > 0) yield rows.map((row) => open(keyring, row))
        if (rows.length < atOnce) return
        from = rows.at(-1)?.seq ?? last
      }
    },
  }
}

const Body = z.object({
  requestId: z.string().nullable(),
  address: z.string().nullable(),
  details: z.record(z.string(), z.any()).nullable(),
})

const bodyJson = storedJson('audit_events.body', Body)
const unreadableBody = { requestId: null, address: null, details: null, unreadable: true } as const

const open = (keyring: Keyring, row: AuditRow): StoredEvent => ({
  seq: row.seq,
  id: row.id,
  occurredAt: new Date(row.occurred_at).toISOString(),
  actorKind: row.actor_kind as AuditEvent['actorKind'],
  actorUserId: row.actor_account_id,
  action: row.action as AuditAction,
  result: row.result as AuditEvent['result'],
  targetType: row.target_type,
  targetId: row.target_id,
  hash: row.hash,
  ...unlessUnreadable(() => bodyJson.open(keyring, row.id, row.body), unreadableBody),
})
