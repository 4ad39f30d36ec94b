/**
 * What a person prefers, and what an administrator fixes for the instance. Everything has a default, and what the
 * environment sets cannot be changed here. It knows what the settings are, not what they do.
 */
import { settingsRoutes } from '@atrium/contract/settings'
import type { AccountEvent } from '@atrium/contract/system'
import { bindRoutes } from '../../platform/http/area.ts'
import type { Platform } from '../../platform/platform.ts'
import { createInstance } from './instance.ts'
import { createPreferences } from './preferences.ts'
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
  /** Tells everybody's. */
  readonly announceAll: (event: AccountEvent) => Promise<void>
}

/** Those that say who may use what. */
const featureSettings = ['voiceInput', 'voiceOutput', 'voiceMode', 'chatLinks', 'artifactLinks'] as const

export const createSettings = (deps: SettingsDeps) => {
  const store = createSettingsStore(deps)
  const instance = createInstance(deps.instance, deps.saved)
  const preferences = createPreferences({ ...deps, store, instance })

  const area = bindRoutes({
    name: 'settings-preferences',
    routes: settingsRoutes,
    handlers: {
      ...preferences.handlers,
      instance: () => instance.read(),
      async updateInstance({ body }) {
        const after = await instance.save(body)
        if (body.defaultTheme) await deps.announceAll({ type: 'preferences-changed', data: {} })
        if (featureSettings.some((name) => body[name] !== undefined))
          await deps.announceAll({ type: 'features-changed', data: {} })
        return after
      },
    },
    migrations: settingsMigrations,
  })

  return {
    area,
    /** The preferences of an account, defaults filled in. */
    preferencesOf: preferences.preferencesOf,
    /** Puts a model first among those that an account used lately. */
    rememberModel: preferences.rememberModel,
    /** How it looks for visitors. */
    defaultTheme: async () => (await instance.read()).defaultTheme.value,
    /** The settings of the instance, each with its source; from memory unless something changed. */
    instance: instance.read,
    /** Saves settings of the instance. Refuses with `setting_locked` what the environment fixes. */
    saveInstance: instance.save,
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
