/** The area of settings, as `compose()` creates it. */
import { settingsArea } from '@atrium/contract/settings'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSettings, settingsMigrations } from './index.ts'

export const settings = defineArea(settingsArea)<object>()({
  needs: [],
  migrations: settingsMigrations,
  references: ['accounts'],
  create(platform) {
    const api = createSettings(platform)
    return { ...api.area, api, stop: api.close }
  },
})
