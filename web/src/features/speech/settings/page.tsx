import { useIsAdmin, usePreferences, savePreferences } from '../../../api/account.ts'
import { speeds } from '../../../blocks/read-aloud/speeds.ts'
import { Group, Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { Select } from '../../../ui/select.tsx'
import { AccessRow } from './access.tsx'
import { BuiltInVoice } from './built-in-voice.tsx'
import { DictationGroup } from './dictation.tsx'
import { VoiceRows } from './voices.tsx'
import { useText } from 'virtual:words/speech-settings'

/** How text is read aloud to this person, and how they dictate. */
export function VoiceSettings() {
  const t = useText('speech-settings')
  const { readAloud } = usePreferences()
  const isAdmin = useIsAdmin()
  return (
    <>
      <Group title={t('groupRead')}>
        <VoiceRows />
        <SpeedRow speed={readAloud.speed} />
        <SwitchRow
          id="autoPlay"
          label={t('entry.autoPlay')}
          help={t('autoPlayHelp')}
          value={readAloud.autoPlay}
          onSave={(autoPlay) => savePreferences({ readAloud: { autoPlay } })}
        />
      </Group>
      <DictationGroup />
      {isAdmin && (
        <Group title={t('groupAccess')}>
          <AccessRow feature="stt" id="voiceInput" />
          <AccessRow feature="tts" id="voiceOutput" />
          <AccessRow feature="voice-mode" id="voiceMode" />
        </Group>
      )}
      {isAdmin && (
        <Group title={t('builtIn.title')} text={t('builtIn.text')}>
          <BuiltInVoice />
        </Group>
      )}
    </>
  )
}

function SpeedRow({ speed }: { speed: number }) {
  const t = useText('speech-settings')
  const { saving, save } = useSave()
  return (
    <Row id="readSpeed" label={t('entry.readSpeed')} saving={saving}>
      {(names) => (
        <Select
          {...names}
          className="w-28"
          value={String(speed)}
          options={speeds.map((value) => ({ value: String(value), label: t('times', { speed: formatNumber(value) }) }))}
          onChange={(value) => void save(() => savePreferences({ readAloud: { speed: Number(value) } }))}
        />
      )}
    </Row>
  )
}
