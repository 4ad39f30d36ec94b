import type { Folder } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Folder as FolderIcon, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/chat-list'
import { foldersQuery } from './cache.ts'
import { changeChats, moveFolder } from './changes.ts'
import { acceptDrag, startProjectDrag, takeDrop } from './drag.ts'
import { toggleExpanded, useListView } from './view.ts'
import { FolderMenu } from './folder-menu.tsx'

/**
 * One project, with how many chats in it were answered since one looked, and whether one is being answered. Chats and
 * other projects are dropped onto it.
 */
export function FolderRow({
  folder,
  depth,
  here,
  rowKey,
  tabbable,
  onDone,
}: {
  folder: Folder
  /** How many projects it is in. */
  depth: number
  /** It is the one on the page. */
  here: boolean
  rowKey: string
  tabbable: boolean
  onDone: () => void
}) {
  const t = useText('chat-list')
  const folders = useQuery(foldersQuery).data?.items ?? []
  const [over, setOver] = useState(false)
  const expanded = useListView((view) => view.expanded.has(folder.id))
  return (
    <div
      className={classNames(
        'group/item relative flex min-h-row items-center rounded-md',
        over ? 'bg-accent-soft outline-2 -outline-offset-2 outline-accent' : here ? 'bg-pressed' : 'hover:bg-hover',
      )}
      onDragOver={(event) => setOver(acceptDrag(event, folder, folders))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        const { chatIds, projectId } = takeDrop(event)
        if (projectId !== null) void moveFolder(projectId, folder.id)
        else void changeChats(chatIds, { folderId: folder.id })
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={expanded}
        aria-label={t(expanded ? 'folder.collapse' : 'folder.expand', { name: folder.name })}
        onClick={() => toggleExpanded(folder.id)}
        style={{ marginInlineStart: `${depth * 0.875}rem` }}
        className="hit grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-ink"
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 transition-transform', expanded && 'rotate-90 rtl:-rotate-90')}
        />
      </button>
      <Link
        to={links.project(folder.id)}
        data-row={rowKey}
        tabIndex={tabbable ? 0 : -1}
        aria-current={here ? 'page' : undefined}
        onDragStart={(event) => startProjectDrag(event, folder.id)}
        onClick={onDone}
        onKeyDown={(event) => {
          // As in a tree: towards the end opens, back closes.
          const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
          const back = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
          if (event.key === (expanded ? back : forward)) toggleExpanded(folder.id)
        }}
        className="flex min-w-0 flex-1 items-center gap-2 self-stretch rounded-md pe-2 group-focus-within/item:pe-8 group-hover/item:pe-8 pointer-coarse:pe-11"
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
      </Link>
      <span className="absolute end-1 opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
        <FolderMenu folder={folder} tabbable={tabbable} />
      </span>
    </div>
  )
}
