/** Signing in with a directory, put together. */
import type { SignInProvidersDeps } from '../context.ts'
import type { DirectoryIds } from '../provisioning/directory-id-store.ts'
import { SavedLdap } from './config.ts'
import { createLdap, type LdapSignIn } from './ldap.ts'
import { createAccountSync } from './sync-account.ts'

export const createLdapSignIn = (deps: SignInProvidersDeps & { readonly ids: DirectoryIds }): LdapSignIn => {
  const { accounts, ids } = deps
  const ldap = createLdap({
    ...deps,
    settings: deps.saved.document('ldap', SavedLdap),
    accountSync: createAccountSync(deps),
  })
  accounts.registerSignInProvider({
    methodsOf: async (accountIds) => new Map([...(await ids.known('ldap', accountIds))].map((id) => [id, ['ldap']])),
    isLinked: ids.isLinked,
    checkPassword: ldap.signIn,
  })
  return ldap
}
