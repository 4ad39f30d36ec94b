/** The parts of signing in with a directory, put together. */
import type { Groups } from '../../groups/groups.ts'
import { createRoleFollower } from '../../accounts/people/sync-role.ts'
import type { DirectoryIds } from '../provisioning/directory-ids.ts'
import type { AccountDeps, AccountParts } from '../../accounts/types.ts'
import { SavedLdap } from './config.ts'
import { createLdap, type Ldap } from './ldap.ts'
import { createAdmission } from './sync-account.ts'

export const wireLdap = (
  deps: AccountDeps &
    Pick<AccountParts, 'store' | 'guesses' | 'endings' | 'people'> & {
      readonly groups: Groups
      readonly ids: DirectoryIds
    },
): Ldap => {
  const admission = createAdmission({
    ...deps,
    followRole: createRoleFollower({ ...deps, standing: deps.people.standing }),
  })
  return createLdap({ ...deps, document: deps.document('ldap', SavedLdap), admission })
}
