/** Words in one chat: where they stand on its active path, or in any of its branches. */
import { countInForm, toFindForm } from '@atrium/contract/find-form'
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { snippetOf } from '../../../core/search/index.ts'
import { type ChatContext, openChat } from '../context.ts'
import { listActive } from '../messages/branch-rows.ts'
import { previewOf } from '../messages/pins.ts'
import { openText } from '../stores/rows.ts'
import type { MessageRow } from '../tables.ts'

/** Messages that are opened between two looks at other requests. */
const sliceSize = 100
/** So many messages are named at most; their count goes on. */
const mostItems = 1000
const mostPreviews = 100

export const findInChatHandlers = (
  context: ChatContext,
): Handlers<Pick<typeof chatRoutes, 'find' | 'findInBranches'>> => ({
  // The index of words knows neither parts of words nor branches, and nothing of temporary chats: the path is read.
  async find({ query }, { resource, signal }) {
    const { chat, keys } = await openChat(context, resource.id, resource.ownerId)
    const words = toFindForm(query.q)
    const found: { messageId: string; count: number }[] = []
    let total = 0
    for (let leaf = words.trim() === '' ? null : chat.active_leaf_id; leaf !== null && !signal.aborted; ) {
      const rows = await context.store.messages.upwards(chat.id, leaf, sliceSize)
      for (const row of rows) {
        const count = countInForm(toFindForm(openText(keys, row)), words)
        if (count > 0) found.push({ messageId: row.id, count })
        total += count
      }
      leaf = rows.at(-1)?.parent_id ?? null
      await new Promise(setImmediate)
    }
    // Read from the end; where there are too many, the latest are named.
    return { items: found.slice(0, mostItems).reverse(), total }
  },

  async findInBranches({ params, query }, { caller, signal }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const words = toFindForm(query.q)
    const found: { row: MessageRow; text: string }[] = []
    let total = 0
    if (words.trim() === '') return { items: [], total }
    for await (const rows of context.store.exporting.messages(chat.id, sliceSize)) {
      if (signal.aborted) break
      for (const row of rows) {
        const text = row.role === 'summary' ? '' : openText(keys, row)
        if (!toFindForm(text).includes(words)) continue
        total += 1
        found.push({ row, text })
        if (found.length > mostPreviews) found.shift()
      }
      await new Promise(setImmediate)
    }
    const active = listActive(
      found.length > 0 ? await context.store.messages.listPlaces(chat.id) : [],
      chat.active_leaf_id,
    )
    const items = found.map(({ row, text }) => previewOf(row, snippetOf(text, query.q).snippet, active))
    return { items, total }
  },
})
