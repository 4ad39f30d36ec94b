/** A chat, a message and a folder, for the tests over every kind of resource. */
import { type chatArea, chatRoutes } from '@atrium/contract/chat'
import type { Client } from '../../testing/client.ts'
import { idsOf, outcomeOf, type SamplesOf, slowModel } from '../../testing/samples.ts'

/** Has an answer written in a chat; gives the function that stops it. */
const beginAnswer = async (owner: Client, sessionId: string) => {
  await owner.call(chatRoutes.update, { params: { sessionId }, body: { selection: slowModel } })
  const call = { params: { sessionId }, body: { message: 'Write.' } }
  const { assistantMessage } = await owner.call(chatRoutes.startGeneration, call)
  const params = { sessionId, assistantMessageId: assistantMessage.id }
  return () => owner.call(chatRoutes.cancel, { params })
}
const followAnswer = (reader: Client, sessionId: string) =>
  reader.follow(chatRoutes.events, { params: { sessionId }, query: {} })

/** The chat of each sample folder in which an answer is written. */
const chatIn = new Map<string, string>()
/** The chats that sample messages are in. */
const chatOf = new Map<string, string>()
const messagesOf = (client: Client, id: string) =>
  client.call(chatRoutes.messages, { params: { sessionId: chatOf.get(id) ?? '' }, query: {} })

export const samples: SamplesOf<typeof chatArea> = {
  chat: {
    make: async (owner, word) => (await owner.call(chatRoutes.create, { body: { title: `The ${word}` } })).id,
    list: async (client) => idsOf((await client.call(chatRoutes.list, { query: {} })).items),
    read: (client, id) => outcomeOf(client, chatRoutes.read, { params: { sessionId: id }, query: {} }),
    missing: 'chat_not_found',
    remove: (owner, id) => owner.call(chatRoutes.remove, { params: { sessionId: id } }),
    live: { begin: beginAnswer, follow: followAnswer },
  },
  message: {
    async make(owner, word) {
      const { id: sessionId } = await owner.call(chatRoutes.create, { body: { title: 'Animals' } })
      const body = { role: 'user' as const, content: `The ${word} sleeps.` }
      const { id } = await owner.call(chatRoutes.addMessage, { params: { sessionId }, body })
      chatOf.set(id, sessionId)
      return id
    },
    async list(client) {
      const own = idsOf((await client.call(chatRoutes.list, { query: {} })).items)
      const mine = [...chatOf].filter(([, chatId]) => own.includes(chatId))
      return (await Promise.all(mine.map(async ([id]) => idsOf((await messagesOf(client, id)).items)))).flat()
    },
    async read(client, id) {
      const call = { params: { sessionId: chatOf.get(id) ?? '' }, query: {} }
      const answer = await outcomeOf(client, chatRoutes.messages, call)
      if (answer !== 'ok') return answer
      return idsOf((await messagesOf(client, id)).items).includes(id) ? 'ok' : 'message_not_found'
    },
    missing: 'chat_not_found',
    remove: (owner, id) =>
      owner.call(chatRoutes.truncate, { params: { sessionId: chatOf.get(id) ?? '', messageId: id } }),
  },
  folder: {
    async make(owner, word) {
      const { id } = await owner.call(chatRoutes.createFolder, { body: { name: `The ${word}` } })
      await owner.call(chatRoutes.create, { body: { title: 'Inside', folderId: id } })
      return id
    },
    list: async (client) => idsOf((await client.call(chatRoutes.folders, {})).items),
    read: (client, id) => outcomeOf(client, chatRoutes.folderChats, { params: { folderId: id }, query: {} }),
    missing: 'folder_not_found',
    remove: (owner, id) => owner.call(chatRoutes.removeFolder, { params: { folderId: id }, query: {} }),
    live: {
      async begin(owner, id) {
        const { id: chatId } = await owner.call(chatRoutes.create, { body: { title: 'Inside', folderId: id } })
        chatIn.set(id, chatId)
        return await beginAnswer(owner, chatId)
      },
      follow: (reader, id) => followAnswer(reader, chatIn.get(id) ?? ''),
    },
  },
}
