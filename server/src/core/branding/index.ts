/**
 * What everybody sees of the workspace: its name, its logos, and what administrators tell in banners. It refuses logos
 * that could run, and says to visitors only what is meant for them.
 */
import { brandingRoutes } from '@atrium/contract/branding'
import { bindRoutes } from '../../platform/http/area.ts'
import { bannerHandlers } from './banners/banners.ts'
import type { BrandingDeps } from './context.ts'
import { identityHandlers } from './identity/identity.ts'
import { brandingMigrations } from './tables.ts'

export { brandingSettings } from './settings.ts'
export { brandingMigrations, brandingSealed } from './tables.ts'

export const createBranding = (deps: BrandingDeps) => ({
  area: bindRoutes({
    name: 'branding',
    routes: brandingRoutes,
    handlers: { ...identityHandlers(deps), ...bannerHandlers(deps) },
    migrations: brandingMigrations,
  }),
  /** What the workspace is called. */
  workspaceName: async (): Promise<string> => (await deps.settings.read()).name.value,
})
export type BrandingArea = ReturnType<typeof createBranding>
