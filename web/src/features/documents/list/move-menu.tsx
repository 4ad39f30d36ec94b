import type { Collection, Document } from '@atrium/contract/documents'
import { FolderClosed, Library } from 'lucide-react'
import type { ReactNode } from 'react'
import { MenuItem, MenuSub } from '../../../ui/menu.tsx'
import { moveDocuments } from '../data/changes.ts'
import { useText } from 'virtual:words/documents'

/** Where documents can be moved: the library and the own collections. Stands inside of a menu. */
export function MoveMenu({
  documents,
  collections,
  icon,
  onDone,
}: {
  documents: readonly Document[]
  collections: readonly Collection[]
  icon?: ReactNode
  onDone?: () => void
}) {
  const t = useText('documents')
  return (
    <MenuSub icon={icon} label={t('menu.move')}>
      <MoveItems documents={documents} collections={collections} onDone={onDone} />
    </MenuSub>
  )
}

export function MoveItems({
  documents,
  collections,
  onDone,
}: {
  documents: readonly Document[]
  collections: readonly Collection[]
  onDone?: (() => void) | undefined
}) {
  const t = useText('documents')
  const move = (collection: Collection | null) => {
    void moveDocuments(documents, collection)
    onDone?.()
  }
  const here = new Set(documents.map(({ collectionId }) => collectionId))
  const only = here.size === 1 ? [...here][0] : undefined
  return (
    <>
      <MenuItem icon={<Library />} disabled={only === null} onSelect={() => move(null)}>
        {t('where.library')}
      </MenuItem>
      {collections
        .filter(({ shared }) => !shared)
        .map((collection) => (
          <MenuItem
            key={collection.id}
            icon={<FolderClosed />}
            disabled={only === collection.id}
            onSelect={() => move(collection)}
          >
            <bdi>{collection.name}</bdi>
          </MenuItem>
        ))}
    </>
  )
}
