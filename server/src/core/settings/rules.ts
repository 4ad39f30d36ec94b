/** How preferences are merged and read, and where a setting of the instance comes from. Pure. */
import type { Selection } from '@atrium/contract/common'
import type { GenerationOptions } from '@atrium/contract/generation'
import { Preferences, type PreferencesPatch, type Theme, usualTheme } from '@atrium/contract/settings'

/** What is stored of a person's preferences: only members they ever set, perhaps by another version of the program. */
export type StoredPreferences = Readonly<Record<string, unknown>>

const merged = ['theme', 'layout', 'chat', 'readAloud', 'dictation'] as const

/**
 * Lays a patch over a stored document: members are replaced, `theme`, `layout`, `chat`, `readAloud` and `dictation` merged
 * one level deep. Members that the patch leaves out stay as they are.
 */
export const mergePreferences = (stored: StoredPreferences, patch: PreferencesPatch): StoredPreferences => {
  const result: Record<string, unknown> = { ...stored, ...withoutUndefined(patch) }
  for (const name of merged) {
    const change = patch[name]
    if (change) result[name] = { ...asObject(stored[name]), ...withoutUndefined(change) }
  }
  return result
}

/**
 * Fills in defaults. A stored member that this version does not know or cannot read any more (its form changed, a
 * choice is gone) falls back to its default; nobody is locked out of their preferences by an update. `theme`: that of
 * the instance, for what was not chosen of it.
 */
export const readPreferences = (stored: StoredPreferences, theme: Theme = usualTheme): Preferences => {
  const defaults = Preferences.parse({ theme })
  const result: Record<string, unknown> = { ...defaults }
  for (const name of Object.keys(Preferences.shape) as (keyof Preferences)[]) {
    const value = stored[name]
    if (value === undefined) continue
    const whole = isMerged(name) ? { ...asObject(defaults[name]), ...known(value, asObject(defaults[name])) } : value
    const read = Preferences.shape[name].safeParse(whole)
    if (read.success) result[name] = read.data
  }
  return result as Preferences
}

/** A theme after a change of some of it. */
export const mergeTheme = (theme: Theme, change: NonNullable<PreferencesPatch['theme']>): Theme => ({
  mode: change.mode ?? theme.mode,
  accent: change.accent ?? theme.accent,
})

/** The options of models once those of one were replaced; none: it has none of its own any more. */
export const setModelOptions = (
  { modelGenerationOptions: before }: Preferences,
  key: string,
  options: GenerationOptions,
): Preferences['modelGenerationOptions'] => {
  const others = Object.entries(before).filter(([other]) => other !== key)
  return Object.fromEntries(Object.keys(options).length === 0 ? others : [...others, [key, options]])
}

/** How a selection is written into lists of favourite and lately used models. */
export const selectionKey = ({ providerType, providerId, model }: Selection): string =>
  `${providerType}:${providerId ?? ''}:${model}`

/** So many lately used models are remembered: what the section of the picker has room for. */
const remembered = 5

/** The lately used models once one more was used. */
export const usedLast = (recent: readonly string[], key: string): string[] =>
  [key, ...recent.filter((other) => other !== key)].slice(0, remembered)

const isMerged = (name: string): boolean => (merged as readonly string[]).includes(name)

const known = (value: unknown, defaults: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(asObject(value)).filter(([name]) => name in defaults))

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const withoutUndefined = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
