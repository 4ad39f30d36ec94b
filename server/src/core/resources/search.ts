/** What a kind that can be found answers to the one search over everything. */
import type { Found, FoundKind } from '@atrium/contract/search'

/** What `has:` may ask for. */
export const hasWords = [
  'attachment',
  'document',
  'code',
  'source',
  'image',
  'video',
  'audio',
  'link',
  'file',
  'pin',
  'thread',
] as const
export type HasWord = (typeof hasWords)[number]

/** A search as it was typed, taken apart. */
export interface SearchQuery {
  /** Without operators. */
  readonly words: string
  /** null: all kinds. */
  readonly kinds: ReadonlySet<FoundKind> | null
  /** `in:` with a name: of a chat, a project or a collection, folded. */
  readonly within: string | null
  readonly from: 'me' | 'model' | null
  /** `#channel`: part of its name, folded. */
  readonly channel: string | null
  /** `@person`: who said it, by user name. */
  readonly person: string | null
  readonly has: ReadonlySet<HasWord>
  /** Chats that are all of it; `mention`: messages that name whoever asks. */
  readonly is: ReadonlySet<'pinned' | 'shared' | 'archived' | 'mention'>
  /** Part of the name of the model that a chat asks, folded. */
  readonly model: string | null
  /** Tags of whoever asks, folded: chats that have all of them. */
  readonly tags: readonly string[]
  /** Integer milliseconds. */
  readonly after: number | null
  readonly before: number | null
}

/** Whether a search asks something that only chats and their messages know. */
export const asksOfChats = ({ from, has, is, model, tags }: SearchQuery): boolean =>
  from !== null || has.size > 0 || is.size > 0 || model !== null || tags.length > 0

/** What an area found. */
export type SearchHit = Omit<Found, 'ownerName'> & {
  /** Whose it is; null where that is whoever asks. */
  readonly ownerId: string | null
}

/** Finds an area's things for an account, best first; scores are BM25 of the shared index. */
export type FindHits = (accountId: string, wanted: SearchQuery, limit: number) => Promise<readonly SearchHit[]>
