/** The own tags, and what is done with them. */
import { type ChatSummary, chatRoutes as routes, type Tag } from '@atrium/contract/chat'
import { call } from '../../../api/client.ts'
import { queryOf } from '../../../api/query.ts'
import { putChat, refreshTags, summaryOf } from '../list/cache.ts'
import { changeHead } from '../open/conversation.ts'
import { isDraftChat } from '../open/draft-chat.ts'
import { changeConversation, knownChat, outdateReads } from '../open/store.ts'

export const tagsQuery = queryOf(routes.tags)

/** Chats of one call. */
const atOnce = 200

/** Gives chats tags and takes others from them. Throws what the server refuses. */
export async function tagChats(
  chatIds: readonly string[],
  { add, remove }: { readonly add: string[]; readonly remove: string[] },
): Promise<void> {
  for (let start = 0; start < chatIds.length; start += atOnce) {
    const some = chatIds.slice(start, start + atOnce)
    for (const id of some) outdateReads(knownChat(id))
    const { items } = await call(routes.tagChats, { body: { chatIds: some, add, remove } })
    for (const chat of items) putTagged(chat)
  }
  await refreshTags(false)
}

/** A chat where nothing was asked yet is in no list. */
function putTagged(chat: ChatSummary): void {
  const open = knownChat(chat.id)
  if (open && isDraftChat(open)) changeConversation(open, (now) => changeHead(now, summaryOf(chat)))
  else putChat(chat)
}

/** Calls a tag otherwise in all chats. Gives it as it is then. Throws what the server refuses. */
export async function renameTag(tagId: string, name: string): Promise<Tag> {
  const tag = await call(routes.updateTag, { params: { tagId }, body: { name } })
  await refreshTags(true)
  return tag
}

/** Takes a tag from all chats. Throws what the server refuses. */
export async function deleteTag(tagId: string): Promise<void> {
  await call(routes.removeTag, { params: { tagId } })
  await refreshTags(true)
}
