import type { ChatSummary } from '@atrium/contract/chat'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  CheckSquare,
  Ellipsis,
  Folder as FolderIcon,
  GitFork,
  MailOpen,
  Pencil,
  Pin,
  PinOff,
  Tag,
  Trash2,
  UserRoundPlus,
} from 'lucide-react'
import { type KeyboardEvent, lazy, memo, type MouseEvent, Suspense } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { links } from '../../../lib/links.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ContextMenu, Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { useHoverCard } from '../../../ui/use-hover-card.ts'
import { useText } from 'virtual:words/chat-list'
import { openChat } from '../open/store.ts'
import { askToShare } from '../shared/share-window.tsx'
import { archiveChats, changeChat, duplicateChat, isOnScreen, trashChats } from './changes.ts'
import { startDrag } from './drag.ts'
import { ExportMenu } from './export-menu.tsx'
import { MoveMenu } from './move-menu.tsx'
import { RenameField } from './rename-field.tsx'
import { StateMark } from './state-mark.tsx'
import { askForTags } from './windows.tsx'
import { selectRange, setListView, toggleSelected, useListView } from './view.ts'

const ChatPreview = lazy(() => import('./preview.tsx').then(({ ChatPreview }) => ({ default: ChatPreview })))

/** One chat of the list: a link, its state, and what can be done with it. */
export const ChatRow = memo(function ChatRow({
  chat,
  depth = 0,
  project,
  here,
  order,
  tabbable,
  onDone,
}: {
  chat: ChatSummary
  /** How far in it stands, below its project. */
  depth?: number | undefined
  /** The name of the project that it is in, where it does not stand below it. */
  project?: string | undefined
  /** It is the one on the page. */
  here: boolean
  /** The ids as they stand in the list, for ranges. */
  order: readonly string[]
  tabbable: boolean
  onDone: () => void
}) {
  const t = useText('chat-list')
  const renaming = useListView((view) => view.renaming === chat.id)
  const selecting = useListView((view) => view.selected !== null)
  const selected = useListView((view) => view.selected?.has(chat.id) ?? false)
  const navigate = useNavigate()
  const preview = useHoverCard({ restMs: 400, focusMs: 800 })
  const rename = (title: string) => {
    setListView({ renaming: null })
    if (title !== chat.title) void changeChat(chat.id, { title })
    requestAnimationFrame(() => {
      // Whoever left the field for another place goes on there.
      if (document.activeElement !== document.body) return
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(chat.id)}"]`)?.focus()
    })
  }
  const trash = () =>
    void trashChats([chat.id]).then((done) => {
      if (done > 0 && isOnScreen(chat.id)) void navigate({ to: links.newChat() })
    })
  function onClick(event: MouseEvent) {
    if (event.shiftKey) selectRange(order, chat.id)
    else if (event.metaKey || event.ctrlKey || selecting) toggleSelected(chat.id)
    else {
      // Whoever comes by a pointer goes on by writing; whoever comes by keys may go on in the list.
      if (event.detail > 0 && !matchMedia('(pointer: coarse)').matches) writeIn(chat.id)
      return onDone()
    }
    event.preventDefault()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'F2') setListView({ renaming: chat.id })
    else if (event.key === 'Delete') trash()
    else if (event.key === ' ') toggleSelected(chat.id)
    else if (event.key === 'Escape' && selecting) setListView({ selected: null })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const items = <ChatMenu chat={chat} onTrash={trash} />
  if (renaming) {
    return (
      <div className="py-px">
        <RenameField value={chat.title} label={t('rename')} onDone={rename} />
      </div>
    )
  }
  return (
    <ContextMenu items={items} label={t('list.menuOf', { title: chat.title })}>
      <div
        className={classNames(
          'group/item relative flex min-h-row items-center rounded-md',
          selected ? 'bg-accent-soft' : here ? 'bg-pressed' : 'hover:bg-hover',
        )}
      >
        <Link
          to={links.chat(chat.id)}
          data-row={chat.id}
          tabIndex={tabbable ? 0 : -1}
          aria-current={here ? 'page' : undefined}
          {...preview.target}
          onDragStart={(event) => startDrag(event, chat.id)}
          onClick={onClick}
          onDoubleClick={() => setListView({ renaming: chat.id })}
          onKeyDown={onKeyDown}
          style={{ paddingInlineStart: `${0.5 + depth * 0.875}rem` }}
          className="flex min-w-0 flex-1 items-center gap-2 self-stretch rounded-md pe-2 group-focus-within/item:pe-8 group-hover/item:pe-8 pointer-coarse:pe-11"
        >
          {selecting && (
            <span
              role="img"
              aria-label={selected ? t('list.selected') : t('list.notSelected')}
              className={classNames(
                'grid size-4 shrink-0 place-items-center rounded-sm border text-2xs',
                selected ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
              )}
            >
              {selected && '✓'}
            </span>
          )}
          <span dir="auto" className={classNames('min-w-0 flex-1 truncate', chat.unread && !here && 'font-semibold')}>
            {chat.title}
          </span>
          {project !== undefined && (
            <FolderIcon
              role="img"
              aria-label={t('list.inProject', { name: project })}
              className="size-3.5 shrink-0 text-muted"
            />
          )}
          <StateMark chat={here ? { ...chat, unread: false } : chat} />
        </Link>
        <span className="absolute end-1 opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
          <Menu
            align="start"
            trigger={
              <IconButton
                label={t('list.menuOf', { title: chat.title })}
                icon={<Ellipsis />}
                size="small"
                tooltipSide="none"
                tabIndex={tabbable ? 0 : -1}
              />
            }
          >
            {items}
          </Menu>
        </span>
        {preview.anchor && !here && !selecting && (
          <Suspense>
            <ChatPreview chatId={chat.id} anchor={preview.anchor} {...preview.card} />
          </Suspense>
        )}
      </div>
    </ContextMenu>
  )
})

