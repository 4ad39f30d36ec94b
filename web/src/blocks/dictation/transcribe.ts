/** Recordings turned into text by a model of the server. */
import { type SpeechModel, speechRoutes as routes, type SpokenText } from '@atrium/contract/speech'
import type { Preferences } from '@atrium/contract/settings'
import { preferencesQuery } from '../../api/account.ts'
import { send } from '../../api/client.ts'
import { queryClient, queryOf } from '../../api/query.ts'

export const transcriptionModelsQuery = queryOf(routes.transcriptionModels)

/** The model of the settings, else the first one; null: there is none. */
export async function chooseModel(): Promise<SpeechModel | null> {
  const [models, { speechModel }] = await Promise.all([
    // One may have been connected a moment ago.
    queryClient.fetchQuery(transcriptionModelsQuery),
    queryClient.ensureQueryData(preferencesQuery),
  ])
  return usualModel(models, speechModel)
}

/** The same of models that are there already. */
export function usualModel(models: readonly SpeechModel[], wanted: Preferences['speechModel']): SpeechModel | null {
  const found = models.find(({ pluginId, model }) => pluginId === wanted?.providerId && model === wanted.model)
  return found ?? models[0] ?? null
}

/** The words of a phrase. `language`: null where the model is to find out. Throws `Problem`. */
export async function transcribe(
  model: SpeechModel,
  phrase: Blob,
  signal: AbortSignal,
  language: string | null,
): Promise<string> {
  return (await transcribeRecording(model, phrase, signal, language)).text.trim()
}

/**
 * The words of a recording with their times. `language`: null where the model is to find out; `partial`: what was heard
 * before a later part failed is wanted, too. Throws `Problem`.
 */
export async function transcribeRecording(
  { model, pluginId }: SpeechModel,
  recording: Blob,
  signal: AbortSignal,
  language: string | null,
  { partial = false }: { readonly partial?: boolean } = {},
): Promise<SpokenText> {
  const form = new FormData()
  form.set('model', model)
  form.set('pluginId', pluginId)
  if (partial) form.set('partial', 'true')
  if (language) form.set('language', language)
  // Some providers tell by the name what it is.
  form.set('audio', recording, recording.type === 'audio/wav' ? 'recording.wav' : 'recording')
  const response = await send(routes.transcribe, { file: recording }, { form, signal })
  return (await response.json()) as SpokenText
}
