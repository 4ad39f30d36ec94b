/** Settings of the instance: declared by areas, fixed by the environment, saved by administrators. */
export type { EffectiveSetting, EffectiveSettings, SettingChange } from './rows.ts'
export {
  type BoundSettings,
  createSavedSettings,
  type InstanceDocument,
  type PreparedChange,
  type SavedSettings,
  valuesOf,
} from './saved-settings.ts'
export { defineSettings, type SettingGroup, type SettingValues, setting, variablesOf } from './setting.ts'
export type { InstanceSettingRow, SavedText, SettingStorage, StorageDeps } from './storage.ts'
export * from './variables.ts'
