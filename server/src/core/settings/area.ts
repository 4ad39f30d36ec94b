/** The area of settings, as `compose()` creates it. */
import { settingsArea } from '@atrium/contract/settings'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type EnvironmentSettings, createSettings, settingsMigrations } from './index.ts'

export const settings = defineArea(settingsArea)<object, EnvironmentSettings>()({
  needs: [],
  migrations: settingsMigrations,
  references: ['accounts'],
  create(platform, _needs, environment) {
    const api = createSettings({ ...platform, environment })
    return { ...api.area, api, stop: api.close }
  },
})
