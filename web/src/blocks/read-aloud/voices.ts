/** Which voice reads: a model of a connection, one that is built in, or one of the device. */
import { speechRoutes as routes, type SpeechModel } from '@atrium/contract/speech'
import type { Preferences } from '@atrium/contract/settings'
import { queryOf } from '../../api/query.ts'

export const deviceProvider = 'device'

export const speechModelsQuery = queryOf(routes.speechModels)

export type Choice =
  | { readonly kind: 'model'; readonly model: SpeechModel; readonly voice: string | null }
  | { readonly kind: 'device'; readonly voice: string | null }

/** null: nothing can read. */
export function chooseVoice(
  { model: wanted, voice }: Preferences['readAloud'],
  models: readonly SpeechModel[],
  hasDevice: boolean,
): Choice | null {
  const device = hasDevice ? ({ kind: 'device', voice } as const) : null
  if (wanted?.providerId === deviceProvider) return device
  const chosen =
    wanted && models.find(({ pluginId, model }) => pluginId === wanted.providerId && model === wanted.model)
  if (chosen) return { kind: 'model', model: chosen, voice }
  const [first] = models
  // A voice belongs to the model that it was chosen with.
  return first ? { kind: 'model', model: first, voice: null } : device && { ...device, voice: null }
}

/** Voices that speak on the device: what a person reads goes to nobody else. They may come some time after the page. */
export async function deviceVoices(): Promise<SpeechSynthesisVoice[]> {
  if (!('speechSynthesis' in globalThis)) return []
  const local = () => speechSynthesis.getVoices().filter(({ localService }) => localService)
  if (local().length > 0) return local()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 500)
    speechSynthesis.addEventListener('voiceschanged', () => (clearTimeout(timer), resolve()), { once: true })
  })
  return local()
}

/** Formats that every browser plays, best first. */
const playable = ['mp3', 'wav', 'aac', 'flac'] as const

/** The format to ask a model for; undefined: its own. */
export function formatFor({ config }: SpeechModel): (typeof playable)[number] | undefined {
  const formats = config['formats']
  return Array.isArray(formats) ? playable.find((format) => formats.includes(format)) : undefined
}
