import type { JsonEngine } from '@atrium/contract/web-search'
import { Select } from '../../../ui/select.tsx'
import { Group, Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { saveForm } from './store.ts'
import { useText } from 'virtual:words/web-search'

const fields = [
  'queryParameter',
  'countParameter',
  'keyHeader',
  'keyPrefix',
  'resultsPath',
  'titlePath',
  'urlPath',
  'contentPath',
] as const

/** How an engine of one's own is asked, and where its answer stands. */
export function OwnEngine({ form }: { form: JsonEngine }) {
  const t = useText('web-search')
  const { saving, save } = useSave()
  return (
    <Group title={t('json')} text={t('jsonHelp')}>
      <Row id="json-method" label={t('jsonFields.method')} saving={saving}>
        {(names) => (
          <Select
            {...names}
            value={form.method}
            onChange={(method) => void save(() => saveForm({ method }, form))}
            options={[
              { value: 'GET', label: 'GET' },
              { value: 'POST', label: 'POST' },
            ]}
          />
        )}
      </Row>
      {fields.map((field) => (
        <TextRow
          key={field}
          id={`json-${field}`}
          label={t(`jsonFields.${field}`)}
          value={form[field]}
          ltr
          maxLength={60}
          onSave={(text) => saveForm({ [field]: field === 'keyPrefix' ? text : text.trim() }, form)}
        />
      ))}
    </Group>
  )
}
