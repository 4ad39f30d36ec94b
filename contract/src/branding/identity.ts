/** What the workspace is called, and its logo. */
import { z } from 'zod'
import { ReadSource } from '../common.ts'
import { bytes, routes } from '../route.ts'

/** A logo is at most so large, in bytes and along each side in pixels. Pages scale it before they send it. */
export const mostLogoBytes = 64 * 1024
export const mostLogoPixels = 1024

/** The look that a logo is for. Where there is one only, it stands for both. */
export const logoVariants = ['light', 'dark'] as const
export type LogoVariant = (typeof logoVariants)[number]

export const WorkspaceName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}]*$/u, 'it must be one line')

/** Where logos are, if there are any. */
const Logos = z.strictObject({ light: z.string().nullable(), dark: z.string().nullable() })

export const Branding = z.strictObject({ name: z.string(), logos: Logos })
export type Branding = z.infer<typeof Branding>

export const BrandingSettings = z.strictObject({
  name: z.strictObject({ value: z.string(), source: ReadSource, variable: z.string().nullable() }),
  logos: Logos,
})
export type BrandingSettings = z.infer<typeof BrandingSettings>

export const identity = routes({
  branding: {
    method: 'get',
    path: '/api/branding',
    access: 'public',
    summary: 'Get the workspace’s name and logos',
    returns: Branding,
  },
  brandingSettings: {
    method: 'get',
    path: '/api/branding/settings',
    access: 'admin',
    summary: 'Get the workspace’s name and logos, with the source of the name',
    returns: BrandingSettings,
  },
  updateBranding: {
    method: 'put',
    path: '/api/branding/settings',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set the workspace’s name, as shown in titles, at sign-in and in e-mails',
    body: z.strictObject({ name: WorkspaceName.optional() }),
    returns: BrandingSettings,
    errors: ['setting_locked'],
  },
  setLogo: {
    method: 'put',
    path: '/api/branding/logos/{variant}',
    access: 'admin',
    names: 'instance',
    audit: 'logo.change',
    summary: 'Set a logo (PNG, JPEG or WebP as a data URL, at most 64 KiB and 1024 pixels a side); null removes it',
    /** `light` or `dark`. */
    params: z.strictObject({ variant: z.string().max(20) }),
    body: z.strictObject({
      logo: z
        .string()
        .max(Math.ceil(mostLogoBytes / 3) * 4 + 40)
        .nullable(),
    }),
    returns: BrandingSettings,
    errors: ['logo_not_found', 'logo_unsupported'],
  },
  logo: {
    method: 'get',
    path: '/api/branding/pictures/{tag}',
    access: 'public',
    names: 'instance',
    summary: 'Get a logo at the address given in `logos`. A new logo has a new address',
    params: z.strictObject({ tag: z.string().regex(/^[0-9a-f]{32}$/) }),
    returns: bytes,
    errors: ['logo_not_found'],
  },
})
