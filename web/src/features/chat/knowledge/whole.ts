/** What happens with the documents of a chat: sent whole, or as excerpts. Pure. */
import type { Document } from '@atrium/contract/documents'
import type { Retrieval } from '@atrium/contract/generation'

/** How many tokens of documents are sent whole: what the server allows, or less where the last answer's window had less. */
export function wholeLimit(
  allowed: number,
  messages: readonly { readonly retrieval?: Retrieval | null | undefined }[],
): number {
  const last = messages.findLast((message) => message.retrieval)?.retrieval
  const note = last?.notes.find(({ code }) => code === 'full_too_large')
  return Math.min(allowed, note?.limit ?? allowed)
}

/** What the texts of documents come to; only those that are read count. */
export const tokensOf = (documents: readonly Pick<Document, 'processingStatus' | 'tokens'>[]): number =>
  documents.reduce((sum, { processingStatus, tokens }) => (processingStatus === 'completed' ? sum + tokens : sum), 0)
