import type { Selection } from '@atrium/contract/common'
import { ChevronDown, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { modelName, useModels } from '../models.ts'
import { ModelPicker } from './model-picker.tsx'

/** A model in a form, or none. */
export function ModelField({
  label,
  none,
  reset,
  selection,
  withoutAgents,
  onChange,
}: {
  label: string
  /** What stands there while none is chosen. */
  none: string
  /** The button that takes the choice back. */
  reset: string
  selection: Selection | null
  withoutAgents?: boolean
  onChange: (selection: Selection | null) => void
}) {
  const id = useId()
  const models = useModels()
  const [picking, setPicking] = useState(false)
  const name = selection ? modelName(models, selection) || selection.model : none
  return (
    <div className="flex flex-col gap-1.5">
      <p id={id} className="text-sm font-medium">
        {label}
      </p>
      <div className="flex items-center gap-1">
        <Button
          aria-describedby={id}
          aria-haspopup="dialog"
          className="min-w-0 flex-1 justify-start!"
          onClick={() => setPicking(true)}
        >
          <bdi className="min-w-0 flex-1 truncate text-start">{name}</bdi>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
        </Button>
        {selection && <IconButton label={reset} icon={<RotateCcw />} onClick={() => onChange(null)} />}
      </div>
      <ModelPicker
        open={picking}
        onOpenChange={setPicking}
        value={selection}
        withoutAgents={withoutAgents}
        onPick={onChange}
      />
    </div>
  )
}
