/** What happens with the documents of a chat: sent whole, or as excerpts. Pure. */
import type { Document } from '@atrium/contract/document-knowledge'
import type { Retrieval } from '@atrium/contract/generation'

/** How many tokens of documents are sent whole, unless the server said another limit lately. */
export function wholeLimit(messages: readonly { readonly retrieval?: Retrieval | null | undefined }[]): number {
  const notes = messages.flatMap((message) => message.retrieval?.notes ?? [])
  return notes.findLast((note) => note.code === 'full_too_large')?.limit ?? 32_000
}

/** What the texts of documents come to; only those that are read count. */
export const tokensOf = (documents: readonly Pick<Document, 'processingStatus' | 'tokens'>[]): number =>
  documents.reduce((sum, { processingStatus, tokens }) => (processingStatus === 'completed' ? sum + tokens : sum), 0)
