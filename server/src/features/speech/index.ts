/**
 * Text read aloud and recordings turned into text, by the models of connections and by what is built in. Nothing of it is
 * kept: neither the recording, nor the sound, nor the words. Who may use it is asked before anything else.
 */
import { speechRoutes as routes, type SpeechModel } from '@atrium/contract/speech'
import type { CapabilityModel, Connections } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import { createAccess } from './access.ts'
import { createSynthesis } from './synthesis.ts'
import { createTranscription } from './transcription.ts'

export interface SpeechDeps extends Pick<Platform, 'clock'> {
  readonly connections: Pick<Connections, 'capability' | 'capabilityModels'>
  readonly settings: Pick<Settings, 'instance' | 'saveInstance'>
}

export const createSpeech = ({ connections, settings }: SpeechDeps) => {
  const access = createAccess(settings)
  const synthesis = createSynthesis({ connections, access })
  const transcription = createTranscription({ connections, access })

  return bindRoutes({
    name: 'speech',
    routes,
    handlers: {
      ...access.handlers,

      async speechModels(_, { caller }) {
        if (!(await access.allows('tts', caller))) return []
        return (await connections.capabilityModels(caller.accountId, 'tts')).map(toSpeechModel)
      },
      async speechPlugins(_, { caller }) {
        if (!(await access.allows('tts', caller))) return []
        const byId = Map.groupBy(await connections.capabilityModels(caller.accountId, 'tts'), (one) => one.providerId)
        return [...byId].map(([id, models]) => ({
          id,
          name: models[0]?.providerName ?? id,
          models: models.map(({ model }) => model),
          config: { ...models[0]?.config },
        }))
      },
      async voices({ params }, { caller }) {
        const models = await connections.capabilityModels(caller.accountId, 'tts')
        const found = models.find(({ providerId }) => providerId === params.pluginId)
        if (!found || !(await access.allows('tts', caller))) throw fail('model_not_found')
        return toVoices(found.config)
      },
      ...synthesis,

      async transcriptionModels(_, { caller }) {
        if (!(await access.allows('stt', caller))) return []
        return (await connections.capabilityModels(caller.accountId, 'stt')).map(toSpeechModel)
      },
      ...transcription,
    },
  })
}

const toSpeechModel = ({ model, providerId, providerName, config }: CapabilityModel): SpeechModel => ({
  model,
  pluginId: providerId,
  pluginName: providerName,
  config: { ...config },
})

const toVoices = (config: CapabilityModel['config']) => {
  const words = (name: string): string[] => {
    const value = config[name]
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  }
  const word = (name: string): string | null => {
    const value = config[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const most = config['max_characters']
  return {
    voices: words('voices'),
    defaultVoice: word('default_voice'),
    formats: words('formats'),
    defaultFormat: word('default_format'),
    maxCharacters: typeof most === 'number' && most > 0 ? Math.floor(most) : null,
  }
}
