/** The parts of signing in with a directory, put together. */
import { actorOf } from '../../../platform/audit/index.ts'
import type { Groups } from '../groups/groups.ts'
import type { DirectoryIds } from '../provisioning/ids.ts'
import type { AccountDeps, AccountParts } from '../types.ts'
import { SavedLdap } from './config.ts'
import { createLdap, type Ldap } from './ldap.ts'
import { createAdmission } from './sign-in.ts'

export const wireLdap = (
  deps: AccountDeps &
    Pick<AccountParts, 'store' | 'guesses' | 'endings' | 'people'> & {
      readonly groups: Groups
      readonly ids: DirectoryIds
    },
): Ldap => {
  const { people, endings, clock } = deps
  const admission = createAdmission({
    ...deps,
    async setRole(accountId, role, context) {
      const changed = await people.standing.setRole(accountId, role, clock.now(), actorOf(context))
      // Open streams have to show anew who they are.
      if (changed) await endings.tell(accountId, await people.standing.holds(accountId))
      return changed
    },
  })
  return createLdap({ ...deps, document: deps.document('ldap', SavedLdap), admission })
}
