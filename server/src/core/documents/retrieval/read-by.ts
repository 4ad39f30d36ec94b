/** Marks passages of documents that the built-in reader read: what it reads may hold errors, and people are told. */
import type { Source } from '@atrium/contract/generation'
import type { DocumentContext } from '../context.ts'
import type { RetrievalResult } from '../types.ts'

export const markReadBy = async (
  context: Pick<DocumentContext, 'store'>,
  { items, retrieval }: RetrievalResult,
): Promise<RetrievalResult> => {
  const sources = [...items.map(({ source }) => source), ...retrieval.nearest]
  const ids = [...new Set(sources.flatMap(({ documentId }) => documentId ?? []))]
  if (ids.length === 0) return { items, retrieval }
  const rows = await context.store.rows.readMany(ids)
  const builtin = new Set(rows.filter(({ read_by }) => read_by === 'builtin').map(({ id }) => id))
  const mark = (source: Source): Source =>
    builtin.has(source.documentId ?? '') ? { ...source, readBy: 'builtin' } : source
  return {
    items: items.map(({ source, text }) => ({ source: mark(source), text })),
    retrieval: { ...retrieval, nearest: retrieval.nearest.map(mark) },
  }
}
