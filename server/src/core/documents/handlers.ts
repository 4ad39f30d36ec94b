/** Documents as their owner and those who share them see them: listed, read, moved, read again, deleted, brought back. */
import type { DocumentPassage, documentsRoutes } from '@atrium/contract/documents'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { Handlers, AuthorisedResource } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { scopeDigest } from './ingest/digest.ts'
import { checkDestination, rereadDocument } from './ingest/intake.ts'
import { refetchPage } from './ingest/web-pages.ts'
import {
  readReach,
  type DocumentContext,
  announceToAll,
  announceDocument,
  announceCollection,
  noteCollected,
} from './context.ts'
import { openName, placeOf, rowToDocument, partitionOf, type StoredPassage } from './stores/index.ts'
import type { DocumentRow } from './tables.ts'
import { failOrphaned, stopReading } from './maintenance.ts'
import { restoreDocument, trashDocument } from './trash.ts'
import { shownAs } from './shown-as.ts'

type Routes = Pick<
  typeof documentsRoutes,
  | 'list'
  | 'ofSession'
  | 'read'
  | 'passages'
  | 'source'
  | 'move'
  | 'keep'
  | 'retry'
  | 'readOn'
  | 'readPrint'
  | 'cancel'
  | 'remove'
  | 'restore'
>

