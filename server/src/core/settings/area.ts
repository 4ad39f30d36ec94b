/** The area of settings, as `compose()` creates it. */
import { settingsArea } from '@atrium/contract/settings'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSettings, instanceSettings, settingsMigrations, settingsSealed } from './index.ts'

export const settings = defineArea(settingsArea)<object>()({
  needs: [],
  migrations: settingsMigrations,
  sealed: settingsSealed,
  references: ['accounts'],
  settings: instanceSettings,
  create(platform, _needs, { instance }) {
    const api = createSettings({ ...platform, instance })
    return { ...api.area, api, stop: api.close }
  },
})
