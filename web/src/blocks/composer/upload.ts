/** Uploads one attachment and tells how far it is. Loaded when the first one comes. */
import { type Attachment, chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import { call } from '../../api/client.ts'
import { Problem } from '../../api/errors.ts'
import { formatSize } from '../../lib/format.ts'
import { translate } from 'virtual:words/chat-documents'
import { isText, largestUpload } from './draft-rules.ts'

/** Sends a file. Rejects with `Problem`, or with the abort of `signal`. */
export async function upload(
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Attachment> {
  if (file.size > largestUpload)
    throw new Problem('too_large', translate('chat-documents:refused.too_large', { size: formatSize(largestUpload) }))
  const typed = withType(file)
  const input = { query: { name: file.name || 'file' }, file: typed }
  const answer = await sendByXhr<Attachment>(toRequest(chatRoutes.attach, input), signal, onProgress)
  if (answer !== 401) return answer
  // The session has ended: the ordinary way asks to sign in again and repeats.
  return call(chatRoutes.attach, input, { signal })
}

function withType(file: File): Blob {
  if (/^image\//.test(file.type)) return file
  const type = /\.(md|markdown)$/i.test(file.name) ? 'text/markdown' : 'text/plain'
  return isText(file) ? file.slice(0, file.size, type) : file
}

/** What is sent: a request of the contract, or a form. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: XMLHttpRequestBodyInit | undefined
}

/** The browser tells the progress of an upload only this way. Resolves with 401 for a lost session. */
export function sendByXhr<T>(
  request: Sent,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<T | 401> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(request.method, request.path)
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    xhr.responseType = 'json'
    xhr.upload.onprogress = (event) => onProgress(event.lengthComputable ? event.loaded / event.total : 0)
    xhr.onerror = () => reject(new Problem('offline', ''))
    xhr.onabort = () => reject(signal.reason)
    xhr.onload = () => {
      if (xhr.status >= 200 && xhr.status < 300) return resolve(xhr.response as T)
      if (xhr.status === 401) return resolve(401)
      const body = xhr.response as { code?: string; detail?: string } | null
      reject(new Problem(body?.code ?? 'bad_answer', body?.detail ?? '', { status: xhr.status }))
    }
    signal.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(request.body)
  })
}
