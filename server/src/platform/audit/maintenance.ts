/** Whether the chain still holds, and its old end, which goes when its time is over. */
import type { Database } from '../db/types.ts'
import type { Vault } from '../vault/types.ts'
import { linkOf } from './chain.ts'
import type { AuditTables } from './tables.ts'

export interface ChainCheck {
  readonly checked: number
  /** The last row that was looked at; the newest one when there is no next. */
  readonly lastSeq: number
  /** The first row that is missing or does not fit to the one before. */
  readonly brokenAt: number | null
  /** Where to go on; null at the end. */
  readonly nextSeq: number | null
  /** The digest of the newest row. */
  readonly head: string
}

const rowsPerCheck = 2_000
const rowsPerRemoval = 5_000

export const createChainMaintenance = ({ database, vault }: { database: Database; vault: Vault }) => ({
  /** Checks some thousand rows from one on. Rows that are added or go meanwhile do no harm: they are read as one picture. */
  check: (fromSeq: number): Promise<ChainCheck> =>
    database.write<AuditTables, ChainCheck>(async (trx) => {
      const head = await trx.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
      const start = Math.max(fromSeq, head.removed_seq + 1)
      const rows = await trx
        .selectFrom('audit_events')
        .selectAll()
        .where('seq', '>=', start - 1)
        .orderBy('seq')
        .limit(rowsPerCheck + 1)
        .execute()
      const before = rows[0]?.seq === start - 1 ? rows.shift() : undefined
      let hash = before?.hash ?? (start === head.removed_seq + 1 ? head.removed_hash : null)
      let seq = start - 1
      const broken = (at: number): ChainCheck => ({
        checked: seq - start + 1,
        lastSeq: seq,
        brokenAt: at,
        nextSeq: null,
        head: head.hash,
      })
      for (const row of rows.slice(0, rowsPerCheck)) {
        if (hash === null || row.seq !== seq + 1 || linkOf(vault, hash, row) !== row.hash) return broken(seq + 1)
        hash = row.hash
        seq = row.seq
      }
      if (seq < head.seq && rows.length < rowsPerCheck) return broken(seq + 1)
      if (seq > head.seq || (seq === head.seq && hash !== head.hash)) return broken(seq)
      const nextSeq = seq < head.seq ? seq + 1 : null
      return { checked: seq - start + 1, lastSeq: seq, brokenAt: null, nextSeq, head: head.hash }
    }, 'audit'),

  /** Removes rows from the old end that happened before a time; gives how many. The chain goes on from the last one of them. */
  async prune(before: number): Promise<number> {
    let removed = 0
    for (;;) {
      const count = await database.write<AuditTables, number>(async (trx) => {
        const old = await trx
          .selectFrom('audit_events')
          .select(['seq', 'hash', 'occurred_at'])
          .orderBy('seq')
          .limit(rowsPerRemoval)
          .execute()
        const end = old.findIndex(({ occurred_at }) => occurred_at >= before)
        const gone = end < 0 ? old : old.slice(0, end)
        const last = gone.at(-1)
        if (!last) return 0
        await trx.deleteFrom('audit_events').where('seq', '<=', last.seq).execute()
        await trx
          .updateTable('audit_head')
          .set({ removed_seq: last.seq, removed_hash: last.hash })
          .where('id', '=', 1)
          .execute()
        return gone.length
      }, 'audit')
      removed += count
      if (count < rowsPerRemoval) return removed
    }
  },
})
