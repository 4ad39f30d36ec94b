/** What the chat can do by keys and from the palette. */
import {
  Archive,
  ArrowDown,
  ArrowUp,
  Code,
  Copy,
  FileSearch,
  MessageSquareText,
  PanelRight,
  RefreshCw,
  Shapes,
  Square,
  SquarePen,
  Trash2,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'

defineActions([
  { id: 'chat.new', name: 'chat:action.new', keys: 'Mod+Shift+O', icon: SquarePen, run: (go) => go(links.newChat()) },
  { id: 'chat.model', name: 'chat:action.model', keys: 'Mod+Shift+M', icon: Shapes },
  { id: 'chat.pane', name: 'chat:action.pane', keys: 'Mod+Alt+B', icon: PanelRight },
  { id: 'chat.documents', name: 'chat:action.documents', icon: FileSearch },
  { id: 'chat.focus-composer', name: 'chat:action.composer', keys: 'Shift+Escape', icon: MessageSquareText },
  { id: 'chat.stop', name: 'chat:action.stop', icon: Square },
  { id: 'chat.regenerate', name: 'chat:action.regenerate', keys: 'Mod+Shift+Enter', icon: RefreshCw },
  { id: 'chat.copy-answer', name: 'chat:action.copyAnswer', keys: 'Alt+Shift+C', icon: Copy },
  { id: 'chat.copy-code', name: 'chat:action.copyCode', keys: 'Mod+Shift+;', icon: Code },
  { id: 'chat.previous-question', name: 'chat:action.previousQuestion', keys: 'Alt+ArrowUp', icon: ArrowUp },
  { id: 'chat.next-question', name: 'chat:action.nextQuestion', keys: 'Alt+ArrowDown', icon: ArrowDown },
  {
    id: 'chat.shared-page',
    name: 'chat:sharedPage',
    words: 'chat:sharedPageWords',
    icon: UsersRound,
    run: (go) => go(links.shared()),
  },
  { id: 'chat.share', name: 'chat:shareChat', icon: UserRoundPlus },
  { id: 'chat.archive-page', name: 'chat:archivePage.title', icon: Archive, run: (go) => go(links.archive()) },
  { id: 'chat.trash-page', name: 'chat:trash.title', icon: Trash2, run: (go) => go(links.trash()) },
])
