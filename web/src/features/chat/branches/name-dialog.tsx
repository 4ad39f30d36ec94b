import { useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { nameBranch } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'
import { useText } from 'virtual:words/chat-branches'

export interface NameDialogProps {
  chat: OpenChat
  /** The message that the branch begins with. */
  messageId: string
  /** As it is called now; null: nothing. */
  name: string | null
  onClose: () => void
}

/** Asks what a branch is called. Without a name it has none any more. */
export function NameDialog({ chat, messageId, name, onClose }: NameDialogProps) {
  const t = useText('chat-branches')
  const [typed, setTyped] = useState(name ?? '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const wanted = typed.trim() || null
  const save = async () => {
    if (wanted === name) return onClose()
    setBusy(true)
    try {
      await nameBranch(chat, messageId, wanted)
      onClose()
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={name === null ? t('name.give') : t('name.change')}
      width="narrow"
      submit={t('name.save')}
      busy={busy}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field
        label={t('name.label')}
        hint={name === null ? t('name.hint') : t('name.clearHint')}
        error={error === null ? undefined : wordsOf(error)}
      >
        <Input autoFocus dir="auto" maxLength={120} value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
