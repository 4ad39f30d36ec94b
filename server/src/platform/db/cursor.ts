/** Page markers for lists that are ordered by time and id: opaque to clients, checked on the way back. */
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { fail } from '../http/refusal.ts'

/** The place of a row in such a list. */
export interface CursorKey {
  /** Integer milliseconds. */
  readonly time: number
  readonly id: string
}

export const encodeCursor = ({ time, id }: CursorKey): string => Buffer.from(`${time}.${id}`).toString('base64url')

/** Gives the place back. Refuses with `bad_cursor` what was not made by `encodeCursor`. */
export const decodeCursor = (cursor: string): CursorKey => {
  const [, time, id] = /^(\d{1,16})\.([\w:.-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || id === undefined) throw fail('bad_cursor')
  const key = { time: Number(time), id }
  if (!Number.isSafeInteger(key.time) || encodeCursor(key) !== cursor) throw fail('bad_cursor')
  return key
}

/** Cuts a page from rows that were asked for with `limit + 1`, and says where the next one begins. */
export const cutPage = <Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => CursorKey,
): { items: Row[]; nextCursor: string | null } => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

/** The place of a row in the order in which rows were created. */
export const creationKey = ({ created_at, id }: { readonly created_at: number; readonly id: string }): CursorKey => ({
  time: created_at,
  id,
})

/** Rows created behind a place. Refuses with `bad_cursor`. */
export const createdAfter = (cursor: string): RawBuilder<SqlBool> => {
  const { time, id } = decodeCursor(cursor)
  return sql<SqlBool>`(created_at > ${time} or (created_at = ${time} and id > ${id}))`
}

/** The same where those created last come first. */
export const createdBefore = (cursor: string): RawBuilder<SqlBool> => {
  const { time, id } = decodeCursor(cursor)
  return sql<SqlBool>`(created_at, id) < (${time}, ${id})`
}

/** Deleted rows behind a place, where the latest deleted come first; all where there is none. */
export const deletedBehind = (after: CursorKey | null): RawBuilder<SqlBool> =>
  after === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(deleted_at, id) < (${after.time}, ${after.id})`
