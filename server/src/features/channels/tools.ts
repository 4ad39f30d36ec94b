/** What models may do with the channels of an account: those that it is a member of, read at any time, written to when asked. */
import { type ChannelMessage, type channelsRoutes, mostMessageLetters } from '@atrium/contract/channels'
import { z } from 'zod'
import { emptyQuery } from '../../core/search/index.ts'
import { idOfCall } from '../../platform/areas/call-id.ts'
import { type Tool, defineTool } from '../../platform/areas/tool.ts'
import { nameLine } from '../../platform/areas/tool-text.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { callFor } from '../../platform/http/on-behalf.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ChannelContext } from './context.ts'
import { isDirect } from './rules.ts'
import { createChannelSearch } from './search.ts'
import type { createUnattendedPosts } from './messages/post.ts'

type Used = Pick<Handlers<typeof channelsRoutes>, 'list' | 'messages'>
type Posts = Pick<ReturnType<typeof createUnattendedPosts>, 'isMember' | 'post'>

const mostListed = 100
const mostRead = 50
const shownLetters = 4000
const Id = z.string().trim().min(1).max(100)
const reading = { sideEffect: false, readsPrivateData: true, readsForeignText: true, sendsData: false } as const

export const channelTools = (context: ChannelContext, handlers: Used, posts: Posts): Tool[] => {
  const isAvailable = async (accountId: string) => (await context.store.channels.idsOf(accountId)).length > 0
  const find = createChannelSearch(context)

  return [
    defineTool({
      name: 'list_channels',
      description: 'Lists the channels and direct messages that the user is a member of, with their ids.',
      arguments: z.strictObject({}),
      ...reading,
      isAvailable,
      async run(_args, { accountId, signal }) {
        const behalf = { accountId, signal, resource: null }
        const { items, nextCursor } = await callFor(behalf, handlers.list, { query: { limit: mostListed } })
        if (items.length === 0) return { text: 'The user is in no channel.' }
        const lines = items.map(
          ({ id, type, name, people }) =>
            `${isDirect(type) ? `Direct message: ${people.map(({ name: each }) => nameLine(each)).join(', ')}` : `#${nameLine(name)}`} (id ${id})`,
        )
        return { text: [...lines, ...(nextCursor === null ? [] : ['There are more.'])].join('\n') }
      },
    }),

    defineTool({
      name: 'search_channels',
      description: 'Searches the words of messages in the channels and direct messages that the user is a member of.',
      arguments: z.strictObject({
        query: z.string().trim().min(1).max(300).describe('Words of the message'),
        limit: z.number().int().min(1).max(20).default(10),
      }),
      ...reading,
      isAvailable,
      async run({ query, limit }, { accountId }) {
        const hits = await find(accountId, { ...emptyQuery, words: query }, limit)
        if (hits.length === 0) return { text: 'No message has these words.' }
        return {
          text: hits
            .map(
              ({ title, chatId, time, snippet }) =>
                `${nameLine(title)} (id ${chatId}), ${time}: ${nameLine(snippet, 400)}`,
            )
            .join('\n'),
        }
      },
    }),

    defineTool({
      name: 'read_channel',
      description: 'Reads the newest messages of a channel that the user is a member of, oldest first.',
      arguments: z.strictObject({
        id: Id.describe('As list_channels or search_channels gives it'),
        limit: z.number().int().min(1).max(mostRead).default(20),
        before: z.string().max(300).optional().describe('To read on towards the past, as the last result gave it'),
      }),
      ...reading,
      isAvailable,
      async run({ id, limit, before }, { accountId, signal }) {
        if (!(await posts.isMember(accountId, id))) throw fail('channel_not_found')
        const resource = { type: 'channel', id, right: 'read', ownerId: accountId } as const
        const query = { limit, ...(before !== undefined && { cursor: before }) }
        const { items, nextCursor } = await callFor({ accountId, signal, resource }, handlers.messages, { query })
        const lines = items.filter(({ deletedAt }) => deletedAt === null).map(toLine)
        if (lines.length === 0) return { text: 'There are no messages.' }
        const earlier = nextCursor === null ? [] : [`There are earlier messages: read them with before ${nextCursor}.`]
        return { text: [...earlier, ...lines].join('\n') }
      },
    }),

    defineTool({
      name: 'post_to_channel',
      description:
        'Writes a message as the user in a channel or direct message that they are a member of. All members can read it. Show the user the words first.',
      arguments: z.strictObject({
        id: Id.describe('Of the channel, as list_channels gives it'),
        message: z.string().trim().min(1).max(mostMessageLetters).describe('Markdown. Nobody is notified by a mention'),
      }),
      sideEffect: true,
      readsPrivateData: false,
      readsForeignText: false,
      // It stays on this server, and reaches other people: what is private must not get there unseen.
      sendsData: true,
      isAvailable,
      async run({ id, message }, { accountId, callId, chatId }) {
        await posts.post(accountId, id, { id: idOfCall({ accountId, callId }), content: message, fromChat: chatId })
        return { text: 'The message was sent.' }
      },
    }),
  ]
}

const toLine = ({ author, answer, content, createdAt }: ChannelMessage): string =>
  `${nameLine(author?.name ?? answer?.name ?? 'A former member')}, ${createdAt}: ${content.slice(0, shownLetters).toWellFormed()}`
