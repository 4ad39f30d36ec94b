/** How an account has its documents cut and searched. */
import type { documentsRoutes, EmbeddingSettings, EmbeddingSettingsPatch } from '@atrium/contract/documents'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { SettingsStore } from './stores/settings.ts'
import type { DocumentsDeps } from './types.ts'

type Names = 'embeddingSettings' | 'updateEmbeddingSettings' | 'resetEmbeddingSettings' | 'embeddingModels'

export const settingsHandlers = (parts: {
  readonly settings: SettingsStore
  readonly capabilityModels: DocumentsDeps['capabilityModels']
  /** Does what follows from a change: cutting and embedding anew, in the background. */
  readonly changed: (accountId: string, before: EmbeddingSettings, after: EmbeddingSettings) => Promise<void>
}): Pick<Handlers<typeof documentsRoutes>, Names> => {
  const { settings, capabilityModels, changed } = parts

  return {
    embeddingSettings: (_input, { caller }) => settings.read(caller.accountId),

    async updateEmbeddingSettings({ body }, { caller }) {
      let before: EmbeddingSettings | undefined
      const after = await settings.change(caller.accountId, (current) => merge((before = current), body))
      if (before) await changed(caller.accountId, before, after)
      return after
    },

    async resetEmbeddingSettings(_input, { caller }) {
      const before = await settings.read(caller.accountId)
      const after = await settings.reset(caller.accountId)
      await changed(caller.accountId, before, after)
      return after
    },

    async embeddingModels(_input, { caller }) {
      const models = await capabilityModels(caller.accountId, 'embedding')
      return {
        items: models.map(({ providerId, providerName, model }) => ({ providerId, providerName, model })),
        nextCursor: null,
      }
    },
  }
}

/** Refuses with `validation_failed` an overlap that is not smaller than the chunk. */
const merge = (before: EmbeddingSettings, patch: EmbeddingSettingsPatch): EmbeddingSettings => {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const after: EmbeddingSettings = { ...before, ...given }
  if (after.chunkOverlap < after.chunkSize) return after
  const path = patch.chunkOverlap === undefined ? 'body.chunkSize' : 'body.chunkOverlap'
  throw fail('validation_failed', undefined, [{ path, message: 'the overlap must be smaller than the chunk' }])
}
