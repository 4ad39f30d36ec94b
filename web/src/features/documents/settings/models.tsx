import { connectionsRoutes } from '@atrium/contract/connections'
import { useQueries, useQuery } from '@tanstack/react-query'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { queryOf } from '../../../api/query.ts'
import { ModelChoiceRow } from '../../../blocks/model-picker/choice-row.tsx'
import { findModel, useModels, unavailableReason } from '../../../blocks/models.ts'
import { Select } from '../../../ui/select.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/documents-settings'

/** The model that reads pictures and scans. */
export function VisionModelRow() {
  const t = useText('documents-settings')
  const { visionModel } = usePreferences()
  const models = useModels()
  const model = findModel(models, visionModel)
  const doubt = visionModel && models && (model ? !model.features.includes('vision') : true)
  return (
    <ModelChoiceRow
      id="visionModel"
      label={t('vision.label')}
      help={doubt ? (unavailableReason(models, visionModel) ? t('vision.gone') : t('vision.blind')) : t('vision.help')}
      value={visionModel}
      none={t('vision.default')}
      onSave={(selection) => savePreferences({ visionModel: selection })}
    />
  )
}

/** The model that turns recordings into text. */
export function SpeechModelRow() {
  const t = useText('documents-settings')
  const { speechModel } = usePreferences()
  const { saving, save } = useSave()
  const connections = useQuery(queryOf(connectionsRoutes.connections))
  const able = (connections.data?.items ?? []).filter(
    ({ active, capabilities }) => active && capabilities.includes('stt'),
  )
  const options = useQueries({
    queries: able.map(({ id }) => queryOf(connectionsRoutes.catalogue, { params: { id } })),
    combine: (catalogues) =>
      catalogues.flatMap(({ data }, index) =>
        (data?.items ?? [])
          .filter(({ capabilities }) => capabilities.includes('stt'))
          .map((model) => ({
            value: JSON.stringify([able[index]?.id, model.id]),
            label: `${model.id} · ${able[index]?.name}`,
          })),
      ),
  })
  const current = speechModel ? JSON.stringify([speechModel.providerId, speechModel.model]) : ''
  const known = options.some(({ value }) => value === current)
  return (
    <Row
      id="speechModel"
      label={t('speech.label')}
      help={connections.isSuccess && able.length === 0 ? t('speech.none') : t('speech.help')}
      saving={saving}
    >
      {(names) => (
        <Select
          {...names}
          className="w-64 max-w-full"
          value={current}
          options={[
            { value: '', label: t('speech.first') },
            ...options,
            ...(current && !known ? [{ value: current, label: t('model.gone', { model: speechModel?.model }) }] : []),
          ]}
          onChange={(value) => {
            const [providerId = '', model = ''] = value ? (JSON.parse(value) as string[]) : []
            void save(() => savePreferences({ speechModel: value ? { providerId, model } : null }))
          }}
        />
      )}
    </Row>
  )
}
