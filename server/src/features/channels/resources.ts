/** What channels are to the rest of the product: who may do what in them, and what an account takes along or leaves. */
import type { channelsArea } from '@atrium/contract/channels'
import type { ResourcesOf } from '../../core/resources/index.ts'
import { exportChannels, removeFromChannels } from './account.ts'
import { announceReach, type ChannelContext } from './context.ts'
import { openName } from './present.ts'
import { ownerOf } from './rules.ts'
import { createChannelSearch } from './search.ts'
import { channelMemberships, channelPlaces } from './stores/channels.ts'

export const channelResources = (context: ChannelContext): ResourcesOf<typeof channelsArea> => ({
  channel: {
    missing: 'channel_not_found',
    places: channelPlaces,
    members: channelMemberships,
    within: null,
    async describe(ids) {
      const described = new Map<string, { accountId: string; name: string }>()
      for (const row of await context.store.channels.listMany(ids)) {
        const name = openName(await context.vault.keyring(ownerOf(row.id)), row)
        described.set(row.id, { accountId: ownerOf(row.id), name })
      }
      return described
    },
    changed: (_id, accountIds) => announceReach(context, accountIds),
    // They are nobody's, so support access to what an account has finds none.
    list: async () => ({ items: [], nextCursor: null }),
    export: exportChannels(context),
    removeAccount: (accountId) => removeFromChannels(context, accountId),
    transfer: { never: 'It belongs to its members, and its owners make others owners.' },
  },
  'channel-message': {
    search: createChannelSearch(context),
    // Both with its channel.
    export: null,
    removeAccount: null,
    transfer: { never: 'It stays with who wrote it.' },
  },
})
