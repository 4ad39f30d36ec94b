import { Volume2 } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/speech-settings'

/** Voices, as a page of the settings; and who may use speech, for administrators. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'voice',
      name: 'speech-settings:section',
      icon: Volume2,
      group: 'you',
      order: 35,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.VoiceSettings }))),
      entries: [
        ...settingsEntries('speech-settings', ['readModel', 'readVoice', 'readSpeed', 'autoPlay']),
        ...settingsEntries('speech-settings', ['dictationLanguage', 'dictationHold', 'dictationOnDevice']),
        ...settingsEntries('speech-settings', ['voiceInput', 'voiceOutput', 'voiceMode'], { adminOnly: true }),
        {
          id: 'builtInVoice',
          name: 'speech-settings:builtIn.title',
          words: 'speech-settings:words.builtInVoice',
          adminOnly: true,
        },
      ],
    },
  ],
}
