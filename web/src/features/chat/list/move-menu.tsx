import { useQuery } from '@tanstack/react-query'
import { FolderInput, FolderPlus } from 'lucide-react'
import { MenuChoice, MenuItem, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/chat-list'
import { foldersQuery } from './cache.ts'
import { changeChats } from './changes.ts'
import { projectTree } from './tree.ts'
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
        options={[
          { value: '', label: t('move.none') },
          ...projectTree(folders).map(({ folder, depth }) => ({
            value: folder.id,
            label: `${'\u2003'.repeat(depth)}${folder.name}`,
          })),
        ]}
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
