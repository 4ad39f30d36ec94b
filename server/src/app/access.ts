/** What the decision on rights takes from the rest of the house, and who tells it of changes. */
import { type Access, createAccess } from '../core/access/index.ts'
import type { AccessDeps } from '../core/access/context.ts'
import type { Accounts } from '../core/accounts/index.ts'
import type { GroupsArea } from '../core/groups/index.ts'
import type { Settings } from '../core/settings/index.ts'

type Given = Pick<AccessDeps, 'database' | 'vault' | 'clock' | 'log' | 'audit' | 'announce'>

export const wireAccess = (
  given: Given,
  {
    accounts,
    groups,
    settings,
    mayWebSearch,
  }: {
    accounts: Accounts
    groups: GroupsArea
    settings: Settings
    mayWebSearch: (accountId: string) => Promise<boolean>
  },
): Access => {
  const access = createAccess({
    ...given,
    principals: { ...accounts.directory, groups },
    interrupt: accounts.interrupt,
    requireProof: accounts.requireProof,
    mailSupportAccess: accounts.notices,
    async readAccount(accountId) {
      const user = await accounts.user(accountId)
      if (!user) return null
      const { username, role, status } = user
      const { voiceInput } = await settings.instance()
      const voice = voiceInput.value === 'all-users' || (voiceInput.value === 'admins' && role === 'admin')
      const may = {
        'web-search': await mayWebSearch(accountId),
        'voice-input': voice,
        administration: role === 'admin',
      }
      const isActive = status === 'active'
      const features = Object.fromEntries(Object.entries(may).map(([name, is]) => [name, isActive && is]))
      return { username, role, status, features }
    },
  })
  accounts.onAccountRemoved(access.removeAccount)
  groups.onRemoved(access.removeGroup)
  groups.onMembersChanged(access.announceMembers)
  return access
}
