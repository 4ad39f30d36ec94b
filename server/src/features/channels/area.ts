/** The area of channels, as `compose()` creates it. */
import { channelsArea } from '@atrium/contract/channels'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import { type Generations, isAgent, isExcerpts } from '../../core/generation/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { PresenceArea } from '../../core/presence/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import { createSlot } from '../../platform/slot.ts'
import type { PostedMessage } from './context.ts'
import { channelMigrations, channelSealed, createChannels, tidyJob } from './index.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly connections: Connections
  readonly generation: Generations
  readonly groups: GroupsArea
  readonly notifications: Notifications
  readonly presence: PresenceArea
  readonly settings: Settings
}

export const channels = defineArea(channelsArea)<Needs>()({
  needs: ['access', 'accounts', 'connections', 'generation', 'groups', 'notifications', 'presence', 'settings'],
  migrations: channelMigrations,
  sealed: channelSealed,
  create(platform, { access, accounts, connections, generation, groups, notifications, presence, settings }) {
    const { find, named } = accounts.accountNames
    const watch = createSlot<EventWatch<PostedMessage>>('Who waits for messages')
    const { unattended, acquaintances, ...area } = createChannels({
      ...platform,
      access,
      groups,
      listPresent: presence.listPresent,
      notifications,
      watch,
      generations: generation,
      resolveModel: connections.resolve,
      async defaultModel(accountId) {
        const selection = (await connections.listModels(accountId)).fallback?.selection
        if (!selection || isExcerpts(selection) || isAgent(selection)) return null
        const found = await connections.resolve(accountId, selection)
        return 'model' in found ? found.model : null
      },
      modelUsed: settings.rememberModel,
      people: { find, named, byUsername: accounts.store.usernameOwner },
      quotaBytes: async () => (await settings.instance()).storageQuotaBytes.value,
    })
    presence.acquaintances.fill(acquaintances)
    return { ...area, every: [[tidyJob, 10 * 60_000]], api: { unattended, watch } }
  },
})
