/** What administrators say of features. */
import type { accessRoutes } from '@atrium/contract/access'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Features } from './features.ts'

export const featureHandlers = (
  features: Pick<Features, 'list' | 'rule' | 'save'>,
): Handlers<Pick<typeof accessRoutes, 'features' | 'updateFeature'>> => ({
  features: async () => ({ items: await features.list(), nextCursor: null }),
  async updateFeature({ params: { feature }, body: { mode, groupIds, before } }) {
    const chosen = groupIds ?? (await features.rule(feature)).groupIds
    if (mode === 'groups' && chosen.length === 0)
      throw fail('validation_failed', undefined, [{ path: 'body.groupIds', message: 'choose at least one group' }])
    return await features.save(feature, { mode, groupIds: chosen, before })
  },
})
