import type { VoiceFeature } from '@atrium/contract/speech'
import { FeatureAccessRow } from '../../../blocks/feature-access/feature-access-row.tsx'
import { useText } from 'virtual:words/speech-settings'

const features = { stt: 'voice-input', tts: 'voice-output', 'voice-mode': 'voice-mode' } as const

/** Who may use one feature of speech; for administrators. */
export function AccessRow({ feature, id }: { feature: VoiceFeature; id: 'voiceInput' | 'voiceOutput' | 'voiceMode' }) {
  const t = useText('speech-settings')
  return (
    <FeatureAccessRow
      feature={features[feature]}
      id={id}
      label={t(`entry.${id}`)}
      help={() => t(`access.${feature}`)}
    />
  )
}
