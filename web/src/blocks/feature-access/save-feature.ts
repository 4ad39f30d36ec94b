/** Who may use the features of the instance: read for administrators, saved one rule at a time. */
import { accessRoutes, type FeatureName, type FeatureRule } from '@atrium/contract/access'
import type { AccessMode } from '@atrium/contract/common'
import { call } from '../../api/client.ts'
import { codeOf } from '../../api/errors.ts'
import { keyOf, queryClient, queryOf } from '../../api/query.ts'
import { runInTurn, savesOf } from '../../api/saves.ts'

export const featuresQuery = queryOf(accessRoutes.features)

export interface FeatureChange {
  mode: AccessMode
  groupIds: readonly string[]
}

/** Saves in the order of the clicks, each upon what the server answered last. */
export const saveFeature = (name: FeatureName, change: (rule: FeatureRule) => FeatureChange): Promise<void> =>
  runInTurn(savesOf(accessRoutes.features), async () => {
    const queryKey = keyOf(accessRoutes.features)
    const { items } = await queryClient.ensureQueryData(featuresQuery)
    const rule = items.find((each) => each.name === name)
    if (!rule) return
    const show = (next: FeatureRule) =>
      queryClient.setQueryData(queryKey, {
        items: items.map((each) => (each.name === name ? next : each)),
        nextCursor: null,
      })
    const { mode, groupIds } = change(rule)
    void queryClient.cancelQueries({ queryKey, exact: true })
    show({ ...rule, mode, groupIds: [...groupIds] })
    try {
      const before = { mode: rule.mode, groupIds: rule.groupIds }
      const body = { mode, groupIds: [...groupIds], before }
      show(await call(accessRoutes.updateFeature, { params: { feature: name }, body }))
    } catch (error) {
      show(rule)
      // Somebody else changed it meanwhile: the page shows what is set now.
      if (codeOf(error) === 'conflict') void queryClient.invalidateQueries({ queryKey })
      throw error
    }
    void queryClient.invalidateQueries()
  })

/** The rule once a group may, or may not any more: without one left it is for administrators. */
export const withGroup = ({ mode, groupIds }: FeatureRule, id: string, on: boolean): FeatureChange => {
  const others = mode === 'groups' ? groupIds.filter((each) => each !== id) : []
  const chosen = on ? [...others, id] : others
  return { mode: chosen.length === 0 ? 'admins' : 'groups', groupIds: chosen }
}
