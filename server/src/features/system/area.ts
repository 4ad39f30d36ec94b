/** The area of the interface itself, as `compose()` creates it. */
import { systemArea } from '@atrium/contract/system'
import type { Accounts } from '../../core/accounts/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import { type SystemDeps, createSystem } from './index.ts'

export const system = defineArea(systemArea)<{ readonly accounts: Accounts }, Pick<SystemDeps, 'openApi'>>()({
  needs: ['accounts'],
  create({ clock, events, signals }, { accounts: { watchRights } }, _settings, { openApi }) {
    const followedStreams: SystemDeps['followedStreams'] = createSlot('The streams that an account follows')
    return {
      ...createSystem({ clock, events, signals, watchRights, followedStreams, openApi }),
      api: { followedStreams },
    }
  },
})
