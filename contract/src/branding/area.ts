/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const brandingDescription = describeArea({
  name: 'branding',
  tag: 'branding',
  errors: {
    banner_not_found: [404, 'Banner not found.'],
    logo_not_found: [404, 'Logo not found.'],
    banner_limit: [409, 'You can have at most 20 banners. Delete one first.'],
    logo_unsupported: [422, 'Send a PNG, JPEG or WebP logo of at most 64 KiB and 1024 pixels a side.'],
  },
  events: {
    'banners-changed': z.strictObject({}),
    /** Name or logo of the workspace. */
    'branding-changed': z.strictObject({}),
  },
  audit: ['banner.create', 'banner.update', 'banner.delete', 'logo.change'],
  scopes: ['read', 'write'],
})
