/**
 * Text read aloud and recordings turned into text, by the models of connections and by what is built in. Nothing of it is
 * kept: neither the recording, nor the sound, nor the words. Who may use it is asked before anything else.
 */
import { speechRoutes as routes } from '@atrium/contract/speech'
import type { Features } from '../../core/access/index.ts'
import { type CapabilityModel, type Connections, toListedModel, toListedPlugins } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { type Caller, bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import { voiceState } from '../../platform/voice/index.ts'
import { figureIn, textIn } from '../../providers/operations/index.ts'
import { accessHandlers } from './access.ts'
import { createSynthesis } from './synthesis.ts'
import { createTranscription } from './transcription.ts'

export interface SpeechDeps extends Pick<Platform, 'clock'> {
  readonly connections: Pick<Connections, 'capability' | 'capabilityModels'>
  readonly features: Features
  readonly settings: Pick<Settings, 'instance'>
}

export const createSpeech = ({ connections, features, settings }: SpeechDeps) => {
  const synthesis = createSynthesis({ connections, features })
  const transcription = createTranscription({ connections, features })
  const mayHear = ({ accountId }: Caller) => features.allows('voice-output', accountId)

  return bindRoutes({
    name: 'speech',
    routes,
    handlers: {
      ...accessHandlers(features, settings),

      async speechModels(_, { caller }) {
        if (!(await mayHear(caller))) return []
        return (await connections.capabilityModels(caller.accountId, 'tts')).map(toListedModel)
      },
      async speechPlugins(_, { caller }) {
        if (!(await mayHear(caller))) return []
        return toListedPlugins(await connections.capabilityModels(caller.accountId, 'tts'))
      },
      async voices({ params }, { caller }) {
        const models = await connections.capabilityModels(caller.accountId, 'tts')
        const found = models.find(({ providerId }) => providerId === params.pluginId)
        if (!found || !(await mayHear(caller))) throw fail('model_not_found')
        return toVoices(found.config)
      },
      ...synthesis,
      voiceState: async () => voiceState(),

      async transcriptionModels(_, { caller }) {
        if (!(await features.allows('voice-input', caller.accountId))) return []
        return (await connections.capabilityModels(caller.accountId, 'stt')).map(toListedModel)
      },
      ...transcription,
    },
  })
}

const toVoices = (config: CapabilityModel['config']) => {
  const words = (name: string): string[] => {
    const value = config[name]
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  }
  const most = figureIn(config, 'max_characters')
  return {
    voices: words('voices'),
    defaultVoice: textIn(config, 'default_voice') ?? null,
    formats: words('formats'),
    defaultFormat: textIn(config, 'default_format') ?? null,
    maxCharacters: most === null ? null : Math.floor(most),
  }
}
