import type { Folder } from '@atrium/contract/chat'
import { Ellipsis, Pencil, Trash2, UserRoundPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/chat-list'
import { askToShare } from '../shared/share-window.tsx'

const load = () => import('./folder-forms.tsx')
const RenameDialog = lazy(() => load().then((module) => ({ default: module.RenameDialog })))
const DeleteDialog = lazy(() => load().then((module) => ({ default: module.DeleteDialog })))

/** Rename, share and delete a folder. Deleting asks what becomes of the chats in it. */
export function FolderMenu({ folder, tabbable = true }: { folder: Folder; tabbable?: boolean }) {
  const t = useText('chat-list')
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
      <Suspense>
        {dialog === 'rename' && <RenameDialog folder={folder} onClose={close} />}
        {dialog === 'delete' && <DeleteDialog folder={folder} onClose={close} />}
      </Suspense>
    </>
  )
}
