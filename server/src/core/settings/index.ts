/**
 * What a person prefers, and what an administrator fixes for the instance. Everything has a default, and what the
 * environment sets cannot be changed here. It knows what the settings are, not what they do.
 */
import type { Selection } from '@atrium/contract/common'
import { type Preferences, type PreferencesPatch, settingsRoutes } from '@atrium/contract/settings'
import type { AccountEvent } from '@atrium/contract/system'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import { createInstance } from './instance.ts'
import { mergePreferences, readPreferences, selectionKey, usedLast } from './rules.ts'
import type { BoundInstance } from './settings.ts'
import { createSettingsStore } from './store.ts'
import { settingsMigrations } from './tables.ts'

export { selectionKey } from './rules.ts'
export { instanceSettings } from './settings.ts'
export { settingsMigrations, settingsSealed } from './tables.ts'

export interface SettingsDeps extends Pick<Platform, 'clock' | 'database' | 'saved' | 'vault'> {
  readonly instance: BoundInstance
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
}

const largestDocument = 400_000

export const createSettings = (deps: SettingsDeps) => {
  const store = createSettingsStore(deps)
  const instance = createInstance(deps.instance, deps.saved)
  const preferencesOf = async (accountId: string): Promise<Preferences> =>
    readPreferences(await store.preferences(accountId))

  /** Tells the open pages; which model a new chat starts with is part of the list of models. */
  const changed = async (accountId: string, patch: PreferencesPatch): Promise<void> => {
    await deps.announce(accountId, { type: 'preferences-changed', data: {} })
    if (patch.defaultModel !== undefined || patch.recentModels !== undefined)
      await deps.announce(accountId, { type: 'models-changed', data: {} })
  }

  const area = bindRoutes({
    name: 'settings-preferences',
    routes: settingsRoutes,
    handlers: {
      read: (_input, { caller }) => preferencesOf(caller.accountId),
      async update({ body }, { caller }) {
        const stored = await store.changePreferences(caller.accountId, (before) => {
          const after = mergePreferences(before, body)
          if (JSON.stringify(after).length > largestDocument)
            throw fail('too_large', 'These preferences are too large.')
          return after
        })
        await changed(caller.accountId, body)
        return readPreferences(stored)
      },
      instance: () => instance.read(),
      updateInstance: ({ body }) => instance.save(body),
    },
    migrations: settingsMigrations,
  })

  return {
    area,
    /** The preferences of an account, defaults filled in. */
    preferencesOf,
    /** Puts a model first among those that an account used lately. */
    async rememberModel(accountId: string, selection: Selection): Promise<void> {
      const key = selectionKey(selection)
      if ((await preferencesOf(accountId)).recentModels[0] === key) return
      await store.changePreferences(accountId, (before) => {
        const { recentModels } = readPreferences(before)
        return mergePreferences(before, { recentModels: usedLast(recentModels, key) })
      })
      await changed(accountId, { recentModels: [key] })
    },
    /** The settings of the instance, each with its source; from memory unless something changed. */
    instance: instance.read,
    /** Private `host:port` pairs that outbound calls may reach: the list, and the local runtime while it is enabled. */
    allowedAddresses: instance.allowedAddresses,
    /** Prepares to allow one private `host:port` inside somebody's transaction. Refuses with `setting_locked`. */
    allowAddress: instance.allowAddress,
    signupEnabled: async () => (await instance.read()).signupEnabled.value,
    /**
     * Saves whether the local runtime is used, or where it is; what is not said stays. Refuses with `setting_locked` when
     * the environment says it.
     */
    setLocalRuntime: instance.setLocalRuntime,
    /** Tells when settings of the instance changed, in any process; gives the function that stops it. */
    onInstanceChanged: deps.saved.onChanged,
    close: () => deps.saved.close(),
  }
}
export type Settings = ReturnType<typeof createSettings>
