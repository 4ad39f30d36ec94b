import type { Selection } from '@atrium/contract/common'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { modelName, useModels } from '../models.ts'
import { Row, useSave } from '../setting-row/row.tsx'
import { useText } from 'virtual:words/blocks'
import { ModelPicker } from './model-picker.tsx'

/** A setting that is a model, chosen with the picker. */
export function ModelChoiceRow({
  id,
  label,
  help,
  value,
  none,
  source,
  onSave,
}: {
  id: string
  label: string
  help: string
  value: Selection | null
  /** What holds while no model is chosen. */
  none: string
  /** Who has set it, where that was not this person. */
  source?: ReactNode
  onSave: (selection: Selection | null) => Promise<unknown>
}) {
  const t = useText('blocks')
  const models = useModels()
  const [open, setOpen] = useState(false)
  const { saving, save } = useSave()
  const name = value ? modelName(models, value) : none
  return (
    <Row id={id} label={label} help={help} source={source} saving={saving}>
      {(names) => (
        <span className="flex max-w-full flex-wrap justify-end gap-2">
          {value && (
            <Button tone="quiet" onClick={() => void save(() => onSave(null))}>
              {t('models.reset')}
            </Button>
          )}
          <Button {...names} aria-label={`${label}: ${name}`} className="max-w-64" onClick={() => setOpen(true)}>
            <bdi className="truncate">{name}</bdi>
          </Button>
          <ModelPicker
            open={open}
            onOpenChange={setOpen}
            value={value}
            onPick={(selection) => void save(() => onSave(selection))}
          />
        </span>
      )}
    </Row>
  )
}
