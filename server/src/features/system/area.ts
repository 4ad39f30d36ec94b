/** The area of the interface itself, as `compose()` creates it. */
import { systemArea } from '@atrium/contract/system'
import type { Accounts } from '../../core/accounts/index.ts'
import type { PresenceArea } from '../../core/presence/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import { type SystemDeps, createSystem } from './index.ts'

export const system = defineArea(systemArea)<
  { readonly accounts: Accounts; readonly presence: PresenceArea },
  Pick<SystemDeps, 'openApi'>
>()({
  needs: ['accounts', 'presence'],
  create({ clock, events, signals }, { accounts: { watchRights }, presence }, _settings, { openApi }) {
    const followedStreams: SystemDeps['followedStreams'] = createSlot('The streams that an account follows')
    return {
      ...createSystem({ clock, events, signals, presence, watchRights, followedStreams, openApi }),
      api: { followedStreams },
    }
  },
})
