/** Saved settings for tests, with an environment of their own. */
import {
  createSavedSettings,
  type Environment,
  createVariableReader,
  type SavedSettings,
  type SettingStorage,
  type StorageDeps,
} from '../platform/settings/index.ts'

export const savedSettings = (deps: StorageDeps, environment: Environment = {}): SavedSettings =>
  createSavedSettings({ ...deps, readVariable: createVariableReader(environment) })

/** The same without a table: they last as long as the test. */
export const settingsInMemory = (deps: StorageDeps, environment: Environment = {}): SavedSettings => {
  const rows = new Map<string, string>()
  const storage: SettingStorage = {
    place: 'instance_settings.value',
    channel: 'settings-in-memory-changed',
    read: async () => new Map(rows),
    prepare: async (names, change) => async () => {
      const before = new Map([...rows].filter(([name]) => names.includes(name)))
      for (const [name, json] of change(before)) {
        if (json === null) rows.delete(name)
        else rows.set(name, json)
      }
    },
  }
  return createSavedSettings({ ...deps, readVariable: createVariableReader(environment), storage: () => storage })
}
