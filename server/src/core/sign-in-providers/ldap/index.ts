/** The parts of signing in with a directory, put together. */
import type { Groups } from '../../groups/groups.ts'
import { createRoleSync } from '../../accounts/people/sync-role.ts'
import type { DirectoryIds } from '../provisioning/directory-ids.ts'
import type { AccountDeps, AccountContext } from '../../accounts/types.ts'
import { SavedLdap } from './config.ts'
import { createLdap, type Ldap } from './ldap.ts'
import { createAccountSync } from './sync-account.ts'

export const wireLdap = (
  deps: AccountDeps &
    Pick<AccountContext, 'store' | 'lockout' | 'revocations' | 'people'> & {
      readonly groups: Groups
      readonly ids: DirectoryIds
    },
): Ldap => {
  const accountSync = createAccountSync({
    ...deps,
    syncRole: createRoleSync({ ...deps, roles: deps.people.roles }),
  })
  return createLdap({ ...deps, document: deps.document('ldap', SavedLdap), accountSync })
}
