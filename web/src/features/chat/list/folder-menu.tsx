import type { Folder } from '@atrium/contract/chat'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, FolderPlus, Pencil, Trash2, UserRoundPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { links } from '../../../lib/links.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/chat-list'
import { askFolderName } from './folder-dialog.tsx'
import { MoveFolderMenu } from './move-menu.tsx'
import { askToShare } from '../shared/share-window.tsx'

const load = () => import('./folder-forms.tsx')
const RenameDialog = lazy(() => load().then((module) => ({ default: module.RenameDialog })))
const DeleteDialog = lazy(() => load().then((module) => ({ default: module.DeleteDialog })))

/** Rename, share and delete a project, and make one in it. Deleting asks what becomes of the chats in it. */
export function FolderMenu({
  folder,
  tabbable = true,
  size = 'small',
}: {
  folder: Folder
  tabbable?: boolean
  size?: 'small' | 'normal'
}) {
  const t = useText('chat-list')
  const navigate = useNavigate()
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
            size={size}
            tooltipSide="none"
            tabIndex={tabbable ? 0 : -1}
          />
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setDialog('rename')}>
          {t('rename')}
        </MenuItem>
        <MenuItem
          icon={<FolderPlus />}
          onSelect={() => askFolderName((made) => void navigate({ to: links.project(made.id) }), folder.id)}
        >
          {t('folder.newWithin')}
        </MenuItem>
        <MoveFolderMenu folder={folder} />
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
      <Suspense fallback={<WindowComing onClose={close} />}>
        {dialog === 'rename' && <RenameDialog folder={folder} onClose={close} />}
        {dialog === 'delete' && <DeleteDialog folder={folder} onClose={close} />}
      </Suspense>
    </>
  )
}
