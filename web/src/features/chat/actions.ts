/** What the chat can do by keys and from the palette. */
import {
  AudioLines,
  Archive,
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronUp,
  Code,
  Copy,
  Download,
  FileSearch,
  Film,
  FolderInput,
  FolderPlus,
  FoldVertical,
  GitFork,
  Globe,
  ImagePlus,
  MessageCircleDashed,
  MessageSquareText,
  Mic,
  PanelRight,
  Paperclip,
  Pencil,
  Pin,
  RefreshCw,
  Search,
  Shapes,
  Square,
  SquarePen,
  Tag,
  TextQuote,
  Trash2,
  UserRoundPlus,
  Volume2,
  Wrench,
} from 'lucide-react'
import { wordsOf } from '../../api/errors.ts'
import { defineActions, defineFixedKeys, type Navigate } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'
import { toast } from '../../ui/toaster.tsx'
import { askFolderName } from './list/folder-dialog.tsx'
import { hasChatWindows } from './list/windows.tsx'
import { goToNeighbour } from './page/neighbour-chat.ts'

defineActions([
  {
    id: 'chat.new',
    name: 'chat-list:action.new',
    keys: 'Mod+Shift+O',
    icon: SquarePen,
    command: 'new',
    run: (go) => go(links.newChat()),
  },
  {
    id: 'chat.temporary',
    name: 'chat-list:action.temporary',
    keys: "Mod+Shift+'",
    icon: MessageCircleDashed,
    command: 'temporary',
    run: (go) => go(links.newChat({ temporary: true })),
  },
  {
    id: 'chat.new-project',
    name: 'chat-list:folder.new',
    icon: FolderPlus,
    command: 'project',
    run(go) {
      if (!hasChatWindows()) go(links.newChat())
      askFolderName((made) => go(links.project(made.id)))
    },
  },
  { id: 'chat.find', name: 'chat-list:action.find', keys: 'Mod+F', icon: Search, command: 'find' },
  { id: 'chat.model', name: 'chat-list:action.model', keys: 'Mod+Shift+M', icon: Shapes, command: 'model' },
  { id: 'chat.pane', name: 'chat-list:action.pane', keys: 'Mod+Alt+B', icon: PanelRight, command: 'settings' },
  { id: 'chat.documents', name: 'chat-list:action.documents', icon: FileSearch, command: 'documents' },
  { id: 'chat.focus-composer', name: 'chat-list:action.composer', keys: 'Shift+Escape', icon: MessageSquareText },
  { id: 'chat.dictate', name: 'chat-list:action.dictate', keys: 'Mod+Shift+D', icon: Mic, command: 'dictate' },
  { id: 'chat.talk', name: 'chat-list:action.talk', keys: 'Alt+Shift+V', icon: AudioLines, command: 'talk' },
  { id: 'chat.stop', name: 'chat-list:action.stop', icon: Square, command: 'stop' },
  {
    id: 'chat.regenerate',
    name: 'chat-list:action.regenerate',
    keys: 'Mod+Shift+Enter',
    icon: RefreshCw,
    command: 'regenerate',
  },
  { id: 'chat.copy-answer', name: 'chat-list:action.copyAnswer', keys: 'Alt+Shift+C', icon: Copy, command: 'copy' },
  { id: 'chat.copy-code', name: 'chat-list:action.copyCode', keys: 'Mod+Shift+;', icon: Code },
  { id: 'chat.quote', name: 'chat-list:action.quote', keys: 'Alt+Shift+Q', icon: TextQuote },
  { id: 'chat.ask-about', name: 'chat-list:action.askAbout', icon: MessageSquareText },
  { id: 'chat.pin-answer', name: 'chat-list:action.pinAnswer', icon: Pin },
  { id: 'chat.previous-question', name: 'chat-list:action.previousQuestion', keys: 'Alt+ArrowUp', icon: ArrowUp },
  { id: 'chat.next-question', name: 'chat-list:action.nextQuestion', keys: 'Alt+ArrowDown', icon: ArrowDown },
  { id: 'chat.attach', name: 'chat-list:action.attach', icon: Paperclip, command: 'attach' },
  { id: 'chat.web', name: 'chat-list:action.web', icon: Globe, command: 'web' },
  { id: 'chat.tools', name: 'chat-list:action.tools', icon: Wrench, command: 'tools' },
  { id: 'chat.image', name: 'chat-list:action.image', icon: ImagePlus, command: 'image' },
  { id: 'chat.video', name: 'chat-list:action.video', icon: Film, command: 'video' },
  { id: 'chat.speak', name: 'chat-list:action.speak', icon: Volume2, command: 'speak' },
  { id: 'chat.compact', name: 'chat-list:action.compact', icon: FoldVertical, command: 'compact' },
  { id: 'chat.fork', name: 'chat-list:action.fork', icon: GitFork, command: 'fork' },
  { id: 'chat.rename', name: 'chat-list:action.rename', icon: Pencil, command: 'rename' },
  { id: 'chat.move', name: 'chat-list:action.move', icon: FolderInput, command: 'move' },
  { id: 'chat.tags', name: 'chat-list:action.tags', icon: Tag, command: 'tags' },
  { id: 'chat.pin', name: 'chat-list:action.pin', icon: Pin, command: 'pin' },
  { id: 'chat.pins', name: 'chat-list:action.pins', icon: Pin, command: 'pins' },
  { id: 'chat.branches', name: 'chat-list:action.branches', icon: GitFork, command: 'branches' },
  {
    id: 'chat.previous',
    name: 'chat-list:action.previousChat',
    keys: 'Alt+Shift+ArrowUp',
    icon: ChevronUp,
    run: (go) => goBy(-1, go),
  },
  {
    id: 'chat.next',
    name: 'chat-list:action.nextChat',
    keys: 'Alt+Shift+ArrowDown',
    icon: ChevronDown,
    run: (go) => goBy(1, go),
  },
  { id: 'chat.share', name: 'chat-list:shareChat', icon: UserRoundPlus, command: 'share' },
  { id: 'chat.export', name: 'chat-list:action.export', icon: Download, command: 'export' },
  { id: 'chat.archive', name: 'chat-list:action.archive', icon: Archive, command: 'archive' },
  { id: 'chat.delete', name: 'chat-list:action.delete', icon: Trash2, command: 'delete' },
  { id: 'chat.archive-page', name: 'chat-list:archivePage', icon: Archive, run: (go) => go(links.archive()) },
  { id: 'chat.tags-page', name: 'chat-list:tagsPage', icon: Tag, run: (go) => go(links.tags()) },
])

defineFixedKeys('chat-list:messageKeys.title', [
  { name: 'chat-list:messageKeys.edit', keys: 'E' },
  { name: 'chat-list:messageKeys.copy', keys: 'C' },
  { name: 'chat-list:messageKeys.quote', keys: 'Q' },
  { name: 'chat-list:messageKeys.pin', keys: 'P' },
  { name: 'chat-list:messageKeys.regenerate', keys: 'R' },
  { name: 'chat-list:messageKeys.versions', keys: '[' },
  { name: 'chat-list:messageKeys.versions', keys: ']' },
])

const goBy = (by: 1 | -1, go: Navigate) =>
  void goToNeighbour(by, go).catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
