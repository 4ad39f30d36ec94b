/** What models may do with chats: find and read those that the account may read. */
import type { chatRoutes, Message } from '@atrium/contract/chat'
import { z } from 'zod'
import type { SearchHit } from '../../core/resources/index.ts'
import { emptyQuery } from '../../core/search/index.ts'
import { nameLine } from '../../platform/areas/tool-text.ts'
import { type Tool, defineTool } from '../../platform/areas/tool.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { callFor, callerOf } from '../../platform/http/on-behalf.ts'
import { type ChatContext, openChat } from './context.ts'
import { findInAllChats } from './search/find-shared.ts'
import { openTitle } from './stores/rows.ts'

const mostMessages = 20
/** Characters of one message that a call gives. */
const mostOfOne = 4000

/** Answers quote pages and documents, and others share their chats. */
const reads = { sideEffect: false, readsPrivateData: true, readsForeignText: true, sendsData: false } as const

export const chatTools = (context: ChatContext, handlers: Pick<Handlers<typeof chatRoutes>, 'messages'>): Tool[] => [
  defineTool({
    ...reads,
    name: 'search_chats',
    description:
      'Searches the user’s earlier chats, and those that others share with the user, for messages and titles that have all of the given words. Use it when the user refers to something that was said before, outside this chat.',
    arguments: z.strictObject({
      query: z.string().trim().min(1).max(200).describe('A few words that all have to occur'),
      limit: z.number().int().min(1).max(20).optional().describe('Hits at most (default 10)'),
    }),
    async run({ query, limit = 10 }, { accountId, chatId }) {
      // The question itself has these words, too.
      const asked = chatId === null ? limit : limit * 3
      const hits = (await findInAllChats(context, accountId, { ...emptyQuery, words: query }, asked))
        .filter((hit) => chatOf(hit) !== chatId)
        .slice(0, limit)
      if (hits.length === 0) return { text: `Nothing in other chats has all of these words: “${query}”. Try fewer.` }
      const chats = new Map(hits.map((hit) => [chatOf(hit), nameLine(hit.title)]))
      return {
        text: hits.map(lineOf).join('\n\n'),
        links: [...chats].map(([id, title]) => ({ kind: 'chat', id, title })),
      }
    },
  }),

  defineTool({
    ...reads,
    name: 'read_chat',
    description: `Reads messages of a chat that search_chats found, the latest first page by page, at most ${mostMessages} a page; or those around one message.`,
    arguments: z.strictObject({
      id: z.string().min(1).max(200).describe('The id of the chat'),
      around: z.string().min(1).max(200).optional().describe('The id of a message, to read what stands around it'),
      cursor: z.string().min(1).max(500).optional().describe('To read what stands before, as the last page said'),
      limit: z.number().int().min(1).max(mostMessages).optional().describe('Messages at most (default 10)'),
    }),
    async run({ id, around, cursor, limit = 10 }, { accountId, signal }) {
      const named = { resource: 'chat', id: 'sessionId', right: 'read' } as const
      const resource = await context.access.authorise(callerOf(accountId), named, id)
      const { chat, keys } = await openChat(context, id, resource.ownerId)
      const { items, nextCursor } = await callFor({ accountId, signal, resource }, handlers.messages, {
        params: { sessionId: id },
        query: { limit, around, cursor },
      })
      const title = nameLine(openTitle(keys, chat))
      const before = nextCursor === null ? 'It begins here.' : `For what stands before, use cursor ${nextCursor}.`
      return {
        text: [`Chat “${title}”. ${before}`, ...items.map(messageText)].join('\n\n'),
        links: [{ kind: 'chat', id, title }],
      }
    },
  }),
]

const chatOf = ({ id, chatId }: SearchHit): string => chatId ?? id

const lineOf = (hit: SearchHit): string => {
  const place = hit.kind === 'message' ? `, message id ${hit.id}` : ''
  const owner = hit.ownerId === null ? '' : ', shared by somebody else'
  return `“${nameLine(hit.title)}” (chat id ${chatOf(hit)}${place}, ${hit.time.slice(0, 10)}${owner})\n${hit.snippet}`
}

const messageText = ({ role, createdAt, content }: Message): string => {
  const rest = content.length - mostOfOne
  const text = rest > 0 ? `${content.slice(0, mostOfOne).toWellFormed()} [… ${rest} more characters]` : content
  return `${role === 'user' ? 'User' : role === 'summary' ? 'Summary' : 'Assistant'}, ${createdAt}:\n${text}`
}
