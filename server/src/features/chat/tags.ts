/** Tags: names that an account gives its chats, at most 200 of them, sealed, and looked up by keyed digests. */
import type { Tag, chatRoutes } from '@atrium/contract/chat'
import { cleanTag, foldTag, mostTags, mostTagsOfChat } from '@atrium/contract/tag-name'
import type { Transaction } from 'kysely'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { openWords } from '../../platform/stored-json.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import type { ChatContext } from './context.ts'
import { byTag, readChatSummaries } from './messages/serialise.ts'
import type { CountedTag, TagChange } from './stores/tags.ts'
import type { ChatTables, TagRow } from './tables.ts'

type Routes = Pick<typeof chatRoutes, 'tags' | 'tagChats' | 'updateTag' | 'removeTag'>

export const tagHandlers = (context: ChatContext): Handlers<Routes> => ({
  async tags(_input, { caller }) {
    const keys = await context.vault.keyring(caller.accountId)
    const items = (await context.store.tags.list(caller.accountId)).map((row) => toTag(keys, row))
    return { items: items.sort((a, b) => byTag(a.name, b.name)), nextCursor: null }
  },

  async tagChats({ body: { chatIds, add, remove } }, { caller: { accountId } }) {
    const keys = await context.vault.keyring(accountId)
    const change = {
      accountId,
      chatIds,
      add: newTags(context, keys, accountId, add),
      remove: remove.map((name) => tagDigest(context, accountId, name)),
    }
    const ids = await context.store.write((trx) => changeTags(context, trx, change))
    const chats = await context.store.indexing.sessions(accountId, ids)
    // A chat where nothing was asked yet is in no list.
    const drafts = new Set(chats.filter(({ draft }) => draft === 1).map(({ id }) => id))
    for (const id of ids) if (!drafts.has(id)) context.announceChange(accountId, id)
    await announceTags(context, accountId)
    return { items: await readChatSummaries(context, keys, chats) }
  },

  async updateTag({ params, body: { name } }, { caller: { accountId } }) {
    const keys = await context.vault.keyring(accountId)
    const digest = tagDigest(context, accountId, name)
    const nameOf = (id: string) => keys.seal('chat_tags.name', id, name)
    const id = await context.store.tags.rename(params.tagId, accountId, digest, nameOf)
    const [row] = id === null ? [] : await context.store.tags.list(accountId, id)
    if (!row) throw fail('tag_not_found')
    await announceTags(context, accountId, true)
    return toTag(keys, row)
  },

  async removeTag({ params }, { caller: { accountId } }) {
    if (!(await context.store.tags.remove(params.tagId, accountId))) throw fail('tag_not_found')
    await announceTags(context, accountId, true)
    return {}
  },
})

/** The digest by which a tag of an account is found, however it is written. */
export const tagDigest = ({ vault }: Pick<ChatContext, 'vault'>, accountId: string, name: string): string =>
  vault.blindIndex('chat_tags.digest', `${accountId} ${foldTag(name)}`)

/** Names as tags that may be new; what is written in two ways is one. */
export const newTags = (
  context: Pick<ChatContext, 'clock' | 'vault'>,
  keys: Keyring,
  accountId: string,
  names: readonly string[],
): TagRow[] =>
  [...new Map(names.map((name) => [foldTag(name), cleanTag(name)])).values()].map((name) => {
    const id = context.clock.id()
    const digest = tagDigest(context, accountId, name)
    return { id, account_id: accountId, name: keys.seal('chat_tags.name', id, name), digest }
  })

/** Changes the tags of chats, and gives the ids of those that are there. Refuses with `tag_limit` and `chat_tag_limit`. */
export const changeTags = async (
  { store }: Pick<ChatContext, 'store'>,
  trx: Transaction<ChatTables>,
  change: Omit<TagChange, 'most'>,
): Promise<readonly string[]> => {
  const most = { ofAccount: mostTags, ofChat: mostTagsOfChat }
  const outcome = await store.tags.change(trx, { ...change, most })
  if (outcome === 'ofAccount') throw fail('tag_limit')
  if (outcome === 'ofChat') throw fail('chat_tag_limit')
  return outcome as readonly string[]
}

/** `names`: chats carry other names, and each is not told of by itself. */
export const announceTags = (context: Pick<ChatContext, 'announce'>, accountId: string, names = false): Promise<void> =>
  context.announce(accountId, { type: 'tags-changed', data: { names } })

const toTag = (keys: Keyring, row: CountedTag): Tag => ({
  id: row.id,
  name: openWords(keys, 'chat_tags.name', row.id, row.name),
  chatCount: row.chats,
})
