/** The area of the gallery, as `compose()` creates it. */
import { mediaGalleryArea } from '@atrium/contract/media-gallery'
import type { Connections } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createMediaGallery, mediaMigrations, mediaSealed } from './index.ts'
import { createMediaJobs, mediaJobMigrations, mediaJobSealed } from './jobs/index.ts'
import { mediaSettings } from './settings.ts'

interface Needs {
  readonly connections: Connections
  readonly settings: Settings
  readonly usage: Usage
}

export const mediaGallery = defineArea(mediaGalleryArea)<Needs>()({
  needs: ['connections', 'settings', 'usage'],
  migrations: [...mediaMigrations, ...mediaJobMigrations],
  sealed: [...mediaSealed, ...mediaJobSealed],
  settings: mediaSettings,
  create(platform, { connections, settings, usage }, { MEDIA_QUOTA_MB, VIDEO_COLLECT }) {
    const { context, handlers, resources, api } = createMediaGallery({
      ...platform,
      galleryQuotaBytes: (MEDIA_QUOTA_MB ?? 0) * 1_000_000,
      accountQuotaBytes: async () => (await settings.instance()).storageQuotaBytes.value,
    })
    const making = createMediaJobs(context, {
      connections,
      processId: platform.processId,
      unitPriceOf: usage.unitPriceOf,
      secondPriceOf: usage.secondPriceOf,
      usualImage: async (accountId) => (await settings.preferencesOf(accountId)).mediaDefaults.image,
      collects: VIDEO_COLLECT ?? true,
    })
    const { jobs, every, start, drain, removeAccount } = making
    return {
      handlers: { ...handlers, ...making.handlers },
      resources,
      api: { ...api, ...making.inChat },
      jobs,
      every,
      start,
      drain,
      accountRemoved: removeAccount,
      tools: making.tools,
    }
  },
})
