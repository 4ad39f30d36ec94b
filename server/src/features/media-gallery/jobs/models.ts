/** The models that make media, and what is said where one cannot be used. */
import type { MediaModel, MediaModels } from '@atrium/contract/media-gallery'
import { toListedModel, type UsableCapability, type UsableVideo } from '../../../core/connections/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { OperationName } from '../../../providers/operations/index.ts'
import type { MediaJobContext } from './context.ts'
import type { Issue } from './options.ts'

export const listModels = async (context: MediaJobContext, accountId: string): Promise<MediaModels> => {
  const { connections, unitPriceOf, secondPriceOf } = context
  const list = async (name: Parameters<typeof connections.capabilityModels>[1]): Promise<MediaModel[]> =>
    (await connections.capabilityModels(accountId, name)).map(toListedModel)
  /** Of what is counted before it is made; sound is counted by the bytes that come. */
  const listPriced = async (name: Parameters<typeof list>[0]): Promise<MediaModel[]> =>
    (await list(name)).map((model) => {
      const price = unitPriceOf(model.pluginId, model.model)
      const secondPrice = name === 'video' ? secondPriceOf(model.pluginId, model.model) : null
      return Object.assign(model, price && { price }, secondPrice && { secondPrice })
    })
  const [image, video, speech, sound, transcription] = await Promise.all([
    listPriced('image'),
    listPriced('video'),
    listPriced('tts'),
    list('audio'),
    list('stt'),
  ])
  return { image, video, speech, sound, transcription }
}

interface Wished {
  readonly model: string
  readonly pluginId: string
}

/** Refuses with `model_unavailable`, and says why. */
export async function requireModel<N extends OperationName>(
  { connections }: MediaJobContext,
  accountId: string,
  capability: N,
  { model, pluginId }: Wished,
): Promise<UsableCapability<N>> {
  const found = await connections.capability(accountId, capability, { providerId: pluginId, model })
  if ('unavailable' in found) throw fail('model_unavailable', found.unavailable)
  return found.usable
}

export async function requireVideoModel(
  { connections }: MediaJobContext,
  accountId: string,
  { model, pluginId }: Wished,
): Promise<UsableVideo> {
  const found = await connections.video(accountId, { providerId: pluginId, model })
  if ('unavailable' in found) throw fail('model_unavailable', found.unavailable)
  return found.usable
}

/** Refuses with the fields that do not do, before anything is asked. */
export const requireNone = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw fail('validation_failed', undefined, [...issues].slice(0, 20))
}
