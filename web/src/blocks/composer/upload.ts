/** Uploads one attachment and tells how far it is. */
import { type Attachment, chat } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import { call } from '../../api/client.ts'
import { Problem } from '../../api/errors.ts'

/** Files of these kinds are text, whatever the browser makes of their type. */
const textEndings =
  /\.(txt|md|markdown|csv|tsv|json|jsonl|ya?ml|toml|ini|conf|env|log|xml|html?|css|scss|less|[cm]?[jt]sx?|vue|svelte|py|rb|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|r|jl|sh|bash|zsh|fish|ps1|bat|sql|graphql|proto|tex|rst|adoc|org|diff|patch|srt|vtt)$/i

export const acceptedTypes =
  'text/plain,text/markdown,text/csv,image/png,image/jpeg,image/gif,image/webp,.md,.markdown,.txt,.csv,.tsv,.json,.yaml,.yml,.toml,.xml,.log,.ts,.tsx,.js,.jsx,.py,.rb,.rs,.go,.java,.kt,.swift,.c,.h,.cpp,.cs,.php,.sh,.sql,.css,.html,.tex,.diff'
export const largestUpload = 10 * 1024 * 1024

/** Sends a file. Rejects with `Problem`, or with the abort of `signal`. */
export async function upload(
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Attachment> {
  if (file.size > largestUpload) throw new Problem('too_large', '')
  const typed = withType(file)
  const input = { query: { name: file.name || 'file' }, file: typed }
  const status = await sendByXhr(input, signal, onProgress)
  if (typeof status !== 'number') return status
  // The session has ended: the ordinary way asks to sign in again and repeats.
  return call(chat.attach, input, { signal })
}

function withType(file: File): Blob {
  if (/^image\//.test(file.type)) return file
  const type = /\.(md|markdown)$/i.test(file.name) ? 'text/markdown' : 'text/plain'
  if (file.type.startsWith('text/') || textEndings.test(file.name)) return file.slice(0, file.size, type)
  return file
}

/** The browser tells the progress of an upload only this way. Resolves with 401 for a lost session. */
function sendByXhr(
  input: Parameters<typeof call<typeof chat.attach>>[1] & object,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Attachment | 401> {
  const request = toRequest(chat.attach, input)
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(request.method, request.path)
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    xhr.responseType = 'json'
    xhr.upload.onprogress = (event) => onProgress(event.lengthComputable ? event.loaded / event.total : 0)
    xhr.onerror = () => reject(new Problem('offline', ''))
    xhr.onabort = () => reject(signal.reason)
    xhr.onload = () => {
      if (xhr.status === 200) return resolve(xhr.response as Attachment)
      if (xhr.status === 401) return resolve(401)
      const body = xhr.response as { code?: string; detail?: string } | null
      reject(new Problem(body?.code ?? 'bad_answer', body?.detail ?? '', { status: xhr.status }))
    }
    signal.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(request.body)
  })
}
