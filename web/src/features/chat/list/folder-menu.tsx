import type { Folder } from '@atrium/contract/chat'
import { Ellipsis, Pencil, Trash2, UserRoundPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { useText } from '../texts.ts'
import { askToShare } from '../shared/share-window.tsx'
import { renameFolder, trashFolder } from './changes.ts'
import { setListView } from './view.ts'

/** Rename, share and delete a folder. Deleting asks what becomes of the chats in it. */
export function FolderMenu({ folder, tabbable = true }: { folder: Folder; tabbable?: boolean }) {
  const t = useText('chat')
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton
            label={t('folder.menuOf', { name: folder.name })}
            icon={<Ellipsis />}
            size="small"
            tooltipSide="none"
            tabIndex={tabbable ? 0 : -1}
          />
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setDialog('rename')}>
          {t('rename')}
        </MenuItem>
        <MenuItem
          icon={<UserRoundPlus />}
          onSelect={() => askToShare({ type: 'folder', id: folder.id, name: folder.name })}
        >
          {t('share')}
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger onSelect={() => setDialog('delete')}>
          {t('delete')}
        </MenuItem>
      </Menu>
      {dialog === 'rename' && <RenameDialog folder={folder} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog folder={folder} onClose={close} />}
    </>
  )
}

function RenameDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const t = useText('chat')
  const [name, setName] = useState(folder.name)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() && name.trim() !== folder.name) void renameFolder(folder, name.trim())
    onClose()
  }
  return (
    <Dialog open onOpenChange={onClose} title={t('folder.rename')} width="narrow">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t('folder.name')}>
          <Input autoFocus dir="auto" maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" tone="primary">
            {t('edit.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function DeleteDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const t = useText('chat')
  const [busy, setBusy] = useState(false)
  async function run(chats: 'keep' | 'trash') {
    setBusy(true)
    const done = await trashFolder(folder, chats)
    setBusy(false)
    if (!done) return
    setListView({ folderId: null })
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('folder.deleteTitle', { name: folder.name })}
      description={folder.chatCount > 0 ? t('folder.deleteText', { count: folder.chatCount }) : t('folder.deleteEmpty')}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          {folder.chatCount > 0 && (
            <Button tone="danger" busy={busy} onClick={() => void run('trash')}>
              {t('folder.deleteWithChats')}
            </Button>
          )}
          <Button tone="primary" busy={busy} onClick={() => void run('keep')}>
            {folder.chatCount > 0 ? t('folder.deleteKeep') : t('delete')}
          </Button>
        </>
      }
    />
  )
}
