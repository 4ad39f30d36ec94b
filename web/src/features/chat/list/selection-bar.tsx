import { useNavigate } from '@tanstack/react-router'
import { Archive, Ellipsis, Tag, Trash2, X } from 'lucide-react'
import { links } from '../../../lib/links.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/chat-list'
import { archiveChats, isOnScreen, trashChats } from './changes.ts'
import { MoveMenu } from './move-menu.tsx'
import { setListView } from './view.ts'
import { askForTags } from './windows.tsx'

/** What can be done with all selected chats at once. */
export function SelectionBar({ selected }: { selected: ReadonlySet<string> }) {
  const t = useText('chat-list')
  const navigate = useNavigate()
  const ids = [...selected]
  const end = () => setListView({ selected: null, anchor: null })
  return (
    <div
      role="toolbar"
      aria-label={t('list.selectionActions')}
      className="m-2 flex items-center gap-1 rounded-lg border border-accent-line bg-raised py-1 ps-3 pe-1 shadow-mid"
    >
      <p role="status" className="min-w-0 flex-1 truncate text-sm font-medium">
        {t('list.selectedCount', { count: ids.length })}
      </p>
      <IconButton
        label={t('archive')}
        icon={<Archive />}
        size="small"
        tooltipSide="top"
        onClick={() => {
          end()
          void archiveChats(ids, true)
        }}
      />
      <IconButton label={t('tags')} icon={<Tag />} size="small" tooltipSide="top" onClick={() => askForTags(ids)} />
      <Menu
        side="top"
        trigger={<IconButton label={t('move.label')} icon={<Ellipsis />} size="small" tooltipSide="top" />}
      >
        <MoveMenu ids={ids} current={null} />
      </Menu>
      <IconButton
        label={t('delete')}
        icon={<Trash2 />}
        size="small"
        tone="danger"
        tooltipSide="top"
        onClick={() => {
          end()
          void trashChats(ids).then(() => {
            if (ids.some(isOnScreen)) void navigate({ to: links.newChat() })
          })
        }}
      />
      <IconButton label={t('list.endSelection')} icon={<X />} size="small" tooltipSide="top" onClick={end} />
    </div>
  )
}
