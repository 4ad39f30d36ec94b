/** The area of access, as `compose()` creates it. */
import { accessArea } from '@atrium/contract/access'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { GroupsArea } from '../groups/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import type { Settings } from '../settings/index.ts'
import { type Features, createFeatures } from './features/features.ts'
import { instanceFeatures } from './features/instance.ts'
import { accessMigrations, accessSealed, createAccess } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly notifications: Notifications
  readonly resources: ResourceRegistry
  readonly settings: Settings
}

export const access = defineArea(accessArea)<Needs>()({
  needs: ['accounts', 'groups', 'notifications', 'resources', 'settings'],
  migrations: accessMigrations,
  sealed: accessSealed,
  create(platform, { accounts, groups, notifications, resources, settings }) {
    const features: Features = createFeatures({
      ...platform,
      groups,
      administratorIds: accounts.administratorIds,
      async readUser(accountId) {
        const user = await accounts.user(accountId)
        return user && { role: user.role, status: user.status }
      },
      onAccountChanged: (changed) => accounts.onAccountChanged(changed),
      onSettingsChanged: settings.onInstanceChanged,
    })
    for (const feature of instanceFeatures(settings)) features.register(feature)
    const access = createAccess({
      ...platform,
      notifications,
      resources,
      principals: { ...accounts.accountNames, groups },
      signupEnabled: settings.signupEnabled,
      interrupt: accounts.interrupt,
      requireProof: accounts.requireProof,
      features,
      mailSupportAccess: accounts.notices,
      async readAccount(accountId) {
        const user = await accounts.user(accountId)
        if (!user) return null
        const { username, role, status } = user
        const decisions = await features.decideAll(accountId)
        const administers = role === 'admin' && status === 'active'
        const may = Object.fromEntries(decisions.map(({ name, allowed }) => [name, allowed]))
        return { username, role, status, features: Object.assign(may, { administration: administers }) }
      },
    })
    // First what runs ends: the announcements of grants take long in a big group.
    groups.onRemoved(features.groupChanged)
    groups.onMembersChanged(features.groupChanged)
    groups.onRemoved(access.removeGroup)
    groups.onMembersChanged(access.announceMembers)
    return {
      ...access.area,
      jobs: access.jobs,
      api: access,
      async accountRemoved(accountId) {
        await access.removeAccount(accountId)
        await access.endShares(accountId)
      },
      listening: access.startExpiry,
      stop() {
        features.close()
        access.close()
      },
    }
  },
})
