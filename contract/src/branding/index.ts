/** What the workspace is called and looks like to everybody, and what is told to everybody. */
import { area } from '../area.ts'
import { brandingDescription } from './area.ts'
import { Banner, ListedBanner, banners } from './banners.ts'
import { Branding, BrandingSettings, identity } from './identity.ts'

export { Banner, type BannerBody, type BannerKind, bannerKinds, ListedBanner } from './banners.ts'
export {
  Branding,
  BrandingSettings,
  type LogoVariant,
  logoVariants,
  mostLogoBytes,
  mostLogoPixels,
  WorkspaceName,
} from './identity.ts'

export const brandingRoutes = { ...identity, ...banners } as const

export const brandingArea = area(brandingDescription, {
  routes: brandingRoutes,
  shapes: { Banner, Branding, BrandingSettings, ListedBanner },
})
