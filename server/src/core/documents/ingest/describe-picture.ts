/** Has the vision model of an account describe a picture. */
import type { Connections } from '../../connections/index.ts'
import { completeText } from '../../generation/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { DocumentsDeps } from '../types.ts'

/** Scans take models long. */
const lookMs = 3 * 60_000
const mostChars = 50_000

/** The vision model of an account, or its default model where that can see; never another one. */
export const createDescribePicture =
  (
    connections: Pick<Connections, 'resolve'>,
    settings: Pick<Settings, 'preferencesOf'>,
  ): DocumentsDeps['describePicture'] =>
  async (accountId, { mediaType, bytes }, words, signal) => {
    const { visionModel, defaultModel } = await settings.preferencesOf(accountId)
    const selection = visionModel ?? defaultModel
    const chosen = visionModel !== null
    if (!selection) return { unavailable: 'No vision model is selected.', chosen }
    const found = await connections.resolve(accountId, selection)
    if ('unavailable' in found) return { unavailable: found.unavailable, chosen }
    const { model } = found
    // A model that was chosen for it is believed to see, unless it is known that it does not.
    if (model.kind !== 'wire' || model.vision === false || (model.vision === null && !visionModel)) {
      return { unavailable: 'The selected model can’t read images.', chosen }
    }
    const image = { mediaType, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') }
    const turn = {
      system: '',
      messages: [{ role: 'user' as const, text: words, images: [image] }],
      options: { temperature: 0 },
    }
    return { text: await completeText(model, turn, { signal, timeoutMs: lookMs, maxChars: mostChars }) }
  }