/** Its box gets the focus, now or once it is there. */
function writeIn(chatId: string) {
  if (isOnScreen(chatId)) document.getElementById('composer')?.focus()
  else openChat(chatId).takesFocus = true
}

function ChatMenu({ chat, onTrash }: { chat: ChatSummary; onTrash: () => void }) {
  const t = useText('chat-list')
  const navigate = useNavigate()
  return (
    <>
      <MenuItem icon={<Pencil />} keys="F2" onSelect={() => setTimeout(() => setListView({ renaming: chat.id }), 50)}>
        {t('rename')}
      </MenuItem>
      <MenuItem
        icon={chat.pinned ? <PinOff /> : <Pin />}
        onSelect={() => void changeChat(chat.id, { pinned: !chat.pinned })}
      >
        {chat.pinned ? t('unpin') : t('pin')}
      </MenuItem>
      <MoveMenu ids={[chat.id]} current={chat.folderId} />
      <MenuItem icon={<Tag />} onSelect={() => askForTags([chat.id])}>
        {t('tags')}
      </MenuItem>
      <MenuItem icon={<UserRoundPlus />} onSelect={() => askToShare({ type: 'chat', id: chat.id, name: chat.title })}>
        {t('share')}
      </MenuItem>
      <MenuItem icon={<MailOpen />} onSelect={() => void changeChat(chat.id, { unread: !chat.unread })}>
        {chat.unread ? t('markRead') : t('markUnread')}
      </MenuItem>
      <MenuItem
        icon={<GitFork />}
        onSelect={() =>
          void duplicateChat(chat.id, { branches: true }).then((copy) => {
            if (copy) void navigate({ to: links.chat(copy.id) })
          })
        }
      >
        {t('duplicate')}
      </MenuItem>
      <ExportMenu id={chat.id} />
      <MenuItem icon={<CheckSquare />} onSelect={() => toggleSelected(chat.id)}>
        {t('list.select')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={chat.archived ? <ArchiveRestore /> : <Archive />}
        onSelect={() => void archiveChats([chat.id], !chat.archived)}
      >
        {chat.archived ? t('unarchive') : t('archive')}
      </MenuItem>
      <MenuItem icon={<Trash2 />} keys="Delete" danger onSelect={onTrash}>
        {t('delete')}
      </MenuItem>
    </>
  )
}
