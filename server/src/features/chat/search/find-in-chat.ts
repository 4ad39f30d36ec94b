/** Words in one chat: where they stand on its active path, or in any of its branches. */
import { countInForm, toFindForm } from '@atrium/contract/find-form'
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { snippetOf } from '../../../core/search/index.ts'
import { type ChatContext, openChat } from '../context.ts'
import { listActive } from '../messages/branch-rows.ts'
import { previewOf } from '../messages/pins.ts'
import { openBranchName, openText } from '../stores/rows.ts'
import type { PlaceRow } from '../stores/messages.ts'
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
    let leaf = words.trim() === '' ? null : chat.active_leaf_id
    const next = async (): Promise<MessageRow[]> => {
      const rows = leaf === null ? [] : await context.store.messages.upwards(chat.id, leaf, sliceSize)
      leaf = rows.at(-1)?.parent_id ?? null
      return rows
    }
    for await (const row of readSlices(next, signal)) {
      const count = countInForm(toFindForm(openText(keys, row)), words)
      if (count > 0) found.push({ messageId: row.id, count })
      total += count
    }
    // Read from the end; where there are too many, the latest are named.
    return { items: found.slice(0, mostItems).reverse(), total }
  },

  async findInBranches({ params, query }, { caller, signal }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const words = toFindForm(query.q)
    if (words.trim() === '') return { items: [], total: 0 }
    // Put in order once, without what they say: to read that in order, slice by slice, sorts the chat for each of them.
    const places = await context.store.messages.listPlaces(chat.id)
    const found: { place: PlaceRow; text: string; branchName: string | null }[] = []
    let total = 0
    let read = 0
    const next = async () => {
      const slice = places.slice(read, (read += sliceSize))
      const contents = await context.store.messages.contents(slice.map(({ id }) => id))
      return slice.map((place) => ({ place, content: contents.get(place.id) }))
    }
    for await (const { place, content } of readSlices(next, signal)) {
      const text = content ? openText(keys, content) : ''
      const branchName = content ? openBranchName(keys, content) : null
      if (![text, branchName ?? ''].some((said) => toFindForm(said).includes(words))) continue
      total += 1
      found.push({ place, text, branchName })
      if (found.length > mostPreviews) found.shift()
    }
    const active = listActive(places, chat.active_leaf_id)
    const items = found.map(({ place, text, branchName }) =>
      previewOf(place, { words: snippetOf(text, query.q).snippet, branchName }, active),
    )
    return { items, total }
  },
})

/** Rows slice by slice, until `next` gives none or nobody waits for them; other requests have their turn in between. */
async function* readSlices<Row>(next: () => Promise<readonly Row[]>, signal: AbortSignal): AsyncIterable<Row> {
  while (!signal.aborted) {
    const rows = await next()
    if (rows.length === 0) return
    yield* rows
    await new Promise(setImmediate)
  }
}
