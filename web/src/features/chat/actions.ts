/** What the chat can do by keys and from the palette. */
import {
  Archive,
  ArrowDown,
  ArrowUp,
  Code,
  Copy,
  FileSearch,
  MessageCircleDashed,
  MessageSquareText,
  PanelRight,
  RefreshCw,
  Shapes,
  Square,
  SquarePen,
  UserRoundPlus,
} from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'

defineActions([
  {
    id: 'chat.new',
    name: 'chat-list:action.new',
    keys: 'Mod+Shift+O',
    icon: SquarePen,
    run: (go) => go(links.newChat()),
  },
  {
    id: 'chat.temporary',
    name: 'chat-list:action.temporary',
    keys: "Mod+Shift+'",
    icon: MessageCircleDashed,
    run: (go) => go(links.newChat({ temporary: true })),
  },
  { id: 'chat.model', name: 'chat-list:action.model', keys: 'Mod+Shift+M', icon: Shapes },
  { id: 'chat.pane', name: 'chat-list:action.pane', keys: 'Mod+Alt+B', icon: PanelRight },
  { id: 'chat.documents', name: 'chat-list:action.documents', icon: FileSearch },
  { id: 'chat.focus-composer', name: 'chat-list:action.composer', keys: 'Shift+Escape', icon: MessageSquareText },
  { id: 'chat.stop', name: 'chat-list:action.stop', icon: Square },
  { id: 'chat.regenerate', name: 'chat-list:action.regenerate', keys: 'Mod+Shift+Enter', icon: RefreshCw },
  { id: 'chat.copy-answer', name: 'chat-list:action.copyAnswer', keys: 'Alt+Shift+C', icon: Copy },
  { id: 'chat.copy-code', name: 'chat-list:action.copyCode', keys: 'Mod+Shift+;', icon: Code },
  { id: 'chat.previous-question', name: 'chat-list:action.previousQuestion', keys: 'Alt+ArrowUp', icon: ArrowUp },
  { id: 'chat.next-question', name: 'chat-list:action.nextQuestion', keys: 'Alt+ArrowDown', icon: ArrowDown },
  { id: 'chat.share', name: 'chat-list:shareChat', icon: UserRoundPlus },
  { id: 'chat.archive-page', name: 'chat-list:archivePage', icon: Archive, run: (go) => go(links.archive()) },
])
