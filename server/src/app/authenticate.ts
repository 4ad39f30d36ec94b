/**
 * Who is asking: the bearer token if there is one, of a session or of a program; else the session cookie of the web
 * app, which is never an API token.
 */
import type { Accounts } from '../core/accounts/index.ts'
import type { ApiTokensArea } from '../core/api-tokens/index.ts'
import { sessionCookie } from '../core/accounts/index.ts'
import type { Authenticate } from '../platform/http/index.ts'

export const createAuthenticate =
  (accounts: Pick<Accounts, 'authenticate'>, apiTokens: Pick<ApiTokensArea, 'authenticate'>): Authenticate =>
  async ({ bearer, cookie, address }) => {
    if (bearer === null) {
      const who = await accounts.authenticate(cookie(sessionCookie) ?? '', address)
      return who && { ...who, via: 'cookie' }
    }
    const who = (await apiTokens.authenticate(bearer)) ?? (await accounts.authenticate(bearer, address))
    return who && { ...who, via: 'bearer' }
  }
