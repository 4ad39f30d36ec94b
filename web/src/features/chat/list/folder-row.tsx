import type { Folder } from '@atrium/contract/chat'
import { Folder as FolderIcon, UsersRound } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/chat-list'
import { FolderMenu } from './folder-menu.tsx'

/** One folder, with how many chats in it were answered since one looked, and whether one is being answered. */
export function FolderRow({
  folder,
  rowKey,
  tabbable,
  onOpen,
}: {
  folder: Folder
  rowKey: string
  tabbable: boolean
  onOpen: () => void
}) {
  const t = useText('chat-list')
  return (
    <div className="group/item relative flex min-h-row items-center rounded-md hover:bg-hover">
      <button
        type="button"
        data-row={rowKey}
        tabIndex={tabbable ? 0 : -1}
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-center gap-2 self-stretch rounded-md ps-2 pe-2 text-start group-focus-within/item:pe-8 group-hover/item:pe-8 pointer-coarse:pe-11"
      >
        <FolderIcon aria-hidden className="size-4 shrink-0 text-muted" />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {folder.name}
        </span>
        {folder.shared && (
          <UsersRound role="img" aria-label={t('state.shared')} className="size-3.5 shrink-0 text-muted" />
        )}
        {folder.runningCount > 0 && (
          <Spinner size={13} label={t('folder.running', { count: folder.runningCount })} className="text-accent-ink" />
        )}
        {folder.unreadCount > 0 && (
          <span className="rounded-full bg-accent-soft px-1.5 text-xs font-medium text-accent-ink">
            {formatNumber(folder.unreadCount)}
            <span className="sr-only"> {t('folder.unread')}</span>
          </span>
        )}
        <span className="text-xs text-muted tabular-nums">
          {formatNumber(folder.chatCount)}
          <span className="sr-only"> {t('folder.chats')}</span>
        </span>
      </button>
      <span className="absolute end-1 opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
        <FolderMenu folder={folder} tabbable={tabbable} />
      </span>
    </div>
  )
}
