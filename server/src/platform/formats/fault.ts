import type { ReadFailure } from './types.ts'

/** Thrown by a reader that cannot go on; `index.ts` turns it into a failure of the closed list. */
export class ReadFault extends Error {
  readonly failure: ReadFailure
  constructor(failure: ReadFailure) {
    super(failure)
    this.failure = failure
  }
}
