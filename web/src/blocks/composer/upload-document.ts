/** Gives a file to a chat, or to a collection, as a document. Loaded when the first one comes. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { call } from '../../api/client.ts'
import { Problem } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { formatSize } from '../../lib/format.ts'
import { translate } from 'virtual:words/chat-documents'
import { isReadable, largestUpload } from './draft-rules.ts'
import { sendByXhr } from './upload.ts'

/** Where a document belongs. */
export type Place = { readonly sessionId: string } | { readonly collectionId: string }

type Accepted = Document & { readonly deduplicated: boolean }

/** What cannot be read is refused here already; null when it is worth a try. */
export function refusalOf(file: File): Problem | null {
  const refused = (code: string) =>
    new Problem(code, translate(`chat-documents:refused.${code}`, { size: formatSize(largestUpload) }))
  if (file.size > largestUpload) return refused('too_large')
  if (file.size === 0) return refused('document_empty')
  return isReadable(file) ? null : refused('document_unsupported')
}

/** Sends a file, at most three at a time. `onProgress` is first called when its turn has come. */
export async function uploadDocument(
  file: File,
  place: Place,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Accepted> {
  const leave = await enter(signal)
  try {
    onProgress(0)
    const accepted = await send(file, place, signal, onProgress)
    if ('sessionId' in place) void refresh(documentsRoutes.ofSession, { params: place, query: { limit: 200 } })
    return accepted
  } finally {
    leave()
  }
}

async function send(file: File, place: Place, signal: AbortSignal, onProgress: (share: number) => void) {
  const { method, path } = documentsRoutes.upload
  for (;;) {
    const body = new FormData()
    // The server tells the end of the fields by the file, so it comes last.
    for (const [name, id] of Object.entries(place)) body.append(name, id)
    body.append('document', file, file.name || 'file')
    const request = { method: method.toUpperCase(), path, headers: { accept: 'application/json' }, body }
    const answer = await sendByXhr<Accepted>(request, signal, onProgress)
    if (answer !== 401) return answer
    // The session has ended: this asks to sign in again.
    await call(accountsRoutes.me, {}, { signal })
  }
}

const atOnce = 3
let running = 0
const waiting: (() => void)[] = []

async function enter(signal: AbortSignal): Promise<() => void> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  // Whoever leaves hands the place on.
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  if (!signal.aborted) return leave
  leave()
  throw signal.reason
}
