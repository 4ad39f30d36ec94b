/** Why a document, or an operation of it, is not taken over. */

export const mostDocumentBytes = 1_000_000

export type OperationFaultReason =
  | 'outside-reference'
  | 'circular-reference'
  | 'too-large'
  | 'bad-schema'
  | 'unsupported'

/** One operation alone; the others are taken over. */
export class OperationFault extends Error {
  readonly reason: OperationFaultReason
  constructor(reason: OperationFaultReason) {
    super(reason)
    this.reason = reason
  }
}

/** All of it. The message is for people. */
export class DocumentFault extends Error {}
