import type { SpeechModel } from '@atrium/contract/speech'
import type { Preferences } from '@atrium/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { Volume2 } from 'lucide-react'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { readSample } from '../../../blocks/read-aloud/start.ts'
import { useMediaWords } from '../../../blocks/media-words/media-words.ts'
import { chooseVoice, deviceProvider, deviceVoices, speechModelsQuery } from '../../../blocks/read-aloud/voices.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/speech-settings'

type Model = Preferences['readAloud']['model']

const keyOfModel = (model: Model): string => (model ? `${model.providerId}/${model.model}` : '')

/** Which model reads, with which of its voices, and a sample of it. */
export function VoiceRows() {
  const t = useText('speech-settings')
  const { modelName, valueName } = useMediaWords()
  const { readAloud } = usePreferences()
  const { data: models = [] } = useQuery(speechModelsQuery)
  const { data: device = [] } = useQuery({ queryKey: ['device-voices'], queryFn: deviceVoices, staleTime: Infinity })
  const { saving, save } = useSave()
  const chosen = chooseVoice(readAloud, models, device.length > 0)
  const choices: { key: string; model: Model; label: string }[] = [
    { key: '', model: null, label: t('automatic') },
    ...models.map((one) => ({
      key: `${one.pluginId}/${one.model}`,
      model: { providerId: one.pluginId, model: one.model },
      label: modelName(one),
    })),
    ...(device.length > 0
      ? [{ key: `${deviceProvider}/`, model: { providerId: deviceProvider, model: '' }, label: t('device') }]
      : []),
  ]
  const current = keyOfModel(readAloud.model)
  const isKnown = choices.some(({ key }) => key === current)
  return (
    <>
      <Row
        id="readModel"
        label={t('entry.readModel')}
        help={chosen ? t('readModelHelp') : t('noVoice')}
        saving={saving}
      >
        {(names) => (
          <Select
            {...names}
            className="w-72 max-w-full"
            value={isKnown ? current : ''}
            options={choices.map(({ key, label }) => ({ value: key, label }))}
            onChange={(key) => {
              const model = choices.find((one) => one.key === key)?.model ?? null
              void save(() => savePreferences({ readAloud: { model, voice: null } }))
            }}
          />
        )}
      </Row>
      {chosen && (
        <VoiceRow
          voice={readAloud.voice}
          isFixed={readAloud.model === null}
          voices={
            chosen.kind === 'model'
              ? voicesOf(chosen.model).map((voice) => ({ value: voice, label: valueName('voice', voice) }))
              : device.map(({ voiceURI, name, lang }) => ({ value: voiceURI, label: `${name} (${lang})` }))
          }
        />
      )}
    </>
  )
}

function VoiceRow({
  voice,
  voices,
  isFixed,
}: {
  voice: string | null
  voices: readonly { value: string; label: string }[]
  /** The model is chosen by itself, and its default voice with it. */
  isFixed: boolean
}) {
  const t = useText('speech-settings')
  const { saving, save } = useSave()
  const value = voice !== null && voices.some((one) => one.value === voice) ? voice : ''
  return (
    <Row id="readVoice" label={t('entry.readVoice')} help={isFixed ? t('readVoiceHelp') : undefined} saving={saving}>
      {(names) => (
        <span className="flex max-w-full flex-wrap items-center gap-2">
          <Select
            {...names}
            className="w-52 max-w-full"
            value={isFixed ? '' : value}
            disabled={isFixed || voices.length === 0}
            options={[{ value: '', label: t('defaultVoice') }, ...voices]}
            onChange={(next) => void save(() => savePreferences({ readAloud: { voice: next || null } }))}
          />
          <Button onClick={() => readSample(t('sampleTitle'), t('sample'))}>
            <Volume2 aria-hidden className="size-4" />
            {t('listen')}
          </Button>
        </span>
      )}
    </Row>
  )
}

const voicesOf = ({ config }: SpeechModel): string[] => {
  const voices = config['voices']
  return Array.isArray(voices) ? voices.filter((one) => typeof one === 'string') : []
}
