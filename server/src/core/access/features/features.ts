/**
 * What of the instance an account may use: one decision for every route, tool, job and page. Areas say what they have
 * and keep what is set about it; who is in which group is read anew for each decision. Whoever loses a feature loses
 * what runs with it, in whichever process.
 */
import type { FeatureDecision, FeatureName, FeatureRule } from '@atrium/contract/access'
import { featureNames } from '@atrium/contract/access'
import type { AccessMode } from '@atrium/contract/common'
import type { ErrorCode } from '@atrium/contract/errors'
import type { AccountEvent } from '@atrium/contract/system'
import type { Database } from '../../../platform/db/types.ts'
import { conflictWith, fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { recordInWords } from '../../../platform/settings/differences.ts'
import { type FeatureUser, type StoredRule, isSameRule, ruleChanges, ruleOnFeature } from './rules.ts'
import { type FeatureWatch, createFeatureWatches } from './watches.ts'

export interface RuleChange {
  readonly mode: AccessMode
  readonly groupIds: readonly string[]
}

/** A feature as its area declares it. */
export interface Feature {
  readonly name: FeatureName
  /** What is set about it. */
  readonly read: () => Promise<StoredRule>
  /** Saves what may be set; the mode is one of those of its rule. */
  readonly save: (change: RuleChange, rule: StoredRule) => Promise<void>
  /** Whether it is set up; left out: always. */
  readonly isAvailable?: () => Promise<boolean>
  /** Features without which nobody may use it. */
  readonly needs?: readonly FeatureName[]
  /** With which whoever may not use it is refused; `forbidden` where it is left out. */
  readonly refusal?: ErrorCode
}

export interface Features {
  register(feature: Feature): void
  /** Whether an account may use each feature now, and why, in their order. */
  decideAll(accountId: string): Promise<FeatureDecision[]>
  /** Whether it may. `role`: of an active account, where that was read already. */
  allows(name: FeatureName, accountId: string, role?: 'admin' | 'user'): Promise<boolean>
  /** Refuses whoever may not. */
  require(name: FeatureName, accountId: string): Promise<void>
  watch(name: FeatureName, accountId: string, signal?: AbortSignal): FeatureWatch
  /** Runs something as long as the account may: the signal it gets is aborted then, and the feature's refusal thrown. */
  whileAllowed<T>(
    name: FeatureName,
    accountId: string,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  list(): Promise<FeatureRule[]>
  rule(name: FeatureName): Promise<FeatureRule>
  /**
   * Groups that are left out stay as they are. `before`: what the change is based on. Refuses with `setting_locked`,
   * `group_not_found`, `conflict`.
   */
  save(
    name: FeatureName,
    change: { mode: AccessMode; groupIds?: readonly string[] | undefined; before?: RuleChange | undefined },
  ): Promise<FeatureRule>
  /** Accounts came into a group or left it, or it is gone. */
  groupChanged(groupId: string, accountIds: readonly string[]): Promise<void>
  /** Something else that decides about all accounts changed, such as whether a feature is set up. */
  changed(): Promise<void>
  close(): void
}

export interface FeaturesDeps {
  readonly database: Database
  readonly log: Log
  readonly readUser: (accountId: string) => Promise<FeatureUser>
  readonly groups: {
    currentIdsOf(accountId: string): Promise<readonly string[]>
    memberIds(groupId: string): Promise<readonly string[]>
    names(groupIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  }
  /** Those that are active. */
  readonly administratorIds: () => Promise<readonly string[]>
  readonly announceEach: (accountIds: readonly string[], event: AccountEvent) => Promise<void>
  readonly announceAll: (event: AccountEvent) => Promise<void>
  /** Calls back in every process when the role or status of an account changed. */
  readonly onAccountChanged: (changed: () => void) => void
  /** The same when settings of the instance changed; gives the function that stops it. */
  readonly onSettingsChanged: (changed: () => void) => () => void
}

const channel = 'features-changed'
const news: AccountEvent = { type: 'features-changed', data: {} }

export const createFeatures = (deps: FeaturesDeps): Features => {
  const { administratorIds, database, log, groups, readUser, announceAll, announceEach } = deps
  const features = new Map<FeatureName, Feature>()
  const featureOf = (name: FeatureName): Feature => {
    const feature = features.get(name)
    if (!feature) throw new Error(`No area declares the feature ${name}.`)
    return feature
  }
  const refusalOf = (name: FeatureName) => fail(featureOf(name).refusal ?? 'forbidden')
  const stateOf = async ({ read, isAvailable }: Feature) => {
    const [rule, available] = await Promise.all([read(), isAvailable?.() ?? true])
    return { rule, available }
  }
  type State = Awaited<ReturnType<typeof stateOf>>
  const ruleOn = async ({ rule, available }: State, accountId: string, user: FeatureUser) =>
    await ruleOnFeature({ mode: rule.mode, groupIds: rule.groupIds, available }, user, () =>
      groups.currentIdsOf(accountId),
    )
  /** Those that it needs and that the account may not use. */
  const missingFor = async (name: FeatureName, accountId: string, user: FeatureUser): Promise<FeatureName[]> => {
    const missing: FeatureName[] = []
    for (const other of featureOf(name).needs ?? [])
      if (!(await ruleOn(await stateOf(featureOf(other)), accountId, user)).allowed) missing.push(other)
    return missing
  }

  const decideFor = async (
    name: FeatureName,
    accountId: string,
    user: FeatureUser,
    state?: State,
  ): Promise<FeatureDecision> => {
    const { allowed, reason, groupIds } = await ruleOn(state ?? (await stateOf(featureOf(name))), accountId, user)
    const needs = allowed ? await missingFor(name, accountId, user) : []
    if (needs.length > 0) return { name, allowed: false, reason: 'needs-other', groups: [], needs }
    const names = groupIds.length === 0 ? new Map<string, string>() : await groups.names(groupIds)
    return { name, allowed, reason, groups: groupIds.map((id) => ({ id, name: names.get(id) ?? '' })), needs }
  }
  const allows: Features['allows'] = async (name, accountId, role) => {
    const state = await stateOf(featureOf(name))
    // Nobody has it, so that it does not matter who asks.
    if (state.rule.mode === 'off' || !state.available) return false
    const user: FeatureUser = role ? { role, status: 'active' } : await readUser(accountId)
    return (await decideFor(name, accountId, user, state)).allowed
  }

  const present = async (feature: Feature): Promise<FeatureRule> => {
    const { rule, available } = await stateOf(feature)
    const there = rule.groupIds.length === 0 ? new Map<string, string>() : await groups.names(rule.groupIds)
    const { mode, modes, source, variable } = rule
    const groupIds = rule.groupIds.filter((id) => there.has(id))
    return { name: feature.name, mode, groupIds, modes: [...modes], source, variable, available }
  }

  const watches = createFeatureWatches({ allows, refusalOf, log })
  const unlisten = database.listen(channel, watches.review, watches.review)
  deps.onAccountChanged(watches.review)
  const stopHearing = deps.onSettingsChanged(watches.review)
  /** null: everybody may be concerned. */
  const tell = async (accountIds: readonly string[] | null): Promise<void> => {
    await database.notify(channel, '')
    if (accountIds === null) await announceAll(news)
    else if (accountIds.length > 0) await announceEach(accountIds, news)
  }
  /** Whom a change of a rule concerns, administrators because they see the rules; null: everybody. */
  const concernedBy = async (before: StoredRule, after: StoredRule): Promise<readonly string[] | null> => {
    const isForFew = [before, after].every(({ mode }) => mode === 'admins' || mode === 'groups')
    if (!isForFew) return null
    const [old, now] = [before, after].map(({ mode, groupIds }) => new Set(mode === 'groups' ? groupIds : []))
    const differing = old && now ? [...old.symmetricDifference(now)] : []
    const ids = await Promise.all([administratorIds(), ...differing.map((id) => groups.memberIds(id))])
    return [...new Set(ids.flat())]
  }

  return {
    register(feature) {
      if (features.has(feature.name)) throw new Error(`The feature ${feature.name} is declared twice.`)
      features.set(feature.name, feature)
    },
    async decideAll(accountId) {
      const user = await readUser(accountId)
      const there = featureNames.filter((name) => features.has(name))
      return await Promise.all(there.map((name) => decideFor(name, accountId, user)))
    },
    allows,
    async require(name, accountId) {
      if (!(await allows(name, accountId))) throw refusalOf(name)
    },
    watch: watches.add,
    async whileAllowed(name, accountId, signal, run) {
      const held = watches.add(name, accountId, signal)
      try {
        // It is watched first: what was taken away meanwhile is seen here or by the watch.
        if (!(await allows(name, accountId))) throw refusalOf(name)
        const result = await run(held.signal)
        if (held.signal.aborted && !signal?.aborted) throw held.signal.reason
        return result
      } catch (error) {
        throw held.signal.aborted && !signal?.aborted ? held.signal.reason : error
      } finally {
        held.end()
      }
    },
    list: async () =>
      await Promise.all(featureNames.flatMap((name) => features.get(name) ?? []).map((feature) => present(feature))),
    rule: async (name) => await present(featureOf(name)),
    async save(name, { mode, groupIds, before: basedOn }) {
      const feature = featureOf(name)
      const before = await feature.read()
      if (!before.modes.includes(mode)) throw lockedOr(before, mode)
      const wanted = [...new Set(groupIds ?? before.groupIds)]
      const known = wanted.length === 0 ? new Map<string, string>() : await groups.names(wanted)
      if (groupIds && wanted.some((id) => !known.has(id))) throw fail('group_not_found')
      const shown = await present(feature)
      if (basedOn && !isSameRule(basedOn, shown)) throw conflictWith(shown)
      const change = { mode, groupIds: wanted.filter((id) => known.has(id)) }
      await recordInWords(
        () => feature.save(change, before),
        async () => ruleChanges(before, await feature.read()),
      )
      await tell(await concernedBy(before, await feature.read()))
      return await present(feature)
    },
    async groupChanged(groupId, accountIds) {
      const rules = await Promise.all([...features.values()].map(({ read }) => read()))
      if (rules.some((rule) => rule.mode === 'groups' && rule.groupIds.includes(groupId))) await tell(accountIds)
    },
    changed: () => tell(null),
    close() {
      unlisten()
      stopHearing()
      watches.close()
    },
  }
}

const lockedOr = ({ variable }: StoredRule, mode: AccessMode) =>
  variable === null
    ? fail('validation_failed', undefined, [{ path: 'body.mode', message: `${mode} can’t be chosen for this feature` }])
    : fail('setting_locked', `${variable} sets this in the environment, so it can’t be changed here.`)
