/** Phrases turned into text, one after the other, in their order. */
import { type SpeechModel, speechRoutes as routes, type SpokenText } from '@atrium/contract/speech'
import { preferencesQuery } from '../../api/account.ts'
import { send } from '../../api/client.ts'
import { queryClient, queryOf } from '../../api/query.ts'

export const transcriptionModelsQuery = queryOf(routes.transcriptionModels)

/** The model of the settings, else the first one; null: there is none. */
export async function chooseModel(): Promise<SpeechModel | null> {
  const [models, { speechModel }] = await Promise.all([
    queryClient.ensureQueryData(transcriptionModelsQuery),
    queryClient.ensureQueryData(preferencesQuery),
  ])
  const wanted = models.find((one) => one.pluginId === speechModel?.providerId && one.model === speechModel.model)
  return wanted ?? models[0] ?? null
}

/** `language`: null where the model is to find out. Throws `Problem`. */
export async function transcribe(
  { model, pluginId }: SpeechModel,
  phrase: Blob,
  signal: AbortSignal,
  language: string | null = null,
): Promise<string> {
  const form = new FormData()
  form.set('model', model)
  form.set('pluginId', pluginId)
  if (language) form.set('language', language)
  form.set('audio', phrase, 'dictation.wav')
  const response = await send(routes.transcribe, { file: phrase }, { form, signal })
  const { text } = (await response.json()) as SpokenText
  return text.trim()
}
