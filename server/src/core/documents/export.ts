/** Documents as their owner takes them along: the files as they were uploaded, and an index of them. */
import { type ArchiveFile, jsonBytes, safeName } from '../../platform/archive/write.ts'
import { readWhileThere } from '../../platform/files/read.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { DocumentContext } from './context.ts'
import { openCollectionName, openName, openUrl } from './stores/index.ts'
import { placeOf } from './stores/documents.ts'
import type { DocumentRow } from './tables.ts'

const atOnce = 100
/** Packing these again gains something. */
const isText = (mediaType: string): boolean =>
  /^text\/|json|xml|csv/.test(mediaType) && !/officedocument/.test(mediaType)

/** Own documents without those in the trash. */
export async function* exportDocuments(
  context: DocumentContext,
  accountId: string,
  signal: AbortSignal,
): AsyncIterable<ArchiveFile> {
  const keys = await context.vault.keyring(accountId)
  const collections = new Map<string, string>()
  for (const row of await context.store.collections.readMany(await context.store.collections.idsOf(accountId)))
    collections.set(row.id, openCollectionName(keys, row))
  const documents: object[] = []
  const filter = {
    accountId,
    reachable: [],
    in: 'all',
    withoutSessions: await context.temporarySessions(accountId),
  } as const
  for (let before: ReturnType<typeof placeOf> | null = null; ; ) {
    const rows: DocumentRow[] = await context.store.rows.list(filter, before, atOnce)
    for (const row of rows) {
      signal.throwIfAborted()
      const { name, extension } = split(openName(keys, row))
      const file = safeName(name, `documents/${row.id.slice(-8)}`, extension)
      documents.push({
        id: row.id,
        name: openName(keys, row),
        url: openUrl(keys, row),
        file: row.file_id ? file : null,
        mediaType: row.media_type,
        sizeBytes: row.size_bytes,
        uploadedAt: toIsoTime(row.uploaded_at),
        collection: collections.get(row.collection_id ?? '') ?? null,
        chatId: row.session_id,
      })
      if (row.file_id)
        yield {
          name: file,
          modifiedAt: row.uploaded_at,
          pack: isText(row.media_type),
          content: read(context, accountId, row.file_id),
        }
    }
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) break
    before = placeOf(last)
  }
  const index = { collections: [...collections.values()], documents }
  yield { name: 'documents/index.json', modifiedAt: context.clock.now(), pack: true, content: jsonBytes(index) }
}

async function* read(context: DocumentContext, accountId: string, fileId: string): AsyncIterable<Uint8Array> {
  const file = await context.files.open(accountId, fileId)
  // Deleted meanwhile: what follows is missing, and the index says how long it should be.
  if (file) yield* readWhileThere(file)
}

const split = (name: string): { name: string; extension: string } => {
  const [, plain = name, extension = ''] = /^(.+?)(\.[A-Za-z0-9]{1,10})$/.exec(name) ?? []
  return { name: plain, extension }
}
