/** The sign-in of an account in its requests to a server. */
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import { type OpenAuth, ServerFault } from '../kind.ts'
import { SignInFailure } from './failure.ts'
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
