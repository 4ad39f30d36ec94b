import type { AccessMode } from '@atrium/contract/common'
import { Badge } from '../../ui/badge.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/setting-row'
import { Row, useSave } from './row.tsx'

const modes = ['off', 'admins', 'all-users'] as const satisfies AccessMode[]

/** Who can use something: nobody, administrators or everyone. `variable`: the environment variable that fixes it, if one does. */
export function AccessModeRow({
  id,
  label,
  help,
  mode,
  nameOf,
  variable,
  onSave,
}: {
  id: string
  label: string
  help: string
  mode: AccessMode
  nameOf: (mode: AccessMode) => string
  variable: string | null
  onSave: (mode: AccessMode) => Promise<void>
}) {
  const t = useText('setting-row')
  const { saving, save } = useSave()
  return (
    <Row
      id={id}
      label={label}
      help={help}
      source={variable !== null && <Badge tone="info">{t('source.environment', { variable })}</Badge>}
      saving={saving}
      stacked
    >
      {(names) => (
        <SegmentedControl
          label={names['aria-label']}
          value={mode}
          disabled={variable !== null}
          options={modes.map((value) => ({ value, label: nameOf(value) }))}
          onChange={(next) => void save(() => onSave(next))}
        />
      )}
    </Row>
  )
}
