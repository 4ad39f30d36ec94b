/** How far a document is, out of the document and the work that reads it. */
import type { Document, ReadingStage } from '@atrium/contract/documents'
import type { Job } from '@atrium/contract/durable-jobs'

/** What is done just now, and how much of how much where that is known. */
export interface Step {
  readonly name: ReadingStage
  readonly done: number | null
  readonly of: number | null
}

export type Stage =
  | { kind: 'queued' }
  | {
      kind: 'reading'
      step: Step
      /** An estimate of how much of all the work is done. */
      current: number | null
      total: number | null
      leftMs: number | null
    }
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
  return {
    kind: 'reading',
    step: stepOf(job?.progress?.message ?? null),
    current,
    total,
    leftMs: remainingMs(job, now),
  }
}

const stepNames: readonly string[] = [
  'reading',
  'looking',
  'transcribing',
  'cutting',
  'indexing',
] satisfies ReadingStage[]

/** Out of a message such as `looking 3 6`. */
function stepOf(message: string | null): Step {
  const [name = '', done, of] = (message ?? '').split(' ')
  if (!stepNames.includes(name)) return { name: 'reading', done: null, of: null }
  return { name: name as ReadingStage, done: done ? Number(done) : null, of: of ? Number(of) : null }
}

/** What is left by the pace so far; null while that says little. */
export function remainingMs(job: Job | undefined, now: number): number | null {
  const { current = 0, total = null } = job?.progress ?? {}
  if (!job?.startedAt || !total || current <= 0 || current >= total) return null
  const passed = now - Date.parse(job.startedAt)
  if (passed < 2000) return null
  return (passed / current) * (total - current)
}
