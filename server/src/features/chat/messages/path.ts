/** Moves of a chat's active path, each inside the transaction of its caller. */
import type { Transaction } from 'kysely'
import type { ChatStore } from '../stores/index.ts'
import type { NewMessageRow } from '../stores/messages.ts'
import type { ChatTables, MessageRow, SessionRow } from '../tables.ts'

type Trx = Transaction<ChatTables>
type Place = Pick<MessageRow, 'id' | 'parent_id'>

/** Puts a new message under its parent, and makes the path lead to it. */
export const appendToPath = async (store: ChatStore, trx: Trx, chat: SessionRow, row: NewMessageRow): Promise<void> => {
  await store.messages.insertIn(trx, row)
  await activatePathTo(store, trx, chat, row)
}

/** Makes the path lead to a stored message. The branch that is left keeps its own pointers, and so comes back as it was. */
export const activatePathTo = async (store: ChatStore, trx: Trx, chat: SessionRow, place: Place): Promise<void> => {
  if (place.parent_id === null) return
  const parentIsActive =
    place.parent_id === chat.active_leaf_id ||
    (await store.messages.endOf(trx, chat.id, place.parent_id)) === chat.active_leaf_id
  await store.messages.updateIn(trx, place.parent_id, { active_child_id: place.id })
  if (!parentIsActive) await store.messages.activateAncestors(trx, chat.id, place.parent_id)
}

/** The summary in force once the path ends at `leafId`; the present one stays where the path only grows. */
export const summaryAfter = async (
  store: ChatStore,
  trx: Trx,
  chat: SessionRow,
  leafId: string | null,
  grows: boolean,
): Promise<string | null> => (grows ? chat.summary_id : store.messages.summaryOnPath(trx, chat.id, leafId))

/**
 * Closes the path over a message that has left it: its heir stands in its place. Gives where the chat ends then, and the
 * summary that counts there; `endStays` where it ends as before.
 */
export const closePathOver = async (
  store: ChatStore,
  trx: Trx,
  chat: SessionRow,
  gone: Place,
  heir: Pick<Place, 'id'> | null,
) => {
  const { messages } = store
  const parent = gone.parent_id === null ? null : await messages.readIn(trx, chat.id, gone.parent_id)
  if (parent?.active_child_id === gone.id) {
    await messages.updateIn(trx, parent.id, { active_child_id: heir?.id ?? null })
  }
  const endStays = chat.active_leaf_id !== null && (await messages.readIn(trx, chat.id, chat.active_leaf_id)) !== null
  const leaf = endStays ? chat.active_leaf_id : heir ? await messages.endOf(trx, chat.id, heir.id) : gone.parent_id
  return { endStays, active_leaf_id: leaf, summary_id: await messages.summaryOnPath(trx, chat.id, leaf) }
}
