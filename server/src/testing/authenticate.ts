/** Who is asking, for the tests of areas that know accounts by their ids alone. */
import type { Authenticate } from '../platform/http/index.ts'

/** The token of a client is the id of its account, and behind it each scope of an API token with a `~`; one of them is the administrator. */
export const authenticateById =
  (administrator = 'ann'): Authenticate =>
  async ({ bearer }) => {
    if (!bearer) return null
    const [accountId = '', ...scopes] = bearer.split('~')
    return {
      accountId,
      sessionId: bearer,
      role: accountId === administrator ? 'admin' : 'user',
      via: 'bearer',
      token: scopes.length > 0 ? { id: bearer, scopes, models: null, ratePerMinute: 600 } : null,
    }
  }
