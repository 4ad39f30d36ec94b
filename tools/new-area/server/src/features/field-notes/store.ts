/** Field notes in the database, sealed with the keys of their owner, and their words in the index. */
import type { FieldNote } from '@atrium/contract/field-notes'
import { type Transaction, sql } from 'kysely'
import { createTrashStore, type PlaceRow } from '../../core/resources/index.ts'
import { createdBefore, creationKey, cutPage } from '../../platform/db/cursor.ts'
import { openWords } from '../../platform/stored-json.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { FieldNotesDeps } from './context.ts'
import type { FieldNoteRow, FieldNoteTables } from './tables.ts'

/** A field note as its owner wrote it; times are integer milliseconds. */
export interface StoredFieldNote {
  readonly id: string
  readonly accountId: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
  /** When it went to the trash. */
  readonly deletedAt: number | null
}

/** Where all field notes stand, for the question who may see them. In the trash one is its owner's alone. */
export const fieldNotePlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id,
  case when deleted_at is null then 1 else 0 end as shown from field_notes`

/** The partition of the index that holds an account's field notes. */
export const partitionOf = (accountId: string): string => `field-notes:${accountId}`

/** `ownerName`: null for the owner. */
export const toFieldNote = (
  { id, title, createdAt, updatedAt }: StoredFieldNote,
  ownerName: string | null,
): FieldNote => ({
  id,
  title,
  createdAt: toIsoTime(createdAt),
  updatedAt: toIsoTime(updatedAt),
  ownerName,
})

export type FieldNoteStore = ReturnType<typeof createFieldNoteStore>

export const createFieldNoteStore = ({ access, database, indexes: { texts }, vault }: FieldNotesDeps) => {
  const tables = database.tables<FieldNoteTables>()
  const live = () => tables.selectFrom('field_notes').selectAll().where('deleted_at', 'is', null)

  const seal = async (fieldNote: StoredFieldNote): Promise<FieldNoteRow> => ({
    id: fieldNote.id,
    account_id: fieldNote.accountId,
    title: (await vault.keyring(fieldNote.accountId)).seal('field_notes.title', fieldNote.id, fieldNote.title),
    created_at: fieldNote.createdAt,
    updated_at: fieldNote.updatedAt,
    deleted_at: fieldNote.deletedAt,
  })
  const open = async (row: FieldNoteRow): Promise<StoredFieldNote> => ({
    id: row.id,
    accountId: row.account_id,
    title: openWords(await vault.keyring(row.account_id), 'field_notes.title', row.id, row.title),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  })
  const openAll = (rows: readonly FieldNoteRow[]): Promise<StoredFieldNote[]> => Promise.all(rows.map(open))

  /** The words of one that is not in the trash, for the index. */
  const hashWords = ({ id, accountId, title, createdAt, deletedAt }: StoredFieldNote) => {
    const entry = { id: `field-note:${id}`, group: id, partition: partitionOf(accountId), time: createdAt, facets: [] }
    return texts.hash(deletedAt === null ? [{ ...entry, text: title, prefixes: true }] : [])
  }
  const removeTraces = async (trx: Transaction<FieldNoteTables>, ids: readonly string[]): Promise<void> => {
    await texts.removeGroups(ids, trx)
    await access.removeGrants('field-note', ids, trx)
  }

  return {
    /** Own ones and those of the ids, newest first. Refuses with `bad_cursor`. */
    async page(accountId: string, ids: readonly string[], limit: number, cursor: string | undefined) {
      const rows = await live()
        .where((eb) => eb.or([eb('account_id', '=', accountId), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])]))
        .$if(cursor !== undefined, (query) => query.where(createdBefore(cursor ?? '')))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: await openAll(items), nextCursor }
    },

    /** Those of the ids that are there, of whomever. */
    async readMany(ids: readonly string[]): Promise<StoredFieldNote[]> {
      return ids.length === 0 ? [] : openAll(await live().where('id', 'in', ids).execute())
    },

    async add(fieldNote: StoredFieldNote): Promise<void> {
      const [row, words] = await Promise.all([seal(fieldNote), hashWords(fieldNote)])
      await database.write<FieldNoteTables, void>(async (trx) => {
        await trx.insertInto('field_notes').values(row).execute()
        await texts.put(words, trx)
      })
    },

    /** Puts a changed one in the place of what was read; false: it was deleted, restored or removed meanwhile. */
    async replace(before: StoredFieldNote, after: StoredFieldNote): Promise<boolean> {
      const [row, words] = await Promise.all([seal(after), hashWords(after)])
      return await database.write<FieldNoteTables, boolean>(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('field_notes')
          .set(row)
          .where('id', '=', before.id)
          .where('deleted_at', before.deletedAt === null ? 'is' : '=', before.deletedAt)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        await texts.removeGroups([after.id], trx)
        await texts.put(words, trx)
        return true
      })
    },

    trash: createTrashStore<FieldNoteTables, 'field_notes', StoredFieldNote>('field_notes', {
      database,
      openAll,
      removeTraces,
    }),

    async count(accountId: string): Promise<number> {
      const { count } = await tables
        .selectFrom('field_notes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    removeAccount: (accountId: string): Promise<void> =>
      database.write<FieldNoteTables, void>(async (trx) => {
        const rows = await trx.deleteFrom('field_notes').where('account_id', '=', accountId).returning('id').execute()
        await removeTraces(
          trx,
          rows.map(({ id }) => id),
        )
      }),
  }
}
