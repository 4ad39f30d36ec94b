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
