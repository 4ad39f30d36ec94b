import type { Automation } from '@atrium/contract/automations'
import { useState } from 'react'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useText } from 'virtual:words/automations'
import { removeAutomation } from './changes.ts'

/** Asks before an automation goes for good. */
export function RemoveDialog({
  automation,
  onClose,
  onRemoved,
}: {
  automation: Pick<Automation, 'id' | 'name'>
  onClose: () => void
  onRemoved: () => void
}) {
  const t = useText('automations')
  const [busy, setBusy] = useState(false)
  async function remove() {
    setBusy(true)
    const isRemoved = await removeAutomation(automation)
    onClose()
    if (isRemoved) onRemoved()
  }
  return (
    <FormDialog
      width="narrow"
      tone="danger"
      title={t('deleteTitle', { name: automation.name })}
      description={t('deleteText')}
      submit={t('delete')}
      busy={busy}
      onSubmit={() => void remove()}
      onClose={onClose}
    />
  )
}
