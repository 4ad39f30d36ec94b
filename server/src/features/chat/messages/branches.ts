/** The siblings of a message: which there are, which is active, and what goes away with one. */
import type { chat } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type Room, openChat } from '../context.ts'
import { readMessage } from './handlers.ts'
import { leadTo, summaryAfter } from './path.ts'
import { presentChat, presentMessages } from './serialise.ts'
import { seenBy } from '../sharing/redact.ts'

type Routes = Pick<typeof chat, 'branch' | 'branches' | 'truncate'>

export const branchHandlers = (room: Room): Handlers<Routes> => ({
  async branch({ params, body }, { caller }) {
    const { chat, keys } = await openChat(room, params.sessionId, caller.accountId)
    const row = await readMessage(room, chat, params.messageId)
    if (row.role === 'summary') throw fail('message_not_found')
    await room.store.write(async (trx) => {
      const fresh = await room.store.sessions.readIn(trx, chat.id, caller.accountId)
      if (!fresh) throw fail('chat_not_found')
      if (fresh.running_generation_id !== null) throw fail('generation_running')
      const siblings = await room.store.messages.siblingsIn(trx, chat.id, row.parent_id)
      const wanted = siblings[body.branchIndex]
      if (!wanted) throw fail('message_not_found')
      const leaf = await room.store.messages.endOf(trx, chat.id, wanted.id)
      await leadTo(room.store, trx, fresh, wanted)
      const summary_id = await summaryAfter(room.store, trx, fresh, leaf, leaf === fresh.active_leaf_id)
      await room.store.sessions.updateIn(trx, chat.id, { active_leaf_id: leaf, summary_id })
    })
    room.changed(caller.accountId, chat.id)
    return presentChat(room, keys, (await openChat(room, chat.id, caller.accountId)).chat)
  },

  async branches({ params }, { thing }) {
    const { chat, keys } = await openChat(room, thing.id, thing.ownerId)
    const row = await readMessage(room, chat, params.messageId)
    const rows = row.role === 'summary' ? [row] : await room.store.messages.siblings(chat.id, row.parent_id)
    return { items: seenBy(thing, await presentMessages(room, keys, chat, rows)), nextCursor: null }
  },

  async truncate({ params }, { caller }) {
    const { chat, keys } = await openChat(room, params.sessionId, caller.accountId)
    const row = await readMessage(room, chat, params.messageId)
    if (row.role === 'summary') throw fail('message_not_found')
    if (chat.running_generation_id !== null) await room.generations.cancelScopes([chat.id])
    const now = room.clock.now()
    await room.store.write(async (trx) => {
      const { messages, sessions, trash } = room.store
      const fresh = await sessions.readIn(trx, chat.id, caller.accountId)
      if (!fresh) throw fail('chat_not_found')
      if (fresh.running_generation_id !== null) throw fail('conflict')
      if (!(await messages.readIn(trx, chat.id, row.id))) throw fail('message_not_found')
      const before = await messages.siblingsIn(trx, chat.id, row.parent_id)
      const place = before.findIndex((sibling) => sibling.id === row.id)
      const heir = before[place - 1] ?? before[place + 1] ?? null
      await messages.trashSubtree(trx, chat.id, row.id, now)
      await trash.insertIn(trx, [
        { item_id: row.id, account_id: caller.accountId, kind: 'message', chat_id: chat.id, deleted_at: now },
      ])
      if (row.parent_id !== null) {
        const parent = await messages.readIn(trx, chat.id, row.parent_id)
        if (parent?.active_child_id === row.id) {
          await messages.updateIn(trx, parent.id, { active_child_id: heir?.id ?? null })
        }
      }
      const leafLives = fresh.active_leaf_id !== null && (await messages.readIn(trx, chat.id, fresh.active_leaf_id))
      const leaf = leafLives ? fresh.active_leaf_id : heir ? await messages.endOf(trx, chat.id, heir.id) : row.parent_id
      const summary_id = await messages.summaryOnPath(trx, chat.id, leaf)
      await sessions.updateIn(trx, chat.id, { active_leaf_id: leaf, summary_id, failed: 0, updated_at: now })
    })
    room.changed(caller.accountId, chat.id)
    return presentChat(room, keys, (await openChat(room, chat.id, caller.accountId)).chat)
  },
})
