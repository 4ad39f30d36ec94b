import type { Scope } from '@atrium/contract/calendar'
import { useState } from 'react'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { ScopeField } from './scope-field.tsx'
import { useText } from 'virtual:words/calendar'

/** Asks how much of a series is to be changed or deleted. */
export function ScopeDialog({
  what,
  title,
  offered,
  onScope,
  onClose,
}: {
  what: 'move' | 'delete'
  /** Of the event. */
  title: string
  offered?: readonly Scope[]
  onScope: (scope: Scope) => void
  onClose: () => void
}) {
  const t = useText('calendar')
  const [scope, setScope] = useState<Scope>(offered?.[0] ?? 'this')
  return (
    <FormDialog
      width="narrow"
      title={t(what === 'move' ? 'moveWhich' : 'deleteWhich', { title })}
      submit={t(what === 'move' ? 'move' : 'delete')}
      tone={what === 'delete' ? 'danger' : 'primary'}
      onSubmit={() => onScope(scope)}
      onClose={onClose}
    >
      <ScopeField label={t('scope.label')} value={scope} offered={offered} onChange={setScope} />
    </FormDialog>
  )
}
