/** Who is asking: the bearer token if there is one, else the session cookie of the web app. */
import type { Accounts } from '../core/accounts/index.ts'
import { sessionCookie } from '../core/accounts/index.ts'
import type { Doors } from '../platform/http/index.ts'

export const createDoors =
  (accounts: Pick<Accounts, 'authenticate'>): Doors =>
  async (knock) => {
    const cookie = knock.bearer === null ? knock.cookie(sessionCookie) : null
    const token = knock.bearer ?? cookie
    if (!token) return null
    const who = await accounts.authenticate(token)
    return who && { ...who, via: cookie === null ? 'bearer' : 'cookie' }
  }
