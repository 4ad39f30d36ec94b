import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import type { Collection } from '@atrium/contract/documents'
import { refreshDocuments } from '../data/cache.ts'
import { removeCollection } from '../data/changes.ts'
import { useText } from 'virtual:words/documents'
import { NameDialog } from './name-dialog.tsx'
import type { CollectionDialogRequest } from './panel.tsx'

const ShareDialog = lazy(() =>
  import('../../../blocks/share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

/** The window that a collection's menu asked for. */
export function CollectionDialogs({
  asked,
  onClose,
  onMade,
  onRemoved,
}: {
  asked: CollectionDialogRequest | null
  onClose: () => void
  onMade: (collection: Collection) => void
  onRemoved: (collection: Collection) => void
}) {
  if (!asked) return null
  if (asked.what === 'new') return <NameDialog collection={null} onClose={onClose} onMade={onMade} />
  const { collection } = asked
  if (asked.what === 'name') return <NameDialog collection={collection} onClose={onClose} />
  if (asked.what === 'share') {
    return (
      <Suspense fallback={<WindowComing onClose={onClose} />}>
        <ShareDialog
          resourceType="collection"
          resourceId={collection.id}
          name={collection.name}
          onClose={onClose}
          onChanged={refreshDocuments}
        />
      </Suspense>
    )
  }
  return <DeleteCollection collection={collection} onClose={onClose} onRemoved={onRemoved} />
}

function DeleteCollection({
  collection,
  onClose,
  onRemoved,
}: {
  collection: Collection
  onClose: () => void
  onRemoved: (collection: Collection) => void
}) {
  const t = useText('documents')
  const remove = useMutation({
    mutationFn: () => removeCollection(collection),
    onSuccess: () => {
      onClose()
      onRemoved(collection)
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('collection.deleteTitle', { name: collection.name })}
      confirm={t('collection.delete')}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {t('collection.deleteText', { count: collection.documentCount })}
      {collection.grantCount ? ` ${t('collection.deleteShared', { count: collection.grantCount })}` : ''}
    </ConfirmDialog>
  )
}
