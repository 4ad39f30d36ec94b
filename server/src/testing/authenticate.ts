/** Who is asking, for the tests of areas that know accounts by their ids alone. */
import type { Authenticate } from '../platform/http/index.ts'

/** The token of a client is the id of its account; one of them is the administrator. */
export const authenticateById =
  (administrator = 'ann'): Authenticate =>
  async ({ bearer }) =>
    bearer
      ? {
          accountId: bearer,
          sessionId: bearer,
          role: bearer === administrator ? 'admin' : 'user',
          via: 'bearer',
          token: null,
        }
      : null
