/** The area of branding, as `compose()` creates it. */
import { brandingArea } from '@atrium/contract/branding'
import { defineArea } from '../../platform/areas/define-area.ts'
import { brandingMigrations, brandingSealed, brandingSettings, createBranding } from './index.ts'

export const branding = defineArea(brandingArea)<object>()({
  needs: [],
  migrations: brandingMigrations,
  sealed: brandingSealed,
  settings: brandingSettings,
  create(platform, _needs, settings) {
    const { area, ...api } = createBranding({ ...platform, settings: settings.branding })
    return { ...area, api }
  },
})
