import type { z } from 'zod'

export interface JobContext {
  readonly jobId: string
  readonly accountId: string | null
  readonly attempt: number
  /** Aborted on cancel, lost lease and stop of the server. */
  readonly signal: AbortSignal
  /** Tells followers how far it is; written at most every 250 ms. */
  progress(current: number, total: number | null, message?: string): void
}

export interface JobHandler<P = unknown> {
  readonly payload: z.ZodType<P>
  /** Tries in all; waits between them grow. */
  readonly attempts: number
  readonly timeoutMs: number
  run(payload: P, context: JobContext): Promise<void>
}
export type JobHandlers = Record<string, JobHandler<never>>

/** Throw it in a handler to end the job without another try. `code` is snake_case, `detail` holds no content. */
export class JobFailure extends Error {
  readonly code: string
  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}
