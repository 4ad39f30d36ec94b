/** What was done to find the sources of an answer, in sentences. */
import type { Retrieval } from '@atrium/contract/generation'
import { formatList, formatNumber } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/texts.ts'

/** `Keyword and meaning search over 42 documents, 6 excerpts used, 3,100 tokens.` */
export function retrievalSentences(retrieval: Retrieval, t: Translate): string[] {
  const { mode, documents, excerpts, tokens, web, query } = retrieval
  const parts = {
    documents: t('count.documents', { count: documents }),
    excerpts: t('count.excerpts', { count: excerpts }),
    tokens: t('count.tokens', { count: tokens }),
  }
  const sentences = [mode === 'none' ? (web ? null : t('did.none')) : t(`did.${mode}`, parts)]
  if (web) {
    const queries = formatList(web.queries.map((words) => t('quoted', { words })))
    const results = t('count.results', { count: web.results })
    sentences.push(t('did.web', { queries, results, pages: t('count.pages', { count: web.pages }) }))
  }
  if (query && mode !== 'full' && mode !== 'none') sentences.push(t('did.query', { query }))
  return sentences.filter((sentence) => sentence !== null)
}

/** Why something was done otherwise than chosen. */
export function noteWords({ code, count, limit }: Retrieval['notes'][number], t: Translate): string {
  if (count === undefined) return t(`note.${code}.plain`)
  if (code === 'full_too_large')
    return limit === undefined
      ? t('note.full_too_large.plain')
      : t('note.full_too_large.both', { tokens: formatNumber(count), limit: formatNumber(limit) })
  return counted.has(code) ? t(`note.${code}.n`, { count }) : t(`note.${code}.plain`)
}

const counted = new Set<string>([
  'embeddings_pending',
  'other_embedding_model',
  'documents_processing',
  'documents_failed',
  'excerpts_dropped',
  'web_partial',
])
