import type { PreferencesPatch } from '@atrium/contract/settings'
import type { ReactNode } from 'react'
import { savePreferences } from '../../api/account.ts'
import { SegmentedControl, type Segment } from '../../ui/segmented-control.tsx'
import { Row, useSave } from './row.tsx'

interface Common {
  id: string
  label: string
  help?: ReactNode
}

/** A preference of a few values, all in sight. */
export function ChoiceRow<V extends string>({
  value,
  options,
  patch,
  ...row
}: Common & { value: V; options: readonly Segment<V>[]; patch: (value: NoInfer<V>) => PreferencesPatch }) {
  const { saving, save } = useSave()
  return (
    <Row {...row} saving={saving}>
      {() => (
        <SegmentedControl
          label={row.label}
          value={value}
          options={options}
          onChange={(next) => void save(() => savePreferences(patch(next)))}
        />
      )}
    </Row>
  )
}
