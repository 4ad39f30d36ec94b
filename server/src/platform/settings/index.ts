/** Settings of the instance: declared by areas, fixed by the environment, saved by administrators. */
export { BASE_URL } from './base-url.ts'
export { gatherDifferences } from './differences.ts'
export { describeSettings, describeVariables, type SettingDescription, type VariableDescription } from './describe.ts'
export type { EffectiveSetting, EffectiveSettings, SettingChange } from './rows.ts'
export {
  type BoundDeclarations,
  type BoundSettings,
  createSavedSettings,
  type InstanceDocument,
  type PreparedChange,
  type SavedSettings,
  valuesOf,
} from './saved-settings.ts'
export { defineSettings, type SettingDeclarations, type SettingValues, setting, variablesOf } from './setting.ts'
export type { InstanceSettingRow, SavedText, SettingStorage, StorageDeps } from './storage.ts'
export * from './variables.ts'
