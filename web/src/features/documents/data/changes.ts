/** What can be done with documents and collections: on screen at once, with the reason when the server refuses. */
import { type Collection, type Document, documentsRoutes } from '@atrium/contract/documents'
import { trashRoutes } from '@atrium/contract/trash'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { translate } from '../../../lib/texts.ts'
import { toast } from '../../../ui/toaster.tsx'
import { dropDocuments, putDocument, refreshDocuments } from './cache.ts'

const at = (documentId: string) => ({ params: { documentId } })

/** Deletes documents, with ten seconds to take it back. */
export async function removeDocuments(documents: readonly Document[]): Promise<void> {
  dropDocuments(new Set(documents.map(({ id }) => id)))
  const done = await inTurn(documents, async ({ id }) => {
    try {
      await call(documentsRoutes.remove, at(id))
    } catch (error) {
      // Gone already is as good.
      if (codeOf(error) !== 'document_not_found') throw error
    }
  })
  refreshDocuments()
  void refresh(trashRoutes.list)
  if (done.length === 0) return
  toast(translate('documents:removed', { count: done.length, name: done[0]?.filename ?? '' }), {
    action: { label: translate('documents:undo'), onClick: () => void restoreDocuments(done) },
  })
}

async function restoreDocuments(documents: readonly Document[]): Promise<void> {
  await inTurn(documents, ({ id }) => call(documentsRoutes.restore, at(id)))
  refreshDocuments()
  void refresh(trashRoutes.list)
}

/** Puts documents into a collection, or back into the library, with a way back. */
export async function moveDocuments(documents: readonly Document[], collection: Collection | null): Promise<void> {
  const moving = documents.filter((document) => document.collectionId !== (collection?.id ?? null))
  const done = await inTurn(moving, async ({ id }) =>
    putDocument(await call(documentsRoutes.move, { ...at(id), body: { collectionId: collection?.id ?? null } })),
  )
  refreshDocuments()
  if (done.length === 0) return
  const words = collection
    ? translate('documents:moved', { count: done.length, name: collection.name })
    : translate('documents:movedOut', { count: done.length })
  toast(words, {
    action: {
      label: translate('documents:undo'),
      onClick: () =>
        void inTurn(done, ({ id, collectionId }) =>
          call(documentsRoutes.move, { ...at(id), body: { collectionId } }),
        ).then(refreshDocuments),
    },
  })
}

/** Takes documents out of their chats into the library. */
export async function keepDocuments(documents: readonly Document[]): Promise<void> {
  const done = await inTurn(documents, async ({ id }) => putDocument(await call(documentsRoutes.keep, at(id))))
  refreshDocuments()
  if (done.length > 0) toast(translate('documents:kept', { count: done.length }))
}

/** Has documents read again. */
export async function retryDocuments(documents: readonly Document[]): Promise<void> {
  await inTurn(documents, async ({ id }) => putDocument(await call(documentsRoutes.retry, at(id))))
  refreshDocuments()
}

/** Stops reading documents; they go. */
export async function cancelDocuments(documents: readonly Document[]): Promise<void> {
  await inTurn(documents, ({ id }) => call(documentsRoutes.cancel, at(id)))
  refreshDocuments()
}

/** Deletes a collection, with ten seconds to take it back. */
export async function removeCollection(collection: Collection): Promise<void> {
  await call(documentsRoutes.removeCollection, { params: { collectionId: collection.id } })
  refreshDocuments()
  void refresh(trashRoutes.list)
  toast(translate('documents:collection.removed', { name: collection.name }), {
    action: { label: translate('documents:undo'), onClick: () => void restoreCollection(collection) },
  })
}

async function restoreCollection({ id }: Collection): Promise<void> {
  try {
    await call(trashRoutes.restore, { params: { id } })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  refreshDocuments()
  void refresh(trashRoutes.list)
}

/** Does it for each, four at a time; gives those for which it was done and tells the last reason of those for which not. */
async function inTurn(
  documents: readonly Document[],
  work: (document: Document) => Promise<unknown>,
): Promise<Document[]> {
  const done: Document[] = []
  const waiting = [...documents]
  let failed: unknown
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        await work(next)
        done.push(next)
      } catch (error) {
        failed = error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, documents.length) }, worker))
  if (failed) {
    const missed = documents.length - done.length
    const reason = wordsOf(failed)
    toast(documents.length > 1 ? translate('documents:notAll', { count: missed, reason }) : reason, { tone: 'danger' })
  }
  return done
}
