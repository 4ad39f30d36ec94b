/**
 * Who is asking: accounts, their groups, sign-in, sessions and API tokens. The first account becomes administrator; later ones wait for approval.
 * It keeps no password and no token, only hashes of them, and it never says whether a name or a password was wrong.
 */
import { authentication, type User } from '@atrium/contract/authentication'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { createAdministration } from './people/administration.ts'
import { createDirectory } from './people/directory.ts'
import { createEndings } from './sessions/endings.ts'
import { createGroupStore } from './groups/store.ts'
import { createGroups } from './groups/groups.ts'
import { createGroupSources } from './groups/sources.ts'
import { hashPassword } from './password.ts'
import { profileHandlers } from './people/profile.ts'
import { createSessionStore } from './sessions/store.ts'
import { createSessions } from './sessions/sessions.ts'
import { createEntrance } from './sign-in/entrance.ts'
import { signInHandlers } from './sign-in/sign-in.ts'
import { createAccountStore } from './people/store.ts'
import { accountMigrations } from './tables.ts'
import { tokenHandlers } from './tokens/routes.ts'
import { createTokenStore } from './tokens/store.ts'
import { createTokens } from './tokens/tokens.ts'
import type { AccountDeps, AccountParts, AccountRemoved } from './types.ts'

export { type AccountTables, accountMigrations } from './tables.ts'
export type { AccountDeps } from './types.ts'
export { sessionCookie } from './sign-in/entrance.ts'

export const createAccounts = (deps: AccountDeps) => {
  const store = createAccountStore(deps)
  const endings = createEndings(deps)
  const sessionList = createSessionStore(deps)
  const sessions = createSessions({ ...deps, endings, store: sessionList })
  const tokenList = createTokenStore(deps)
  const tokens = createTokens({ ...deps, endings, store: tokenList })
  const groups = createGroups({
    ...{ ...deps, store: createGroupStore(deps), sources: createGroupSources(deps), accounts: store },
  })
  const removed = new Set<AccountRemoved>()
  const entrance = createEntrance({ ...deps, sessions })
  const parts: AccountParts = {
    ...deps,
    ...{ store, sessions, sessionList, tokens, tokenList, endings, entrance, removed },
  }
  const area: Area = defineArea({
    name: 'authentication',
    routes: authentication,
    handlers: { ...signInHandlers(parts), ...profileHandlers(parts), ...tokenHandlers(parts) },
    migrations: accountMigrations,
  })

  return {
    area,
    /**
     * Who holds a session's token: null for nobody. Throws `account_pending` or `account_disabled` for someone known who
     * may not come in. Answers from memory for up to five seconds, but never past a revocation.
     */
    authenticate: sessions.authenticate,
    /** The same for an API token. Both kinds have a prefix of their own, so either can be asked about any text. */
    authenticateToken: tokens.authenticate,
    /** Calls `ended` once when the session or token is revoked or over; gives the function that stops watching. */
    watchSession: endings.watch,
    /** Grows with everything that ends for a caller, and with every change of what somebody may do. */
    endings: () => endings.count,
    /** Tells of every revoked session and token; gives the function that stops it. */
    onSessionEnded: endings.onEnded,
    /** The account, or null. */
    user: (accountId: string): Promise<User | null> => store.user(accountId),
    /** What its owner calls an API token, and whose it is; null when there is none, or it is revoked. */
    token: tokenList.owner,
    hasUsers: () => store.hasAccounts(),
    /** Adds a hook for the removal of accounts; gives the function that takes it off. */
    onAccountRemoved(hook: AccountRemoved): () => void {
      removed.add(hook)
      return () => void removed.delete(hook)
    },
    /** For tools and tests: makes an account of any standing, past sign-up and its rules. */
    async createAccount(account: {
      username: string
      password: string
      email?: string
      role?: User['role']
      status?: User['status']
    }): Promise<User> {
      const { username, password, email = null, role = 'user', status = 'active' } = account
      const credential = await hashPassword(password)
      return await store.insert({ id: deps.clock.id(), username, email, credential, now: deps.clock.now() }, () => ({
        role,
        status,
      }))
    },
    /** What administrators do to accounts. */
    administration: createAdministration(parts),
    /** Accounts under one name, and who is in which. */
    groups,
    /** Names of accounts for those who share something. */
    directory: createDirectory(deps),
    close() {
      endings.close()
      groups.close()
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>
