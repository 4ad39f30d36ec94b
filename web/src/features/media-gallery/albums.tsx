import type { MediaAlbum, MediaItem } from '@atrium/contract/media-gallery'
import { Check, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { failureOf } from '../../api/errors.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/media-gallery'
import { createAlbum, removeAlbum, renameAlbum, setInAlbum } from './changes.ts'

/** Entries of a menu: the albums, ticked where all of these items are in them, and a new one. */
export function AlbumItems({
  items,
  albums,
  onNew,
}: {
  items: readonly MediaItem[]
  albums: readonly MediaAlbum[]
  onNew: () => void
}) {
  const t = useText('media-gallery')
  return (
    <>
      {albums.map(({ id, name }) => {
        const isIn = items.every(({ albumIds }) => albumIds.includes(id))
        return (
          <MenuItem
            key={id}
            icon={<Check className={isIn ? '' : 'invisible'} />}
            onSelect={() => void setInAlbum(items, id, !isIn)}
          >
            {name}
          </MenuItem>
        )
      })}
      {albums.length > 0 && <MenuSeparator />}
      <MenuItem icon={<FolderPlus />} onSelect={onNew}>
        {t('newAlbum')}
      </MenuItem>
    </>
  )
}

/** Asks for a name, for a new album or one that has another name. */
export function AlbumDialog({
  title,
  submit,
  name: before = '',
  onName,
  onClose,
}: {
  title: string
  submit: string
  name?: string
  onName: (name: string) => Promise<void>
  onClose: () => void
}) {
  const t = useText('media-gallery')
  const [name, setName] = useState(before)
  const save = useMutation({ mutationFn: onName, onSuccess: onClose })
  return (
    <FormDialog
      title={title}
      width="narrow"
      submit={submit}
      busy={save.isPending}
      error={failureOf(save.error)}
      disabled={!name.trim()}
      onSubmit={() => save.mutate(name.trim())}
      onClose={onClose}
    >
      <Field label={t('albumName')}>
        <Input value={name} maxLength={100} dir="auto" onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

/** The album that is shown, and what can be done with it. */
export function AlbumHeader({ album, onRemoved }: { album: MediaAlbum; onRemoved: () => void }) {
  const t = useText('media-gallery')
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  return (
    <div className="flex items-center gap-1.5">
      <h2 dir="auto" className="truncate text-lg font-semibold">
        {album.name}
      </h2>
      <IconButton label={t('renameAlbum')} icon={<Pencil />} size="small" onClick={() => setOpen('rename')} />
      <IconButton label={t('removeAlbum')} icon={<Trash2 />} size="small" onClick={() => setOpen('remove')} />
      {open === 'rename' && (
        <AlbumDialog
          title={t('renameAlbum')}
          submit={t('save')}
          name={album.name}
          onName={(name) => renameAlbum(album.id, name)}
          onClose={() => setOpen(null)}
        />
      )}
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        title={t('removeAlbumTitle', { name: album.name })}
        confirm={t('removeAlbum')}
        danger
        onConfirm={() => {
          setOpen(null)
          onRemoved()
          void removeAlbum(album.id)
        }}
      >
        {t('removeAlbumText')}
      </ConfirmDialog>
    </div>
  )
}

/** A new album with these items. */
export function NewAlbumDialog({ items, onClose }: { items: readonly MediaItem[]; onClose: () => void }) {
  const t = useText('media-gallery')
  return (
    <AlbumDialog
      title={t('newAlbum')}
      submit={t('create')}
      onName={(name) => createAlbum(name, items)}
      onClose={onClose}
    />
  )
}
