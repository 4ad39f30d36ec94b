/** How asking the daemon can end beside an answer. Never holds what the daemon said. */

export type DaemonFailureKind = 'unreachable' | 'timeout' | 'bad-answer' | 'refused' | 'aborted'

export class DaemonFailure extends Error {
  readonly kind: DaemonFailureKind
  /** Of a daemon that refused; 0 for all else. */
  readonly status: number
  constructor(kind: DaemonFailureKind, message: string, status = 0) {
    super(message)
    this.kind = kind
    this.status = status
  }
}
