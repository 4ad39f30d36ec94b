/** Why a sign-in at a tool server failed, and when one is needed. */
import type { ToolSignInReason } from '@atrium/contract/tool-servers'
import { ServerFault } from '../kind.ts'

/** The message is a sentence for people: it never holds a secret, or what an answer said beyond its error code. */
export class SignInFailure extends Error {
  override name = 'SignInFailure'
  readonly reason: ToolSignInReason
  constructor(reason: ToolSignInReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** What a server refused: an account that is not signed in there (any more), or what its sign-in does not cover. */
export type RefusalCause = 'signed-out' | 'scope'

/** The account has to sign in before a call goes on. */
export class SignInNeeded extends ServerFault {
  override name = 'SignInNeeded'
  readonly why: RefusalCause
  constructor(why: RefusalCause, message: string) {
    super('sign-in', message)
    this.why = why
  }
}

/** What of our own stands behind an error of a library, if anything. */
export const ownFailure = (error: unknown): SignInFailure | null => {
  let inner = error
  for (let depth = 0; depth < 6 && inner instanceof Error; depth++) {
    if (inner instanceof SignInFailure) return inner
    inner = inner.cause
  }
  return null
}
