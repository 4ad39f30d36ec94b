/** Whether the documents of sources can still be opened: they may be deleted, or shared no more. */
import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { send } from '../../../api/client.ts'
import { codeOf } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query.ts'

/** True once it is known that a document is gone. Asks the server only where `ask`; elsewhere it tells what is known. */
export function useSourceGone(documentId: string | undefined, ask: boolean): boolean {
  const { data } = useQuery({
    queryKey: [key, documentId],
    queryFn: ({ signal }) => isGone(documentId ?? '', signal),
    enabled: ask && documentId !== undefined,
    staleTime: 30_000,
    retry: false,
  })
  return data === true
}

const key = 'document-gone'
const askAgain = () => void queryClient.invalidateQueries({ queryKey: [key] })
for (const type of ['document-changed', 'document-removed', 'collections-changed'] as const)
  onAccountEvent(type, askAgain)

/** Asks for one byte of the original: the whole text would be much to load for this. */
async function isGone(documentId: string, signal: AbortSignal): Promise<boolean> {
  try {
    const input = { params: { documentId } }
    const answer = await send(documentsRoutes.source, input, { signal, headers: { range: 'bytes=0-0' } })
    await answer.body?.cancel()
    return false
  } catch (error) {
    if (signal.aborted) throw error
    return codeOf(error) === 'document_not_found'
  }
}
