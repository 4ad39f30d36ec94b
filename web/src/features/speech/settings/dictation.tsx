import { useQuery } from '@tanstack/react-query'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { canRecognise } from '../../../blocks/dictation/on-device.ts'
import { Group, Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { spokenLanguages } from '../../../blocks/spoken-languages.ts'
import { useVoiceAccess } from '../../../blocks/voice-access.ts'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/speech-settings'

/** How this person dictates; nothing where they may not. */
export function DictationGroup() {
  const t = useText('speech-settings')
  const { language, hold, onDevice } = usePreferences().dictation
  const { data: canOnDevice = false } = useQuery({
    queryKey: ['recognise-on-device', language],
    queryFn: () => canRecognise(language),
    staleTime: Infinity,
  })
  if (!useVoiceAccess('stt')) return null
  return (
    <Group title={t('groupDictation')}>
      <LanguageRow language={language} />
      <SwitchRow
        id="dictationHold"
        label={t('entry.dictationHold')}
        help={t('holdHelp')}
        value={hold}
        onSave={(on) => savePreferences({ dictation: { hold: on } })}
      />
      {canOnDevice && (
        <SwitchRow
          id="dictationOnDevice"
          label={t('entry.dictationOnDevice')}
          help={t('onDeviceHelp')}
          value={onDevice}
          onSave={(on) => savePreferences({ dictation: { onDevice: on } })}
        />
      )}
    </Group>
  )
}

function LanguageRow({ language }: { language: string | null }) {
  const t = useText('speech-settings')
  const { saving, save } = useSave()
  return (
    <Row id="dictationLanguage" label={t('entry.dictationLanguage')} help={t('dictationLanguageHelp')} saving={saving}>
      {(names) => (
        <Select
          {...names}
          className="w-64 max-w-full"
          value={language ?? ''}
          options={[{ value: '', label: t('detectLanguage') }, ...spokenLanguages()]}
          onChange={(next) => void save(() => savePreferences({ dictation: { language: next || null } }))}
        />
      )}
    </Row>
  )
}
