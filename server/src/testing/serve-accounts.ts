/** Serves the areas of test accounts over real HTTP, where sessions, API tokens and the cookie say who is asking. */
import { createAuthenticate } from '../app/authenticate.ts'
import type { TestAccounts } from './accounts.ts'
import { type ServeOptions, type Served, serveAreas } from './serve.ts'

/** `stop` closes the accounts too. */
export const serveAccounts = async (
  accounts: TestAccounts,
  options: Omit<ServeOptions, 'areas' | 'authenticate' | 'watchSession'> & Partial<Pick<ServeOptions, 'areas'>>,
): Promise<Served> => {
  const served = await serveAreas({
    areas: accounts.areas,
    authenticate: createAuthenticate(accounts, accounts.apiTokens),
    watchSession: accounts.watchSession,
    ...options,
  })
  return {
    ...served,
    async stop() {
      await served.stop()
      accounts.close()
    },
  }
}
