/** What documents take from the rest of the house: models that look and listen, names, and who may. */
import type { Accounts } from '../core/accounts/index.ts'
import type { Connections } from '../core/connections/index.ts'
import { createDocuments, type DocumentsDeps } from '../core/documents/index.ts'
import { completeText } from '../core/generation/index.ts'
import type { Settings } from '../core/settings/index.ts'

type Given = Omit<
  DocumentsDeps,
  'capability' | 'capabilityModels' | 'describePicture' | 'mayTranscribe' | 'speechModel' | 'userName'
>

export const wireDocuments = (
  given: Given,
  { accounts, connections, settings }: { accounts: Accounts; connections: Connections; settings: Settings },
) =>
  createDocuments({
    ...given,
    capability: connections.capability,
    capabilityModels: connections.capabilityModels,
    describePicture: createLook(connections, settings),
    speechModel: async (accountId) => (await settings.preferencesOf(accountId)).speechModel,
    userName: async (accountId) => (await accounts.directory.names([accountId])).get(accountId) ?? null,
    async mayTranscribe(accountId) {
      const allowed = (await settings.instance()).voiceInput.value
      if (allowed !== 'admins') return allowed === 'all-users'
      return (await accounts.user(accountId))?.role === 'admin'
    },
  })

/** Scans take models long. */
const lookMs = 3 * 60_000
const mostChars = 50_000

/** The vision model of an account, or its default model where that can see; never another one. */
const createLook =
  (
    connections: Pick<Connections, 'resolve'>,
    settings: Pick<Settings, 'preferencesOf'>,
  ): DocumentsDeps['describePicture'] =>
  async (accountId, { mediaType, bytes }, words, signal) => {
    const { visionModel, defaultModel } = await settings.preferencesOf(accountId)
    const selection = visionModel ?? defaultModel
    if (!selection) return { unavailable: 'No vision model is chosen.' }
    const found = await connections.resolve(accountId, selection)
    if ('unavailable' in found) return found
    const { model } = found
    // A model that was chosen for it is believed to see, unless it is known that it does not.
    if (model.kind !== 'wire' || model.vision === false || (model.vision === null && !visionModel)) {
      return { unavailable: 'The chosen model cannot look at pictures.' }
    }
    const image = { mediaType, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') }
    const turn = {
      system: '',
      messages: [{ role: 'user' as const, text: words, images: [image] }],
      options: { temperature: 0 },
    }
    return { text: await completeText(model, turn, { signal, timeoutMs: lookMs, maxChars: mostChars }) }
  }
