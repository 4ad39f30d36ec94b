import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileSearch,
  Folder,
  GitFork,
  MailOpen,
  MessageCircleDashed,
  PanelRight,
  Pencil,
  Pin,
  PinOff,
  Search,
  Settings2,
  Sparkles,
  Split,
  Tag,
  Trash2,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react'
import { useState } from 'react'
import { chatRoutes as routes } from '@atrium/contract/chat'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { openFind } from '../find/state.ts'
import { foldersQuery } from '../list/cache.ts'
import { exportChat, ExportMenu } from '../list/export-menu.tsx'
import { MoveMenu } from '../list/move-menu.tsx'
import {
  archiveChats,
  changeChat,
  deleteTemporaryChat,
  duplicateChat,
  isOnScreen,
  keepChat,
  trashChats,
} from '../list/changes.ts'
import { RenameField } from '../list/rename-field.tsx'
import { askForTags, askToMove } from '../list/windows.tsx'
import { type ChatHead, changeHead } from '../open/conversation.ts'
import { changeConversation, loadChat, type OpenChat } from '../open/store.ts'
import { ShareWindow } from '../shared/share-window.tsx'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat'
import { ModelButton } from './model-button.tsx'

/** Model, title, and what can be done with the chat as a whole. */
export function ChatHeader({
  chat,
  head,
  paneOpen,
  onPane,
  onTab,
  onPickModel,
}: {
  chat: OpenChat
  head: ChatHead
  paneOpen: boolean
  onPane: () => void
  onTab: (tab: 'pins' | 'branches') => void
  onPickModel: () => void
}) {
  const t = useText('chat')
  const navigate = useNavigate()
  const { attempt, showDocuments } = useThread()
  const [renaming, setRenaming] = useState(false)
  const [sharing, setSharing] = useState(false)
  const temporary = head.expiresAt !== null
  const project = useQuery(foldersQuery).data?.items.find(({ id }) => id === head.folderId)
  const fork = () =>
    attempt(async () => {
      const copy = await duplicateChat(chat.id, { branches: true })
      if (copy) await navigate({ to: links.chat(copy.id) })
    })
  const pin = () => void changeChat(chat.id, { pinned: !head.pinned })
  const archive = () => void archiveChats([chat.id], !head.archived)
  const trash = () =>
    attempt(async () => {
      const done = temporary ? Number(await deleteTemporaryChat(chat.id)) : await trashChats([chat.id])
      if (done > 0 && isOnScreen(chat.id)) await navigate({ to: links.newChat() })
    })
  useAction('chat.share', () => setSharing(true), !temporary)
  useAction('chat.move', () => askToMove({ chatId: chat.id, current: head.folderId }), !temporary)
  useAction('chat.tags', () => askForTags([chat.id]), !temporary)
  useAction('chat.rename', () => setRenaming(true))
  useAction('chat.fork', fork)
  useAction('chat.pin', pin, !temporary)
  useAction('chat.export', () => exportChat(chat.id, 'markdown'))
  useAction('chat.archive', archive, !temporary)
  useAction('chat.delete', trash)
  const rename = (title: string) => {
    setRenaming(false)
    if (title && title !== head.title) void changeChat(chat.id, { title })
  }
  const nameByModel = () =>
    attempt(async () => {
      const { title, source } = await call(routes.generateTitle, { params: { sessionId: chat.id }, body: {} })
      changeConversation(chat, (now) =>
        changeHead(now, { title, titleSource: source === 'model' ? 'generated' : 'default' }),
      )
    })
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-2">
      <ModelButton selection={head.selection} onClick={onPickModel} />
      <div className="flex min-w-0 flex-1 items-center justify-center">
        {project && !renaming && (
          <Link
            to={links.project(project.id)}
            className="flex max-w-[40%] shrink-0 items-center gap-1.5 rounded-md px-2 py-1 text-muted hover:bg-hover hover:text-ink max-tab:hidden"
          >
            <Folder aria-hidden className="size-4 shrink-0" />
            <bdi className="truncate">{project.name}</bdi>
          </Link>
        )}
        {renaming ? (
          <RenameField
            value={head.title}
            label={t('chat-list:rename')}
            onDone={rename}
            className="max-w-96 text-center"
          />
        ) : (
          <h1 className="min-w-0">
            <button
              type="button"
              dir="auto"
              title={t('renameHint')}
              onClick={() => setRenaming(true)}
              className="block max-w-full truncate rounded-md px-2 py-1 font-medium hover:bg-hover"
            >
              {head.title}
            </button>
          </h1>
        )}
      </div>
      {temporary && (
        <IconButton
          label={t('chat-list:temporary.keep')}
          icon={<MessageCircleDashed />}
          pressed
          onClick={() => void keepChat(chat.id)}
        />
      )}
      {!temporary && (
        <IconButton
          label={head.shared ? t('chat-list:state.shared') : t('chat-list:shareChat')}
          icon={head.shared ? <UsersRound /> : <UserRoundPlus />}
          className={head.shared ? undefined : 'max-tab:hidden'}
          onClick={() => setSharing(true)}
        />
      )}
      {head.pinnedCount > 0 && (
        <IconButton
          label={t('pinnedMessages', { count: head.pinnedCount })}
          icon={<Pin />}
          className="max-tab:hidden"
          onClick={() => onTab('pins')}
        />
      )}
      <IconButton
        label={paneOpen ? t('pane.close') : t('pane.open')}
        keys="Mod+Alt+B"
        icon={<PanelRight />}
        pressed={paneOpen}
        onClick={onPane}
      />
      <Menu trigger={<IconButton label={t('menu')} icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil />} keys="F2" onSelect={() => setRenaming(true)}>
          {t('chat-list:rename')}
        </MenuItem>
        <MenuItem icon={<Sparkles />} onSelect={nameByModel}>
          {t('nameByModel')}
        </MenuItem>
        {temporary && (
          <MenuItem icon={<MessageCircleDashed />} onSelect={() => void keepChat(chat.id)}>
            {t('chat-list:temporary.keep')}
          </MenuItem>
        )}
        {!temporary && (
          <MenuItem icon={head.pinned ? <PinOff /> : <Pin />} onSelect={pin}>
            {head.pinned ? t('chat-list:unpin') : t('chat-list:pin')}
          </MenuItem>
        )}
        {!temporary && <MoveMenu ids={[chat.id]} current={head.folderId} />}
        {!temporary && (
          <MenuItem icon={<Tag />} onSelect={() => askForTags([chat.id])}>
            {t('chat-list:tags')}
          </MenuItem>
        )}
        <MenuItem icon={<Settings2 />} onSelect={() => paneOpen || onPane()}>
          {t('pane.settings')}
        </MenuItem>
        <MenuItem icon={<Search />} keys="Mod+F" onSelect={() => setTimeout(() => openFind(chat.id), 50)}>
          {t('chat-list:action.find')}
        </MenuItem>
        <MenuItem icon={<FileSearch />} onSelect={showDocuments}>
          {t('chat-list:action.documents')}
        </MenuItem>
        <MenuItem icon={<Pin />} onSelect={() => onTab('pins')}>
          {t('chat-list:action.pins')}
        </MenuItem>
        <MenuItem icon={<Split />} onSelect={() => onTab('branches')}>
          {t('pane.branches')}
        </MenuItem>
        {!temporary && (
          <MenuItem icon={<UserRoundPlus />} onSelect={() => setSharing(true)}>
            {t('chat-list:share')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<GitFork />} onSelect={fork}>
          {t('chat-list:duplicate')}
        </MenuItem>
        <ExportMenu id={chat.id} />
        {!temporary && (
          <MenuItem
            icon={<MailOpen />}
            onSelect={() => {
              void changeChat(chat.id, { unread: true })
              void navigate({ to: links.newChat() })
            }}
          >
            {t('chat-list:markUnread')}
          </MenuItem>
        )}
        {!temporary && (
          <MenuItem icon={head.archived ? <ArchiveRestore /> : <Archive />} onSelect={archive}>
            {head.archived ? t('chat-list:unarchive') : t('chat-list:archive')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger onSelect={trash}>
          {t(temporary ? 'chat-list:temporary.delete' : 'chat-list:delete')}
        </MenuItem>
      </Menu>
      {sharing && (
        <ShareWindow
          thing={{ type: 'chat', id: chat.id, name: head.title }}
          onClose={() => {
            setSharing(false)
            void loadChat(chat)
          }}
        />
      )}
    </header>
  )
}
