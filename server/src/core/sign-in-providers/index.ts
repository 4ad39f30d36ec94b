/**
 * Signing in by others: OAuth and OpenID providers, and a directory (LDAP); and the ids by which directories know
 * accounts. A provider says who somebody is. It begins no session, and asks for no second factor: accounts do.
 */
import type { SignInProvidersDeps } from './context.ts'
import { createLdapSignIn } from './ldap/index.ts'
import { createOAuth } from './oauth/index.ts'
import { createDirectoryIds } from './provisioning/directory-id-store.ts'
import { createProvisioning } from './provisioning/provisioning.ts'

export type { SignInProvidersDeps } from './context.ts'
export type { OAuthOptions } from './oauth/options.ts'
export { environmentProviders, signInProviderSettings } from './settings.ts'
export { signInProviderMigrations, signInProviderSealed } from './tables.ts'

export const createSignInProviders = (deps: SignInProvidersDeps) => {
  const { accounts, groups } = deps
  const ids = createDirectoryIds(deps)
  const oauth = createOAuth(deps)
  const ldap = createLdapSignIn({ ...deps, ids })
  accounts.registerSignInProvider({
    managersOf: async (accountIds) => managedByScim(await ids.known('scim', accountIds)),
  })
  groups.registerSourceNames(oauth.sourceNames)

  return {
    handlers: { ...oauth.handlers, ...ldap.handlers },
    /** Accounts as a directory that manages them finds and changes them. */
    provisioning: createProvisioning({ ids, store: accounts.store }),
    /** Whether an account has no password of its own, but that of a directory. */
    hasDirectoryPassword: async (accountId: string): Promise<boolean> =>
      !(await accounts.store.hasOwnPassword(accountId)) && (await ids.of('ldap', accountId)) !== null,
  }
}
export type SignInProviders = ReturnType<typeof createSignInProviders>

const managedByScim = (accountIds: ReadonlySet<string>) => new Map([...accountIds].map((id) => [id, 'scim']))
