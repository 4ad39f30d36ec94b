/** The area of access, as `compose()` creates it. */
import { accessArea } from '@atrium/contract/access'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { GroupsArea } from '../groups/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import { allowsRole, type Settings } from '../settings/index.ts'
import { accessMigrations, accessSealed, createAccess } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly notifications: Notifications
  readonly resources: ResourceRegistry
  readonly settings: Settings
}

type MayUse = (accountId: string) => Promise<boolean>

export const access = defineArea(accessArea)<Needs>()({
  needs: ['accounts', 'groups', 'notifications', 'resources', 'settings'],
  migrations: accessMigrations,
  sealed: accessSealed,
  create(platform, { accounts, groups, notifications, resources, settings }) {
    const features = new Map<string, MayUse>()
    const access = createAccess({
      ...platform,
      notifications,
      resources,
      principals: { ...accounts.accountNames, groups },
      signupEnabled: settings.signupEnabled,
      interrupt: accounts.interrupt,
      requireProof: accounts.requireProof,
      mailSupportAccess: accounts.notices,
      async readAccount(accountId) {
        const user = await accounts.user(accountId)
        if (!user) return null
        const { username, role, status } = user
        const { voiceInput } = await settings.instance()
        const may: Record<string, boolean> = {
          'voice-input': allowsRole(voiceInput.value, role),
          administration: role === 'admin',
        }
        for (const [name, mayUse] of features) may[name] = await mayUse(accountId)
        const isActive = status === 'active'
        const allowed = Object.fromEntries(Object.entries(may).map(([name, is]) => [name, isActive && is]))
        return { username, role, status, features: allowed }
      },
    })
    groups.onRemoved(access.removeGroup)
    groups.onMembersChanged(access.announceMembers)
    /** Adds a feature of the instance to what administrators see that an account may use. */
    const registerFeature = (name: string, mayUse: MayUse): void => void features.set(name, mayUse)
    return {
      ...access.area,
      jobs: access.jobs,
      api: { ...access, registerFeature },
      async accountRemoved(accountId) {
        await access.removeAccount(accountId)
        await access.endShares(accountId)
      },
      listening: access.startExpiry,
      stop: access.close,
    }
  },
})
