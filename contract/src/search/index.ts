/** One search over everything that an account may read. */
import { area } from '../area.ts'
import { searchDescription } from './area.ts'
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { SourceLocation } from '../generation.ts'
import { foundKinds } from '../resources.ts'
import { routes } from '../route.ts'

export const FoundKind = z.enum(foundKinds)
export type FoundKind = z.infer<typeof FoundKind>

export const Found = z.strictObject({
  kind: FoundKind,
  /** Of the chat, the message, the document or the item. */
  id: Id,
  title: z.string(),
  /** Whose it is, where that is somebody else. */
  ownerName: z.string().nullable(),
  /** The words around the match, and which stretches of them matched: offsets in UTF-16 units. */
  snippet: z.string(),
  matches: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** The chat of a message, or the channel of what was said there. */
  chatId: Id.nullable(),
  /** Of a passage in a document: where it stands in its text. */
  startChar: z.number().int().nullable(),
  endChar: z.number().int().nullable(),
  location: SourceLocation.nullable(),
  /** Of a document: in how many more of its passages the words stand, of those that were looked at. */
  more: z.number().int().optional(),
  time: Time,
  score: z.number(),
})
export type Found = z.infer<typeof Found>

export const searchRoutes = routes({
  everything: {
    method: 'get',
    path: '/api/search/app',
    access: 'user',
    summary:
      'Search your chats, messages, channels, documents, artifacts and gallery. Operators: `in:` chats, channels, documents, gallery, artifacts or the name of a chat, project, channel or collection; `from:` me or model; `has:` attachment, document, code, source, image, video or audio, and in channels link, file, pin or thread; `is:` pinned, shared or archived, and in channels mention; `#channel` and `@person` by name; `model:` part of the name of a chat’s model; `tag:` chats with a tag of yours; `before:` and `after:` a day',
    query: z.strictObject({
      q: z.string().trim().min(1).max(400),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    returns: z.strictObject({
      items: z.array(Found),
      nextCursor: z.null(),
      /** Operators that were not understood, word for word. */
      unknown: z.array(z.string()),
      /** Chats from before there was an index are still being taken in. */
      incomplete: z.boolean(),
    }),
  },
})

export const searchArea = area(searchDescription, {
  routes: searchRoutes,
  shapes: { Found },
})
