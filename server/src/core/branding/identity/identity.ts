/** What the workspace is called, and its logos: seen by everybody, also by visitors. */
import { type brandingRoutes, logoVariants, mostLogoBytes, mostLogoPixels } from '@atrium/contract/branding'
import { readPictureUrl } from '../../../platform/formats/picture/data-url.ts'
import type { BytesAnswer, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { BrandingDeps } from '../context.ts'
import { createLogoStore } from './store.ts'

type Names = 'branding' | 'brandingSettings' | 'updateBranding' | 'setLogo' | 'logo'

export const identityHandlers = (deps: BrandingDeps): Pick<Handlers<typeof brandingRoutes>, Names> => {
  const { settings, announceAll } = deps
  const store = createLogoStore(deps)
  const logos = async () => {
    const { light, dark } = await store.tags()
    return { light: addressOf(light), dark: addressOf(dark) }
  }
  const state = async () => ({ name: (await settings.read()).name, logos: await logos() })
  const changed = async () => {
    await announceAll({ type: 'branding-changed', data: {} })
    return await state()
  }

  return {
    branding: async () => ({ name: (await settings.read()).name.value, logos: await logos() }),
    brandingSettings: () => state(),

    async updateBranding({ body }) {
      settings.requireFree(body)
      await settings.change(() => body)
      return await changed()
    },

    async setLogo({ params, body }) {
      const variant = logoVariants.find((one) => one === params.variant)
      if (variant === undefined) throw fail('logo_not_found')
      const most = { bytes: mostLogoBytes, pixels: mostLogoPixels }
      const logo = body.logo === null ? null : readPictureUrl(body.logo, most)
      if (body.logo !== null && logo === null) throw fail('logo_unsupported')
      await store.put(variant, logo)
      return await changed()
    },

    async logo({ params }): Promise<BytesAnswer> {
      const logo = await store.read(params.tag)
      if (!logo) throw fail('logo_not_found')
      const { bytes: body, mediaType } = logo
      const fileName = `logo.${mediaType.slice('image/'.length)}`
      return { body, mediaType, fileName, disposition: 'inline', immutable: true }
    },
  }
}

const addressOf = (tag: string | undefined): string | null =>
  tag === undefined ? null : `/api/branding/pictures/${tag}`
