/** The chat list as the cache holds it: pages of one filter, kept in order as chats change. */
import type { ChatSummary } from '@atrium/contract/chat'
import { foldTag } from '@atrium/contract/tag-name'

export interface ListFilter {
  readonly folderId?: string
  readonly pinned?: 'true' | 'false'
  readonly archived?: 'true' | 'false' | 'any'
  readonly tag?: string
  readonly q?: string
}

export interface ListPage {
  readonly items: readonly ChatSummary[]
  readonly nextCursor: string | null
}
export interface ListPages {
  readonly pages: readonly ListPage[]
  readonly pageParams: readonly unknown[]
}

/** Whether a chat belongs into the list of a filter. */
export function matchesFilter(chat: ChatSummary, filter: ListFilter): boolean {
  // Temporary chats are in no list.
  if (chat.deletedAt || chat.expiresAt) return false
  if (filter.archived !== 'any' && chat.archived !== (filter.archived === 'true')) return false
  if (filter.pinned && chat.pinned !== (filter.pinned === 'true')) return false
  if (filter.folderId && chat.folderId !== filter.folderId) return false
  if (filter.tag !== undefined && !hasTag(chat, filter.tag)) return false
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => chat.title.toLowerCase().includes(word))
}

const hasTag = ({ tags }: ChatSummary, tag: string) => tags.some((name) => foldTag(name) === foldTag(tag))

/** The pages with one chat put where it belongs, or taken out. Chats beyond the last loaded one are left to loading. */
export function placeChat(data: ListPages, chat: ChatSummary, filter: ListFilter): ListPages {
  const without = removeChat(data, chat.id)
  if (!matchesFilter(chat, filter)) return without
  const pages = [...without.pages]
  for (const [index, page] of pages.entries()) {
    const at = page.items.findIndex((other) => isAfter(other, chat))
    if (at < 0 && (index < pages.length - 1 || page.nextCursor)) continue
    const items = [...page.items]
    items.splice(at < 0 ? items.length : at, 0, chat)
    pages[index] = { ...page, items }
    return { ...without, pages }
  }
  return without
}

/** The pages without one chat; the same object when it was not there. */
export function removeChat(data: ListPages, id: string): ListPages {
  if (!data.pages.some((page) => page.items.some((chat) => chat.id === id))) return data
  const pages = data.pages.map((page) => ({ ...page, items: page.items.filter((chat) => chat.id !== id) }))
  return { ...data, pages }
}

/** A loaded chat of any page. */
export const findChat = (data: ListPages, id: string): ChatSummary | undefined =>
  data.pages.flatMap((page) => page.items).find((chat) => chat.id === id)

/** Latest first; the id decides between equal times, as on the server. */
const isAfter = (other: ChatSummary, chat: ChatSummary) =>
  other.updatedAt < chat.updatedAt || (other.updatedAt === chat.updatedAt && other.id < chat.id)
