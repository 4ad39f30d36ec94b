/** What can be done with a document of a chat; each resolves when the server has done it and the lists follow. */
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { call } from '../../api/client.ts'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { queryClient, refresh } from '../../api/query.ts'
import { toast } from '../../ui/toaster.tsx'
import { chatDocumentsQuery } from './chat-documents-query.ts'
import { translate } from 'virtual:words/chat-documents'

const of = ({ id: documentId }: Document) => ({ params: { documentId } })
const changed = () => refresh(documentsRoutes.ofSession)

/** Deletes a document (one that is still read is stopped), and says so with a way back. */
export async function removeDocument(document: Document, onUndone?: () => void): Promise<void> {
  const before = document.sessionId ? hide(document.sessionId, document.id) : undefined
  try {
    await call(documentsRoutes.remove, of(document))
  } catch (error) {
    // Gone already is as good.
    if (codeOf(error) !== 'document_not_found') {
      before?.()
      throw error
    }
  }
  void changed()
  toast(translate('chat-documents:removed', { name: document.filename }), {
    action: { label: translate('chat-documents:undo'), onClick: () => void bringBack(document, onUndone) },
  })
}

/** Stops the reading of a document. One that was read meanwhile is removed like any other. */
export async function stopReading(document: Document): Promise<void> {
  const { outcome } = await call(documentsRoutes.cancel, of(document))
  if (outcome === 'already-ended') return removeDocument(document)
  await changed()
}

export async function retryReading(document: Document): Promise<void> {
  await call(documentsRoutes.retry, of(document))
  await changed()
}

/** Takes a document out of its chat into the library. */
export async function keepDocument(document: Document): Promise<void> {
  await call(documentsRoutes.keep, of(document))
  await changed()
}

async function bringBack(document: Document, onUndone?: () => void): Promise<void> {
  try {
    await call(documentsRoutes.restore, of(document))
    onUndone?.()
    await changed()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}

/** Takes it off the screen at once; gives the way to put it back. */
function hide(sessionId: string, id: string): () => void {
  const { queryKey } = chatDocumentsQuery(sessionId)
  const before = queryClient.getQueryData<{ items: Document[]; nextCursor: string | null }>(queryKey)
  if (before) queryClient.setQueryData(queryKey, { ...before, items: before.items.filter((item) => item.id !== id) })
  return () => before && queryClient.setQueryData(queryKey, before)
}
