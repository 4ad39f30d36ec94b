import type { ToolOrigin } from '@atrium/contract/generation'
/** What tools are called for people, and their icons: those that come with Atrium by their names, others as they call themselves. */
import {
  CalendarDays,
  CalendarPlus,
  CalendarSearch,
  CalendarX,
  Calculator,
  CircleHelp,
  Clock,
  FileSearch,
  FileText,
  Files,
  Globe,
  Hash,
  Image,
  Link,
  type LucideIcon,
  MessageSquare,
  MessageSquarePlus,
  MessagesSquare,
  PanelsTopLeft,
  Plug,
  ScrollText,
  Search,
  SquareTerminal,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { Translate } from '../../lib/texts.ts'
import 'virtual:words/tool-calls'
import { showHidden } from './invisible.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  web_search: Globe,
  fetch_page: Link,
  search_documents: FileSearch,
  list_documents: Files,
  read_document: FileText,
  search_chats: MessagesSquare,
  read_chat: MessageSquare,
  list_calendar_events: CalendarDays,
  list_automations: Workflow,
  create_automation: Workflow,
  pause_automation: Workflow,
  list_channels: Hash,
  search_channels: Search,
  read_channel: Hash,
  post_to_channel: MessageSquarePlus,
  find_free_time: CalendarSearch,
  create_calendar_event: CalendarPlus,
  delete_calendar_event: CalendarX,
  make_image: Image,
  run_code: SquareTerminal,
  create_artifact: PanelsTopLeft,
  update_artifact: PanelsTopLeft,
  read_artifact: PanelsTopLeft,
  read_result: ScrollText,
  find_tools: Search,
  ask_user: CircleHelp,
  current_time: Clock,
  calculate: Calculator,
}

interface NamedTool {
  readonly name: string
  /** What it calls itself for people. */
  readonly title?: string | undefined
  /** Absent: whoever answers runs tools of its own. */
  readonly source?: ToolOrigin | undefined
}

export function ToolIcon({ tool, className }: { tool: NamedTool; className?: string }) {
  const Icon = tool.source === 'builtin' ? (icons[tool.name] ?? Wrench) : tool.source ? Plug : Wrench
  return <Icon aria-hidden className={className} />
}

/** `t` speaks the namespace `tool-calls`. */
export const toolName = (t: Translate, tool: NamedTool): string =>
  tool.source === 'builtin' ? t(`name.${tool.name}`, { defaultValue: tool.name }) : showHidden(tool.title ?? tool.name)

/** What it does just now: “Searching the web”. */
export const toolNow = (t: Translate, tool: NamedTool): string =>
  tool.source === 'builtin'
    ? t(`now.${tool.name}`, { defaultValue: t('now.other', { name: tool.name }) })
    : t('now.other', { name: toolName(t, tool) })

/** What it did: “Searched the web”. */
export const toolDid = (t: Translate, tool: NamedTool): string =>
  tool.source === 'builtin'
    ? t(`did.${tool.name}`, { defaultValue: t('did.other', { name: tool.name }) })
    : t('did.other', { name: toolName(t, tool) })
