import { type Collection, documentsRoutes } from '@atrium/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { refreshDocuments } from '../data/cache.ts'
import { useText } from 'virtual:words/documents'

/** Names a new collection, or another name for one. */
export function NameDialog({
  collection,
  onClose,
  onMade,
}: {
  /** Of which the name is changed; null for a new one. */
  collection: Collection | null
  onClose: () => void
  onMade?: (collection: Collection) => void
}) {
  const t = useText('documents')
  const [name, setName] = useState(collection?.name ?? '')
  const [missing, setMissing] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim() }
      return collection
        ? call(documentsRoutes.renameCollection, { params: { collectionId: collection.id }, body })
        : call(documentsRoutes.createCollection, { body })
    },
    onSuccess: (made) => {
      refreshDocuments()
      onClose()
      onMade?.(made)
    },
  })
  function submit() {
    if (!name.trim()) return setMissing(true)
    save.mutate()
  }
  const error = missing && !name.trim() ? t('collection.nameMissing') : null
  return (
    <FormDialog
      width="narrow"
      title={collection ? t('collection.rename') : t('collection.new')}
      description={collection ? undefined : t('collection.newText')}
      submit={collection ? t('collection.save') : t('collection.create')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('collection.name')} error={error} required>
        <Input dir="auto" maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
