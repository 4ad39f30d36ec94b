/** Sends one file and gives the document that it became. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { toRequest } from '@atrium/contract/request'
import { sendByXhr } from '../../../blocks/composer/upload.ts'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'

export type UploadedDocument = Document & { readonly deduplicated: boolean }

/** Rejects with `Problem` (`file_changed` where the file cannot be read any more), or with the abort of `signal`. */
export async function sendFile(
  file: File,
  collectionId: string | null,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<UploadedDocument> {
  for (;;) {
    // A browser calls a file that is gone or has changed a lost connection, which would be tried for ever.
    await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => {
        throw new Problem('file_changed', '')
      })
    const body = new FormData()
    // The server reads the form in its order: what the file is for comes first.
    if (collectionId) body.append('collectionId', collectionId)
    body.append('document', file, file.name || 'file')
    const { path } = toRequest(documentsRoutes.upload, {} as never)
    const request = { method: 'POST', path, headers: { accept: 'application/json' }, body }
    const answer = await sendByXhr<UploadedDocument>(request, signal, onProgress)
    if (answer !== 401) return answer
    // The session has ended: this waits until the person has signed in again.
    await call(accountsRoutes.me, {}, { signal })
  }
}
