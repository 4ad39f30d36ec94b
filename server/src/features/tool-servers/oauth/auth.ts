/** The sign-in of an account in its requests to a server; where it is missing, the person is asked, and the call goes on. */
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import type { ToolQuestions } from '../../../core/tools/index.ts'
import { type OpenAuth, ServerFault } from '../kind.ts'
import { type RefusalCause, SignInFailure, SignInNeeded } from './failure.ts'
import type { Challenge } from './rules.ts'
import type { Tokens } from './tokens.ts'

/** How requests of accounts show their sign-in. */
export const createSignedInAuth =
  (tokens: Tokens): OpenAuth =>
  async (server, accountId) => {
    const where = { accountId, serverId: server.id }
    let shown: string | null = null
    return {
      async headers() {
        shown = await tokens.current(where).catch(asFault)
        const headers: Record<string, string> = shown === null ? {} : { authorization: `Bearer ${shown}` }
        return headers
      },
      async refused({ status, wwwAuthenticate, again }) {
        const { error, challenge } = readChallenge(wwwAuthenticate)
        if (status === 403) {
          if (error === 'insufficient_scope') await tokens.insufficient(where, challenge).catch(asFault)
          return false
        }
        if (again) throw await tokens.giveUp(where, shown, challenge)
        await tokens.refused(where, shown, challenge).catch(asFault)
        return true
      },
    }
  }

/**
 * Runs a call. Where a sign-in is missing or does not suffice, the person is asked, once for each of the two, and the call
 * is made again. Throws SignInNeeded where the person did not sign in.
 */
export const retryAfterSignIn = async <T>(
  serverId: string,
  ask: ToolQuestions['ask'],
  work: () => Promise<T>,
): Promise<T> => {
  const asked = new Set<RefusalCause>()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SignInNeeded) || asked.has(error.why)) throw error
      asked.add(error.why)
      if ((await ask({ kind: 'sign-in', serverId, message: error.message })) === null) throw error
    }
  }
}

const readChallenge = (wwwAuthenticate: string | null): { error: string | null; challenge: Challenge } => {
  const headers = wwwAuthenticate === null ? {} : { 'www-authenticate': wwwAuthenticate }
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(new Response(null, { headers }))
  const challenge = { resourceMetadataUrl: resourceMetadataUrl?.href ?? null, scope: scope ?? null }
  return { error: error ?? null, challenge }
}

const asFault = (error: unknown): never => {
  if (!(error instanceof SignInFailure)) throw error
  throw new ServerFault(error.reason === 'unreachable' ? 'unreachable' : 'refused', error.message)
}
