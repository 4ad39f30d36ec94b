/** Which of two drafts wins, and what a file becomes. */
import type { Attachment, Draft, Quote } from '@atrium/contract/chat'
import type { Document } from '@atrium/contract/documents'

/** Nothing is typed, quoted or attached. */
export const emptyDraft: Draft = { content: '', quotes: [], attachments: [] }

/** What this browser keeps of a draft. */
export interface LocalDraft {
  readonly content: string
  readonly quotes: readonly Quote[]
  readonly attachments: readonly Attachment[]
  /** Documents that were added to the chat for the question that is being written. */
  readonly documents: readonly Document[]
  /** Whether the server has exactly this. */
  readonly saved: boolean
}

/**
 * The draft to start with. What was typed here and never reached the server wins; otherwise the server's is the
 * newer one, because another device may have changed it.
 */
export function chooseDraft(local: LocalDraft | null, server: Draft | null): Draft {
  if (!local || (local.saved && server)) return server ?? emptyDraft
  return { content: local.content, quotes: [...local.quotes], attachments: [...local.attachments] }
}

/** Reads what was kept; null when there is nothing usable. */
export function parseLocal(text: string | null): LocalDraft | null {
  if (!text) return null
  try {
    const kept = JSON.parse(text) as Partial<LocalDraft>
    if (typeof kept.content !== 'string' || !Array.isArray(kept.attachments)) return null
    const documents = Array.isArray(kept.documents) ? kept.documents : []
    const quotes = Array.isArray(kept.quotes) ? kept.quotes : []
    return { content: kept.content, quotes, attachments: kept.attachments, documents, saved: kept.saved === true }
  } catch {
    // Half-written by a browser that was killed: as good as nothing.
    return null
  }
}

/** Whether pasted text is long enough to become an attachment. */
export const isLongPaste = (text: string, threshold: number): boolean => text.length > threshold

/** `pasted-text-3.txt` when two are there already. */
export function pastedName(taken: readonly string[], ending: string): string {
  for (let number = 1; ; number++) {
    const name = `pasted-text-${number}.${ending}`
    if (!taken.includes(name)) return name
  }
}

/** Files of these kinds are text, whatever the browser makes of their type. */
const textEndings =
  /\.(txt|md|markdown|mdx|csv|tsv|json|jsonl|ya?ml|toml|ini|conf|env|log|xml|html?|css|scss|less|[cm]?[jt]sx?|vue|svelte|py|rb|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|r|jl|sh|bash|zsh|fish|ps1|bat|sql|graphql|proto|tex|rst|adoc|org|diff|patch|srt|vtt)$/i
/** What can be read besides. */
const documentEndings = /\.(pdf|docx|pptx|xlsx|odt|odp|ods|rtf|eml|epub|ics|zip|wav|webm|mp3|m4a|flac|ogg|oga|opus)$/i

/** What file pickers offer. */
export const acceptedTypes =
  '.pdf,.docx,.pptx,.xlsx,.odt,.odp,.ods,.rtf,.eml,.epub,.ics,.zip,.wav,.webm,.mp3,.m4a,.flac,.ogg,.opus,text/plain,text/markdown,text/csv,image/png,image/jpeg,image/gif,image/webp,.md,.markdown,.txt,.csv,.tsv,.json,.yaml,.yml,.toml,.xml,.log,.ts,.tsx,.js,.jsx,.py,.rb,.rs,.go,.java,.kt,.swift,.c,.h,.cpp,.cs,.php,.sh,.sql,.css,.html,.tex,.diff'
export const largestUpload = 10 * 1024 * 1024
/** Up to this size a text is sent whole. */
const largestWhole = 20_000

interface FileLook {
  readonly name: string
  readonly type: string
  readonly size: number
}

/** Whether a file is text that can be sent as it is. */
export const isText = ({ name, type }: FileLook): boolean =>
  textEndings.test(name) || (type.startsWith('text/') && !documentEndings.test(name))

/**
 * What becomes of a file: images and short texts travel with the message, all other files become documents of the
 * chat, of which answers get excerpts.
 */
export function destinationOf(file: FileLook): 'attachment' | 'document' {
  if (file.type.startsWith('image/')) return 'attachment'
  return isText(file) && file.size <= largestWhole ? 'attachment' : 'document'
}

/** Whether it makes sense to try; the server has the last word. */
export const isReadable = (file: FileLook): boolean =>
  isText(file) || documentEndings.test(file.name) || file.type.startsWith('image/')
