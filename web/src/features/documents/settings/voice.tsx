import { type InstanceSettings, settingsRoutes } from '@atrium/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Select } from '../../../ui/select.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/documents-settings'

type Voice = InstanceSettings['voiceInput']['value']

/** Who may turn speech into text; for administrators. */
export function VoiceRow() {
  const t = useText('documents-settings')
  const { data } = useQuery(queryOf(settingsRoutes.instance))
  const { saving, save } = useSave()
  if (!data) return null
  const { value, source, variable } = data.voiceInput
  const store = async (voiceInput: Voice) =>
    queryClient.setQueryData(
      keyOf(settingsRoutes.instance),
      await call(settingsRoutes.updateInstance, { body: { voiceInput } }),
    )
  return (
    <Row
      id="voiceInput"
      label={t('voice.label')}
      help={t('voice.help')}
      saving={saving}
      source={
        source === 'environment' && (
          <Badge tone="info">{t('setting-row:source.environment', { variable: variable ?? '' })}</Badge>
        )
      }
    >
      {(names) => (
        <Select<Voice>
          {...names}
          className="w-64 max-w-full"
          value={value}
          disabled={source === 'environment'}
          options={(['off', 'admins', 'all-users'] as const).map((mode) => ({
            value: mode,
            label: t(`voice.${mode}`),
          }))}
          onChange={(mode) => void save(() => store(mode))}
        />
      )}
    </Row>
  )
}
