/** The rows of the sidebar, from the chats that are loaded. */
import type { ChatSummary, Folder } from '@atrium/contract/chat'
import { projectTree } from './tree.ts'
import { groupKey, groupOf, type DateGroup } from './groups.ts'

export type ListRow =
  | { readonly kind: 'heading'; readonly key: string; readonly heading: 'pinned' | 'folders' | DateGroup }
  | { readonly kind: 'chat'; readonly key: string; readonly chat: ChatSummary; readonly depth?: number }
  | { readonly kind: 'folder'; readonly key: string; readonly folder: Folder; readonly depth: number }

/**
 * Pinned chats, projects with what is shown in them, then the rest by day. A chat stands once, even while two lists
 * briefly disagree about it.
 */
export function rowsOf(
  pinned: readonly ChatSummary[],
  folders: readonly Folder[],
  chats: readonly ChatSummary[],
  now: number,
  /** The chats of the projects that are expanded. */
  inside: ReadonlyMap<string, readonly ChatSummary[]> = new Map(),
): ListRow[] {
  const rows: ListRow[] = []
  const seen = new Set<string>()
  const add = (chat: ChatSummary, depth = 0) => {
    if (seen.has(chat.id)) return
    seen.add(chat.id)
    rows.push({ kind: 'chat', key: chat.id, chat, depth })
  }
  if (pinned.length > 0) rows.push({ kind: 'heading', key: 'pinned', heading: 'pinned' })
  for (const chat of pinned) add(chat)
  if (folders.length > 0) rows.push({ kind: 'heading', key: 'folders', heading: 'folders' })
  for (const { folder, depth } of projectTree(folders)) {
    rows.push({ kind: 'folder', key: `folder-${folder.id}`, folder, depth })
    for (const chat of inside.get(folder.id) ?? []) add(chat, depth + 1)
  }
  let group = ''
  for (const chat of chats) {
    const next = groupOf(chat.updatedAt, now)
    if (groupKey(next) !== group) {
      group = groupKey(next)
      rows.push({ kind: 'heading', key: `group-${group}`, heading: next })
    }
    add(chat)
  }
  return rows
}
