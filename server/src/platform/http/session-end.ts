/** Ends the work of a request whose caller may not be here any more: the session ended, the token was revoked. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from './area.ts'
import { type Authenticate, type RevocationCount, credentialsOf } from './authenticate.ts'
import type { AbortRegistry } from './abort.ts'
import { type Refusal, fail, isRefusal } from './refusal.ts'

export interface SessionWatch {
  readonly authenticate: Authenticate
  readonly revocationCount: RevocationCount
  readonly aborts: AbortRegistry
  watchSession(sessionId: string, ended: () => void): () => void
}

/**
 * A controller that aborts when the client goes away, the server stops, or the caller's session or token ends; in the
 * last case with the refusal as its reason.
 */
export const watchCaller = (request: FastifyRequest, response: Response, by: SessionWatch): AbortController => {
  const controller = by.aborts.watch(response)
  const { caller } = request
  if (!caller || response.closed || response.destroyed) return controller
  const leave = (): void => controller.abort(fail('unauthenticated'))
  response.once('close', by.watchSession(caller.sessionId, leave))
  // It may have ended between authentication and the watch; asked again without making anyone wait, if anything ended at all.
  if (by.revocationCount() !== request.revocationsBefore)
    void isStillAuthenticated(by.authenticate, request).then((stands) => stands || leave())
  return controller
}

/** Why the work was ended, if it was because of the caller; null otherwise. */
export const findEndReason = (controller: AbortController | null): Refusal | null => {
  const reason: unknown = controller?.signal.reason
  return isRefusal(reason) ? reason : null
}

/** Whether who is asking could come in just now as well, with the same rights. */
export const isStillAuthenticated = async (authenticate: Authenticate, request: FastifyRequest): Promise<boolean> => {
  try {
    const caller = await authenticate(credentialsOf(request))
    return caller !== null && rightsOf(caller) === rightsOf(request.caller)
  } catch {
    // Whatever the reason: who cannot show a session or token now may not listen.
    return false
  }
}

const rightsOf = (caller: Caller | null): string =>
  caller === null ? '' : [caller.role, caller.token?.scopes.join(), caller.token?.models?.join()].join('\n')

type Response = Parameters<AbortRegistry['watch']>[0]
