import type { Folder } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { FolderInput, FolderPlus } from 'lucide-react'
import { MenuChoice, MenuItem, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/chat-list'
import { foldersQuery } from './cache.ts'
import { changeChats, moveFolder } from './changes.ts'
import { possibleParents, projectOptions } from './tree.ts'
import { askFolderName } from './folder-dialog.tsx'

/** “Move to…”: every project, none, or a new one. */
export function MoveMenu({ ids, current }: { ids: readonly string[]; current: string | null }) {
  const t = useText('chat-list')
  const folders = useQuery(foldersQuery).data?.items ?? []
  return (
    <MenuSub icon={<FolderInput />} label={t('move.label')}>
      <MenuChoice
        value={current ?? ''}
        onChange={(id) => void changeChats(ids, { folderId: id || null })}
        options={projectOptions(folders, t('move.none'))}
      />
      <MenuSeparator />
      <MenuItem
        icon={<FolderPlus />}
        onSelect={() => askFolderName((folder) => changeChats(ids, { folderId: folder.id }))}
      >
        {t('folder.new')}
      </MenuItem>
    </MenuSub>
  )
}

/** The same for a project: every one that it can be put into, or none. */
export function MoveFolderMenu({ folder }: { folder: Folder }) {
  const t = useText('chat-list')
  const folders = useQuery(foldersQuery).data?.items ?? []
  return (
    <MenuSub icon={<FolderInput />} label={t('move.label')}>
      <MenuChoice
        value={folder.parentId ?? ''}
        onChange={(id) => void moveFolder(folder.id, id || null)}
        options={projectOptions(possibleParents(folders, folder.id), t('move.none'))}
      />
    </MenuSub>
  )
}