export const documentHandlers = (context: DocumentContext): Handlers<Routes> => {
  const { store } = context
  const presentAll = async (rows: readonly DocumentRow[], callerId: string) => {
    const own = rows.filter(({ account_id }) => account_id === callerId).map(({ id }) => id)
    const grants = await context.access.countGrants('document', own)
    return await Promise.all(
      rows.map(async (row) =>
        rowToDocument(await context.vault.keyring(row.account_id), row, callerId, grants.get(row.id) ?? 0),
      ),
    )
  }
  const toDocument = async (row: DocumentRow, callerId: string) => {
    const [document] = await presentAll([row], callerId)
    if (!document) throw fail('document_not_found')
    return document
  }
  /** What the path names; that it may be read was decided before. */
  const findLive = async ({ id }: AuthorisedResource): Promise<DocumentRow> => {
    const row = await store.rows.listLive(id)
    if (!row) throw fail('document_not_found')
    return row
  }
  /** Moves an own document with its passages, and announces it to those who could see it before and to those who can now. */
  const put = async (row: DocumentRow, place: Pick<DocumentRow, 'session_id' | 'collection_id'>) => {
    if (row.session_id === place.session_id && row.collection_id === place.collection_id) return row
    let isAwaited = false
    const moved = await store.write(async (trx) => {
      const changed = await store.rows.change(trx, row, {
        ...place,
        left_collection_id: null,
        digest: null,
        updated_at: context.clock.now(),
      })
      if (!changed) throw fail('document_not_found')
      await store.rows.giveDigest(trx, row.id, scopeDigest(context.vault, changed))
      await context.indexes.texts.move([row.id], partitionOf(changed), trx)
      isAwaited = await noteCollected(context, trx, changed)
      return changed
    })
    if (isAwaited) context.watch.value?.wake()
    await announceDocument(context, moved, 'document-changed')
    if (row.collection_id !== null) {
      const before = await context.access.listReaders('collection', row.collection_id)
      await announceToAll(context, before, { type: 'document-removed', data: { id: row.id } })
      await announceCollection(context, row.account_id, row.collection_id)
    }
    if (moved.collection_id !== null) await announceCollection(context, row.account_id, moved.collection_id)
    return moved
  }

  return {
    async list({ query }, { caller }) {
      const { accountId } = caller
      const { collections: reachable, documents: single } = await readReach(context, accountId)
      if (query.collectionId !== undefined && !reachable.includes(query.collectionId)) {
        if (!(await store.collections.readOwn(accountId, query.collectionId))) throw fail('collection_not_found')
      }
      const listing = {
        accountId,
        reachable,
        single,
        in: query.in,
        collectionId: query.collectionId,
        status: query.status,
        withoutSessions: await context.temporarySessions(accountId),
      }
      const words = fold(query.q ?? '')
        .split(/\s+/)
        .filter((word) => word !== '')
      const found: DocumentRow[] = []
      let before = query.cursor === undefined ? null : decodeCursor(query.cursor)
      // Names are sealed, so they are opened to be compared; the list goes on until the page is full.
      for (const atOnce = words.length === 0 ? query.limit + 1 : 500; found.length <= query.limit; ) {
        const rows = await store.rows.list(listing, before, atOnce)
        for (const row of rows) if (await hasWords(context, row, words)) found.push(row)
        const last = rows.at(-1)
        if (!last || rows.length < atOnce) break
        before = placeOf(last)
      }
      const { items, nextCursor } = cutPage(found, query.limit, placeOf)
      return { items: await presentAll(items, accountId), nextCursor }
    },

    async ofSession({ params, query }, { caller, resource }) {
      const page = await store.rows.ofSession(resource.ownerId, params.sessionId, query.limit, query.cursor)
      return { items: await presentAll(page.items, caller.accountId), nextCursor: page.nextCursor }
    },

    async read(_, { caller, resource }) {
      const row = await failOrphaned(context, await findLive(resource))
      const text = row.state === 'completed' ? await store.contents.text(row) : null
      const segments = (text?.segments ?? []).map(({ kind, label, start, end }) => ({
        kind,
        label,
        startChar: start,
        endChar: end,
      }))
      return { ...(await toDocument(row, caller.accountId)), content: text?.content ?? '', segments }
    },

    async passages({ query }, { resource }) {
      const row = await findLive(resource)
      const after = query.cursor === undefined ? -1 : decodeCursor(query.cursor).time
      // What an unfinished reading has written so far is not what searches find.
      const isRead = row.state === 'completed'
      const found = isRead ? await store.contents.passagesOf(row.id, after, query.limit + 1) : []
      const { items, nextCursor } = cutPage(found, query.limit, ({ index, id }) => ({ time: index, id }))
      return { items: items.map(passageToContract), nextCursor }
    },

    async source(_, { resource }) {
      const row = await findLive(resource)
      const { account_id: owner, file_id: fileId } = row
      const body = fileId === null ? null : await context.files.open(owner, fileId)
      if (!body) throw fail('document_not_found')
      return {
        body,
        ...shownAs(row.media_type),
        fileName: openName(await context.vault.keyring(owner), row),
      }
    },

    async move({ body }, { caller, resource }) {
      const row = await findLive(resource)
      const place = { sessionId: null, collectionId: body.collectionId }
      await checkDestination(context, caller.accountId, place)
      const moved = await put(row, { session_id: null, collection_id: body.collectionId })
      return await toDocument(moved, caller.accountId)
    },

    async keep(_, { caller, resource }) {
      const row = await findLive(resource)
      return await toDocument(await put(row, { ...row, session_id: null }), caller.accountId)
    },

    async retry(_, { caller, resource, signal }) {
      const row = await findLive(resource)
      const values = row.url === null ? {} : await refetchPage(context, row, signal)
      const fresh = await rereadDocument(context, row, { values })
      if (fresh && values.file_id && row.file_id !== null) await context.files.remove([row.file_id])
      if (!fresh && values.file_id) await context.files.remove([values.file_id])
      // Two who ask at once get the same reading.
      return await toDocument(fresh ?? (await findLive(resource)), caller.accountId)
    },

    async readOn(_, { caller, resource }) {
      const row = await findLive(resource)
      const from = row.state === 'completed' ? row.unread_from : null
      const fresh = from === null ? undefined : await rereadDocument(context, row, { from })
      return await toDocument(fresh ?? (await findLive(resource)), caller.accountId)
    },

    async readPrint(_, { caller, resource }) {
      const fresh = await rereadDocument(context, await findLive(resource), { builtin: true })
      return await toDocument(fresh ?? (await findLive(resource)), caller.accountId)
    },

    async cancel(_, { resource }) {
      const row = await findLive(resource)
      if (row.state === 'completed' || row.state === 'failed') return { outcome: 'already-ended' }
      if (row.revision > 1) {
        // It was here before this reading began: stopping that must not take the document away.
        await stopReading(context, row)
        return { outcome: 'cancelled' }
      }
      const gone = await store.write((trx) => store.rows.cancelIn(trx, row))
      if (!gone) return { outcome: 'already-ended' }
      await stopReading(context, row)
      await context.indexes.texts.removeGroups([row.id])
      if (row.file_id !== null) await context.files.remove([row.file_id])
      await announceDocument(context, row, 'document-removed')
      return { outcome: 'cancelled' }
    },

    async remove({ params }, { caller }) {
      await trashDocument(context, caller.accountId, params.documentId)
      return {}
    },

    async restore({ params }, { caller }) {
      const row = await restoreDocument(context, caller.accountId, params.documentId)
      if (!row) throw fail('document_not_found')
      return await toDocument(row, caller.accountId)
    },
  }
}

const passageToContract = ({ index, start, end, text, location }: StoredPassage): DocumentPassage => ({
  index,
  startChar: start,
  endChar: end,
  content: text,
  location,
})

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

const hasWords = async (context: DocumentContext, row: DocumentRow, words: readonly string[]): Promise<boolean> => {
  if (words.length === 0) return true
  const name = fold(openName(await context.vault.keyring(row.account_id), row))
  return words.every((word) => name.includes(word))
}
