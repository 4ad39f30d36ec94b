import { type BrandingSettings, brandingRoutes } from '@atrium/contract/branding'
import { keyOf, queryClient } from '../../../api/query.ts'

/** Shows what the server answered a change with. */
export const keepBranding = (settings: BrandingSettings): void =>
  void queryClient.setQueryData(keyOf(brandingRoutes.brandingSettings), settings)
