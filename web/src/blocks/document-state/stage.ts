/** How far a document is, out of the document and the work that reads it. */
import type { Document } from '@atrium/contract/document-knowledge'
import type { Job } from '@atrium/contract/durable-jobs'

export type Stage =
  | { kind: 'queued' }
  | { kind: 'reading'; current: number | null; total: number | null; leftMs: number | null }
  | { kind: 'ready' }
  /** Words find it; vectors are not there yet. */
  | { kind: 'searchable' }
  | { kind: 'embedding'; share: number }
  /** Words find it; vectors were given up. */
  | { kind: 'words-only' }
  | { kind: 'failed' }

/** `now` is for the estimate, which needs the time that has passed. */
export function stageOf(document: Document, job: Job | undefined, now: number): Stage {
  if (document.processingStatus === 'failed') return { kind: 'failed' }
  if (document.processingStatus === 'completed') {
    const { state, chunks } = document.embedding
    if (state === 'failed') return { kind: 'words-only' }
    if (state !== 'pending') return { kind: 'ready' }
    return chunks > 0 && document.chunks > 0
      ? { kind: 'embedding', share: Math.min(1, chunks / document.chunks) }
      : { kind: 'searchable' }
  }
  if (document.processingStatus === 'queued' && job?.state !== 'running') return { kind: 'queued' }
  const { current, total } = job?.progress ?? { current: null, total: null }
  return { kind: 'reading', current, total, leftMs: leftOf(job, now) }
}

/** What is left by the pace so far; null while that says little. */
export function leftOf(job: Job | undefined, now: number): number | null {
  const { current = 0, total = null } = job?.progress ?? {}
  if (!job?.startedAt || !total || current <= 0 || current >= total) return null
  const passed = now - Date.parse(job.startedAt)
  if (passed < 2000) return null
  return (passed / current) * (total - current)
}

/** Whether it will change by itself. */
export const isMoving = (document: Document): boolean =>
  document.processingStatus === 'queued' ||
  document.processingStatus === 'processing' ||
  (document.processingStatus === 'completed' && document.embedding.state === 'pending')
