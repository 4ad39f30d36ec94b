import type { ReactNode } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { Row, useSave } from './row.tsx'

/** A setting that is on or off, stored at once. */
export function SwitchRow({
  value,
  disabled,
  onSave,
  ...row
}: {
  id: string
  label: string
  help?: ReactNode
  source?: ReactNode
  value: boolean
  /** Fixed elsewhere, or of no use yet. */
  disabled?: boolean
  onSave: (on: boolean) => Promise<unknown>
}) {
  const { saving, save } = useSave()
  return (
    <Row {...row} saving={saving}>
      {(names) => (
        <Switch {...names} checked={value} disabled={disabled} onChange={(on) => void save(() => onSave(on))} />
      )}
    </Row>
  )
}
