/** Who may use speech: one place for all of its features, whose modes are settings of the instance. */
import { type speechRoutes, type VoiceAccess, VoiceFeature } from '@atrium/contract/speech'
import type { InstanceSettings } from '@atrium/contract/settings'
import { allowsRole, type Settings } from '../../core/settings/index.ts'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'

export interface SpeechAccess {
  readonly handlers: Handlers<Pick<typeof speechRoutes, 'own' | 'access' | 'updateAccess'>>
  allows(feature: VoiceFeature, caller: Pick<Caller, 'role'>): Promise<boolean>
  /** Refuses with `voice_not_allowed`. */
  require(feature: VoiceFeature, caller: Pick<Caller, 'role'>): Promise<void>
}

/** The setting of each feature. */
const settingNames = { stt: 'voiceInput', tts: 'voiceOutput', 'voice-mode': 'voiceMode' } as const satisfies Record<
  VoiceFeature,
  keyof InstanceSettings
>

export const createAccess = (settings: Pick<Settings, 'instance' | 'saveInstance'>): SpeechAccess => {
  const allows: SpeechAccess['allows'] = async (feature, { role }) => {
    const { value } = (await settings.instance())[settingNames[feature]]
    return allowsRole(value, role)
  }
  return {
    allows,
    async require(feature, caller) {
      if (!(await allows(feature, caller))) throw fail('voice_not_allowed')
    },
    handlers: {
      async own(_, { caller }) {
        const [stt, tts, talks] = await Promise.all([
          allows('stt', caller),
          allows('tts', caller),
          allows('voice-mode', caller),
        ])
        return { stt, tts, 'voice-mode': stt && tts && talks }
      },
      access: async () => toVoiceAccess(await settings.instance()),
      async updateAccess({ params, body }) {
        const feature = VoiceFeature.safeParse(params.feature)
        if (!feature.success) throw fail('voice_feature_not_found')
        return toVoiceAccess(await settings.saveInstance({ [settingNames[feature.data]]: body.mode }))
      },
    },
  }
}

const toVoiceAccess = ({ voiceInput, voiceOutput, voiceMode }: InstanceSettings): VoiceAccess => {
  const tell = ({ value, source }: InstanceSettings['voiceInput']) => ({
    mode: value,
    source,
    lockedByEnv: source === 'environment',
  })
  return { stt: tell(voiceInput), tts: tell(voiceOutput), 'voice-mode': tell(voiceMode) }
}
