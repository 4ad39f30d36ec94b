import { type Collection, documentKnowledge } from '@atrium/contract/document-knowledge'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { refreshDocuments } from '../data/cache.ts'
import { useText } from '../texts.ts'

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
        ? call(documentKnowledge.renameCollection, { params: { collectionId: collection.id }, body })
        : call(documentKnowledge.createCollection, { body })
    },
    onSuccess: (made) => {
      refreshDocuments()
      onClose()
      onMade?.(made)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!name.trim()) return setMissing(true)
    save.mutate()
  }
  const error = missing && !name.trim() ? t('collection.nameMissing') : save.isError ? wordsOf(save.error) : null
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={collection ? t('collection.rename') : t('collection.new')}
      description={collection ? undefined : t('collection.newText')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button tone="primary" type="submit" form="collection-name" busy={save.isPending}>
            {collection ? t('collection.save') : t('collection.create')}
          </Button>
        </>
      }
    >
      <form id="collection-name" onSubmit={submit}>
        <Field label={t('collection.name')} error={error} required>
          <Input
            // The only field of a dialog that the person asked for.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            dir="auto"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
