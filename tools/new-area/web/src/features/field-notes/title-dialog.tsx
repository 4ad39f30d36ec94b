import { type FieldNote, mostTitleLetters } from '@atrium/contract/field-notes'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../../api/errors.ts'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/field-notes'
import { saveFieldNote } from './changes.ts'

/** Asks for the title of a new field note, or for another one of the given. */
export function TitleDialog({ fieldNote, onClose }: { fieldNote: FieldNote | null; onClose: () => void }) {
  const t = useText('field-notes')
  const [title, setTitle] = useState(fieldNote?.title ?? '')
  const [tried, setTried] = useState(false)
  const save = useMutation({ mutationFn: () => saveFieldNote(fieldNote, title.trim()), onSuccess: onClose })
  const missing = title.trim() === ''
  function submit() {
    setTried(true)
    if (!missing) save.mutate()
  }
  return (
    <FormDialog
      width="narrow"
      title={fieldNote ? t('rename') : t('new')}
      submit={fieldNote ? t('save') : t('create')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('name')} error={tried && missing ? t('nameMissing') : null} required>
        <Input
          dir="auto"
          maxLength={mostTitleLetters}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}
