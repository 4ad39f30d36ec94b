/** Who may use speech: each of its parts is a feature of the instance. */
import { type speechRoutes, type VoiceAccess, VoiceFeature } from '@atrium/contract/speech'
import type { InstanceSettings } from '@atrium/contract/settings'
import type { Features } from '../../core/access/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'

export const featureOf = { stt: 'voice-input', tts: 'voice-output', 'voice-mode': 'voice-mode' } as const

export const accessHandlers = (
  features: Pick<Features, 'allows' | 'save'>,
  settings: Pick<Settings, 'instance'>,
): Handlers<Pick<typeof speechRoutes, 'own' | 'access' | 'updateAccess'>> => ({
  async own(_, { caller: { accountId, role } }) {
    const allows = (part: VoiceFeature) => features.allows(featureOf[part], accountId, role)
    const [stt, tts, talks] = await Promise.all([allows('stt'), allows('tts'), allows('voice-mode')])
    return { stt, tts, 'voice-mode': talks }
  },
  access: async () => toVoiceAccess(await settings.instance()),
  async updateAccess({ params, body }) {
    const part = VoiceFeature.safeParse(params.feature)
    if (!part.success) throw fail('voice_feature_not_found')
    await features.save(featureOf[part.data], body)
    return toVoiceAccess(await settings.instance())
  },
})

const toVoiceAccess = ({ voiceInput, voiceOutput, voiceMode }: InstanceSettings): VoiceAccess => {
  const tell = ({ value, source }: InstanceSettings['voiceInput']) => ({
    mode: value,
    source,
    lockedByEnv: source === 'environment',
  })
  return { stt: tell(voiceInput), tts: tell(voiceOutput), 'voice-mode': tell(voiceMode) }
}
