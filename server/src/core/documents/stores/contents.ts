/** SQL of what stands in documents: their texts and their passages, sealed with the keys of their owners. */
import { sql, type Transaction } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { Segment } from '../../../platform/formats/types.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { DocumentChunkRow, DocumentRow, DocumentTables, DocumentTextRow } from '../tables.ts'
import { chunkId, type StoredPassage } from './rows.ts'

/** UTF-16 units of one sealed piece of a text. */
export const textPiece = 60_000
const segmentsNumber = -1

export const createContentStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = database.tables<DocumentTables>()
  /** By whose keys their contents are sealed. */
  const ownersOf = async (documentIds: readonly string[]): Promise<Map<string, string>> => {
    const owners = new Map<string, string>()
    for (let at = 0; at < documentIds.length; at += 500) {
      const rows = await tables
        .selectFrom('documents')
        .select(['id', 'account_id', 'sealed_by'])
        .where('id', 'in', documentIds.slice(at, at + 500))
        .execute()
      for (const row of rows) owners.set(row.id, row.sealed_by ?? row.account_id)
    }
    return owners
  }
  /** Opens rows of any owners; those whose document is gone are left out. */
  const openAll = async (rows: readonly DocumentChunkRow[]): Promise<StoredPassage[]> => {
    const owners = await ownersOf([...new Set(rows.map((row) => row.document_id))])
    const keyrings = new Map<string, Keyring>()
    for (const owner of new Set(owners.values())) keyrings.set(owner, await vault.keyring(owner))
    return rows.flatMap((row) => {
      const keys = keyrings.get(owners.get(row.document_id) ?? '')
      return keys ? [openPassage(keys, row)] : []
    })
  }

  return {
    /** Passages of any owners, in the order of the ids; fewer when some are gone. Ask only for what may be read. */
    async passages(ids: readonly string[]): Promise<StoredPassage[]> {
      const rows: DocumentChunkRow[] = []
      for (let at = 0; at < ids.length; at += 500) {
        const some = ids.slice(at, at + 500)
        rows.push(...(await tables.selectFrom('document_chunks').selectAll().where('id', 'in', some).execute()))
      }
      const byId = new Map((await openAll(rows)).map((passage) => [passage.id, passage]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    /** At most so many passages of one document behind a number, in reading order. */
    async passagesOf(documentId: string, after: number, limit: number): Promise<StoredPassage[]> {
      const rows = await tables
        .selectFrom('document_chunks')
        .selectAll()
        .where('document_id', '=', documentId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute()
      return openAll(rows)
    },

    /** The whole text and where its stretches stand; null when the document has none. */
    async text(
      row: Pick<DocumentRow, 'id' | 'account_id' | 'sealed_by'>,
    ): Promise<{ content: string; segments: Segment[] } | null> {
      const rows = await tables
        .selectFrom('document_texts')
        .selectAll()
        .where('document_id', '=', row.id)
        .orderBy('number')
        .execute()
      if (rows.length === 0) return null
      const keys = await vault.keyring(row.sealed_by ?? row.account_id)
      const pieces: string[] = []
      let segments: Segment[] = []
      for (const { number, content } of rows) {
        const plain = keys.open('document_texts.content', textId(row.id, number), content)
        if (number === segmentsNumber) segments = JSON.parse(plain) as Segment[]
        else pieces.push(plain)
        if (number % 16 === 15) await new Promise(setImmediate)
      }
      return { content: pieces.join(''), segments }
    },

    sealText(keys: Keyring, documentId: string, number: number, plain: string): DocumentTextRow {
      const content = keys.seal('document_texts.content', textId(documentId, number), plain)
      return { document_id: documentId, number, content }
    },

    sealSegments(keys: Keyring, documentId: string, segments: readonly Segment[]): DocumentTextRow {
      return this.sealText(keys, documentId, segmentsNumber, JSON.stringify(segments))
    },

    sealPassage(keys: Keyring, { id, documentId, index, start, end, ...content }: StoredPassage): DocumentChunkRow {
      return {
        id,
        document_id: documentId,
        number: index,
        start_char: start,
        end_char: end,
        content: keys.seal('document_chunks.content', id, JSON.stringify(content)),
      }
    },

    async addTexts(trx: Transaction<DocumentTables>, rows: readonly DocumentTextRow[]): Promise<void> {
      if (rows.length > 0) await trx.insertInto('document_texts').values(rows).execute()
    },

    async addPassages(trx: Transaction<DocumentTables>, rows: readonly DocumentChunkRow[]): Promise<void> {
      if (rows.length > 0) await trx.insertInto('document_chunks').values(rows).execute()
    },

    /** Removes at most so many rows of a document; false when there was nothing left. */
    async clearSome(trx: AnyTransaction, documentId: string, limit: number, keepText = false): Promise<boolean> {
      for (const table of keepText
        ? (['document_chunks'] as const)
        : (['document_chunks', 'document_texts'] as const)) {
        const { numDeletedRows } = await inTables<DocumentTables>(trx)
          .deleteFrom(table)
          .where('document_id', '=', documentId)
          .where('number', 'in', (eb) =>
            eb
              .selectFrom(table)
              .select('number')
              .where('document_id', '=', documentId)
              .orderBy('number')
              .limit(sql.lit(limit)),
          )
          .executeTakeFirstOrThrow()
        if (numDeletedRows > 0n) return true
      }
      return false
    },
  }
}
export type ContentStore = ReturnType<typeof createContentStore>

const textId = (documentId: string, number: number): string => `${documentId}:${number}`

const openPassage = (keys: Keyring, row: DocumentChunkRow): StoredPassage => {
  const content = JSON.parse(keys.open('document_chunks.content', row.id, row.content)) as Pick<
    StoredPassage,
    'text' | 'head' | 'location'
  >
  return {
    id: chunkId(row.document_id, row.number),
    documentId: row.document_id,
    index: row.number,
    start: row.start_char,
    end: row.end_char,
    ...content,
  }
}
