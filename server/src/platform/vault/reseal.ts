/** Seals again, with the key of another owner, what moves from one to the other. */
import { type RawBuilder, sql } from 'kysely'
import { type AnyTransaction, inTables } from '../db/types.ts'
import { VaultFailure } from './failure.ts'
import { placeOf, type SealedColumn } from './sealed-columns.ts'
import { readSealedRows } from './sealed-rows.ts'
import type { ColumnName, Keyring } from './types.ts'

/** Whose key opens, and whose seals. */
export interface ResealKeys {
  readonly from: Keyring
  readonly to: Keyring
}

/**
 * Seals the values of these columns again in the rows of which the condition holds. What does not open with the former
 * key stays as it is: it is sealed with the new one already, or was never readable.
 */
export const resealRows = async (
  trx: AnyTransaction,
  columns: readonly SealedColumn[],
  condition: RawBuilder<boolean>,
  { from, to }: ResealKeys,
): Promise<void> => {
  for (const column of columns)
    for await (const rows of readSealedRows(trx, column, condition))
      for (const { key, row, sealed } of rows) {
        const plain = await openUnless(from, placeOf(column), row, sealed)
        if (plain === null) continue
        const at = column.key.map((name, place) => sql`${sql.ref(name)} = ${key[place]}`)
        const again = await to.sealBytes(placeOf(column), row, plain)
        await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${again}
          where ${sql.join(at, sql` and `)}`.execute(inTables<unknown>(trx))
      }
}

/** null: it does not open with this key. */
const openUnless = async (
  keys: Keyring,
  place: ColumnName,
  row: string,
  sealed: Uint8Array,
): Promise<Uint8Array | null> => {
  try {
    return await keys.openBytes(place, row, sealed)
  } catch (error) {
    if (error instanceof VaultFailure) return null
    throw error
  }
}
