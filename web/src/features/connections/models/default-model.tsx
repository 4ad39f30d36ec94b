import type { Selection } from '@atrium/contract/common'
import { useVisibility } from '../../../blocks/model-visibility/use-visibility.ts'
import { ModelChoiceRow } from '../../../blocks/model-picker/choice-row.tsx'
import { Row } from '../../../blocks/setting-row/row.tsx'
import { SourceBadge } from '../../../blocks/setting-row/source-badge.tsx'
import { useText } from 'virtual:words/connections'

/** What new chats start with where nobody chose a model: set here, or by the environment. */
export function DefaultModel() {
  const t = useText('connections')
  const { query, visibility, change } = useVisibility()
  if (!query.data) return null
  const row = { id: 'default-model', label: t('manage.default'), help: t('manage.defaultHelp') }
  const { fixedDefault, defaultModel } = visibility
  if (fixedDefault) {
    const setting = { source: 'environment', variable: fixedDefault.variable }
    return (
      <Row {...row} source={<SourceBadge setting={setting} />}>
        {() => (
          <code dir="ltr" className="max-w-64 text-sm break-all">
            {fixedDefault.model}
          </code>
        )}
      </Row>
    )
  }
  return (
    <ModelChoiceRow
      {...row}
      value={defaultModel}
      none={t('manage.defaultNone')}
      source={<SourceBadge setting={{ source: defaultModel ? 'saved' : 'default', variable: null }} />}
      onSave={async (selection: Selection | null) => change({ ...visibility, defaultModel: selection })}
    />
  )
}
