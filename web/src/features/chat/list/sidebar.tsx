import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Archive, FolderPlus, Search, SquarePen, Tag, Trash2, X } from 'lucide-react'
import { lazy, Suspense, useDeferredValue } from 'react'
import { useAction } from '../../../lib/actions.ts'
import type { SidebarProps } from '../../../lib/feature.ts'
import { useAfterFirstView } from '../../../lib/first-view.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { useText } from 'virtual:words/chat-list'
import { foldersQuery, listQuery } from './cache.ts'
import { askFolderName } from './folder-dialog.tsx'
import { setListView, useListView } from './view.ts'
import { ChatWindows } from './windows.tsx'

// What the rows need comes after what the page was opened for; the chats themselves are asked for meanwhile.
const ChatList = lazy(() => import('./chat-list.tsx').then((module) => ({ default: module.ChatList })))
const SelectionBar = lazy(() => import('./selection-bar.tsx').then((module) => ({ default: module.SelectionBar })))
const SharedSection = lazy(() => import('../shared/section.tsx').then((module) => ({ default: module.SharedSection })))

/** The list of chats beside the page. */
export function ChatSidebar({ onDone }: SidebarProps) {
  const t = useText('chat-list')
  const navigate = useNavigate()
  const { words, selected } = useListView()
  const { projectId } = useParams({ strict: false }) as { projectId?: string }
  const search = useDeferredValue(words.trim())
  const afterFirstView = useAfterFirstView()
  usePrefetchInfiniteQuery(listQuery({ pinned: 'true' }))
  usePrefetchInfiniteQuery(listQuery({ pinned: 'false' }))
  const folder = useQuery(foldersQuery).data?.items.find((other) => other.id === projectId)
  useAction('chat.new', () => {
    // Elsewhere the box of the new chat takes the focus when it is there; until then there is that of another chat.
    const isThere = location.pathname === links.newChat()
    void navigate({ to: links.newChat({ folder: folder?.id }) })
    onDone()
    if (isThere) requestAnimationFrame(() => document.getElementById('composer')?.focus())
  })

  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 px-2 pt-2.5 pb-1.5">
        <div className="flex items-center gap-1">
          <Button asChild className="flex-1 justify-start!">
            <Link to={links.newChat({ folder: folder?.id })} onClick={onDone}>
              <SquarePen aria-hidden className="size-4 text-muted" />
              {folder ? t('folder.newInside') : t('newChat')}
            </Link>
          </Button>
          <IconButton
            label={t('folder.new')}
            icon={<FolderPlus />}
            onClick={() => askFolderName((made) => void navigate({ to: links.project(made.id) }))}
          />
        </div>
        <Input
          type="search"
          icon={<Search />}
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          value={words}
          onChange={(event) => setListView({ words: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !words) return
            event.stopPropagation()
            setListView({ words: '' })
          }}
          className="[&_input]:[&::-webkit-search-cancel-button]:hidden"
          end={
            words && (
              <IconButton
                label={t('list.clearSearch')}
                icon={<X />}
                size="small"
                tooltipSide="none"
                onClick={() => setListView({ words: '' })}
              />
            )
          }
        />
      </div>
      {!search && afterFirstView && (
        <Suspense>
          <SharedSection onDone={onDone} />
        </Suspense>
      )}
      <Suspense fallback={<div className="min-h-0 flex-1" />}>
        <ChatList search={search} onDone={onDone} />
      </Suspense>
      {selected && selected.size > 0 ? (
        <Suspense>
          <SelectionBar selected={selected} />
        </Suspense>
      ) : (
        <nav aria-label={t('list.more')} className="flex gap-1 border-t border-line px-2 py-1.5">
          <Tooltip text={t('archivePage')} side="top">
            <Link to={links.archive()} onClick={onDone} className={footLink}>
              <Archive aria-hidden className="size-4" />
              {t('archivePage')}
            </Link>
          </Tooltip>
          <Link to={links.tags()} onClick={onDone} className={footLink}>
            <Tag aria-hidden className="size-4" />
            {t('tagsPage')}
          </Link>
          <Link to={links.trash()} onClick={onDone} className={footLink}>
            <Trash2 aria-hidden className="size-4" />
            {t('trashPage')}
          </Link>
        </nav>
      )}
      <ChatWindows />
    </div>
  )
}

const footLink =
  'flex h-control-small flex-1 items-center justify-center gap-1.5 rounded-md text-sm text-muted hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:text-ink'
