/** Who may use a feature, and how a rule about it stands in settings. Pure. */
import type { FeatureReason, FeatureRule } from '@atrium/contract/access'
import { AccessMode, Audience } from '@atrium/contract/common'
import type { EffectiveSetting } from '../../../platform/settings/index.ts'

/** What is set about a feature, as its area has it; groups that are gone may still be named. */
export type StoredRule = Omit<FeatureRule, 'available' | 'groupIds' | 'modes' | 'name'> & {
  readonly groupIds: readonly string[]
  readonly modes: readonly AccessMode[]
}

/** An account as far as it matters here; null: there is none. */
export type FeatureUser = { readonly role: 'admin' | 'user'; readonly status: string } | null

export interface Ruling {
  readonly allowed: boolean
  readonly reason: FeatureReason
  /** The groups by which it may. */
  readonly groupIds: readonly string[]
}

const allowedReasons: readonly FeatureReason[] = ['administrator', 'everyone', 'group']

/** `ownGroups`: the groups that the account is in, asked for only where they decide. */
export const ruleOnFeature = async (
  rule: Pick<StoredRule, 'groupIds' | 'mode'> & { readonly available: boolean },
  user: FeatureUser,
  ownGroups: () => Promise<readonly string[]>,
): Promise<Ruling> => {
  const rulingOf = (reason: FeatureReason, groupIds: readonly string[] = []): Ruling => ({
    allowed: allowedReasons.includes(reason),
    reason,
    groupIds,
  })
  if (user?.status !== 'active') return rulingOf('inactive-account')
  if (rule.mode === 'off') return rulingOf('off')
  if (!rule.available) return rulingOf('unavailable')
  if (rule.mode === 'all-users') return rulingOf('everyone')
  if (user.role === 'admin') return rulingOf('administrator')
  if (rule.mode === 'admins') return rulingOf('administrators-only')
  const own = rule.groupIds.length === 0 ? [] : await ownGroups()
  const shared = rule.groupIds.filter((id) => own.includes(id))
  return shared.length > 0 ? rulingOf('group', shared) : rulingOf('no-group')
}

/** The rule of a feature whose setting is its mode. `modes`: what it can be. */
export const modeRule = (
  mode: EffectiveSetting<AccessMode>,
  groupIds: EffectiveSetting<readonly string[]>,
  modes: readonly AccessMode[] = AccessMode.options,
): StoredRule => ({
  mode: mode.value,
  groupIds: groupIds.value,
  modes: mode.source === 'environment' ? [] : modes,
  source: mode.source,
  variable: mode.variable,
})

/** The rule of a feature that is on or off, and has an audience while it is on. */
export const switchRule = (
  on: EffectiveSetting<boolean>,
  audience: EffectiveSetting<Audience>,
  groupIds: EffectiveSetting<readonly string[]>,
): StoredRule => {
  const isFixed = on.source === 'environment'
  return {
    mode: on.value ? audience.value : 'off',
    groupIds: groupIds.value,
    modes: !isFixed ? AccessMode.options : on.value ? Audience.options : [],
    source: on.source,
    variable: on.variable,
  }
}

/** What a mode means for such a feature. What is fixed is left out: a rule is checked against its modes before. */
export const switchChange = (mode: AccessMode, { modes }: Pick<StoredRule, 'modes'>) => ({
  on: modes.includes('off') ? mode !== 'off' : undefined,
  audience: mode === 'off' ? undefined : mode,
})

type ModeAndGroups = Pick<StoredRule, 'groupIds' | 'mode'>

const without = (all: readonly string[], others: readonly string[]): string[] =>
  all.filter((id) => !others.includes(id))

export const isSameRule = (a: ModeAndGroups, b: ModeAndGroups): boolean =>
  a.mode === b.mode && without(a.groupIds, b.groupIds).length + without(b.groupIds, a.groupIds).length === 0

/** What became of a rule, for the audit: every group, however many there are. */
export const ruleChanges = (before: ModeAndGroups, after: ModeAndGroups): string[] => {
  const added = without(after.groupIds, before.groupIds)
  const removed = without(before.groupIds, after.groupIds)
  return [
    ...(before.mode === after.mode ? [] : [`mode: ${before.mode} → ${after.mode}`]),
    ...(added.length === 0 ? [] : [`groups added: ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`groups removed: ${removed.join(', ')}`]),
  ]
}
