import type { Selection } from '@atrium/contract/common'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { ModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import { modelName, useModels } from '../../../blocks/models.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/automations'

/** The model that is asked; none is whichever its owner starts chats with at that time. */
export function ModelField({
  selection,
  onChange,
}: {
  selection: Selection | null
  onChange: (selection: Selection | null) => void
}) {
  const t = useText('automations')
  const models = useModels()
  const [picking, setPicking] = useState(false)
  const name = selection ? modelName(models, selection) || selection.model : t('defaultModel')
  return (
    <div className="flex flex-col gap-1.5">
      <p id="automation-model" className="text-sm font-medium">
        {t('model')}
      </p>
      <div className="flex items-center gap-1">
        <Button
          aria-describedby="automation-model"
          aria-haspopup="dialog"
          className="min-w-0 flex-1 justify-start!"
          onClick={() => setPicking(true)}
        >
          <bdi className="truncate">{name}</bdi>
        </Button>
        {selection && <IconButton label={t('resetModel')} icon={<RotateCcw />} onClick={() => onChange(null)} />}
      </div>
      <ModelPicker open={picking} onOpenChange={setPicking} value={selection} onPick={onChange} />
    </div>
  )
}
