export type WorkFailureKind = 'failed' | 'timeout' | 'aborted' | 'crashed' | 'memory'

/** Why work off the main thread gave no result; of an error inside the function, only its message survives. */
export class WorkFailure extends Error {
  readonly kind: WorkFailureKind
  constructor(kind: WorkFailureKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}
