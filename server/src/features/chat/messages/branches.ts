/** The siblings of a message: which there are, which is active, and what goes away with one. */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChatContext, openChat } from '../context.ts'
import { denyWaiting } from '../generations/waiting.ts'
import { readMessage } from './handlers.ts'
import { activatePathTo, closePathOver, summaryAfter } from './path.ts'
import { readChat, rowsToMessages } from './serialise.ts'
import { messagesFor } from './quotes.ts'

type Routes = Pick<typeof chatRoutes, 'branch' | 'branches' | 'truncate'>

export const branchHandlers = (context: ChatContext): Handlers<Routes> => ({
  async branch({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const row = await readMessage(context, chat, params.messageId)
    if (row.role === 'summary') throw fail('message_not_found')
    await context.store.write(async (trx) => {
      const fresh = await context.store.sessions.readIn(trx, chat.id, caller.accountId)
      if (!fresh) throw fail('chat_not_found')
      if (fresh.running_generation_id !== null) throw fail('generation_running')
      const siblings = await context.store.messages.siblingsIn(trx, chat.id, row.parent_id)
      const wanted =
        body.branchIndex === undefined ? siblings.find(({ id }) => id === row.id) : siblings[body.branchIndex]
      if (!wanted) throw fail('message_not_found')
      const leaf = await context.store.messages.endOf(trx, chat.id, wanted.id)
      await activatePathTo(context.store, trx, fresh, wanted)
      const summary_id = await summaryAfter(context.store, trx, fresh, leaf, leaf === fresh.active_leaf_id)
      await context.store.sessions.updateIn(trx, chat.id, { active_leaf_id: leaf, summary_id })
    })
    context.announceChange(caller.accountId, chat.id)
    return readChat(context, keys, (await openChat(context, chat.id, caller.accountId)).chat)
  },

  async branches({ params }, { resource }) {
    const { chat, keys } = await openChat(context, resource.id, resource.ownerId)
    const row = await readMessage(context, chat, params.messageId)
    const rows = row.role === 'summary' ? [row] : await context.store.messages.siblings(chat.id, row.parent_id)
    return {
      items: await messagesFor(context, chat, resource, await rowsToMessages(context, keys, chat, rows)),
      nextCursor: null,
    }
  },

  async truncate({ params }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const row = await readMessage(context, chat, params.messageId)
    if (row.role === 'summary') throw fail('message_not_found')
    if (chat.running_generation_id !== null) await context.generations.cancelScopes([chat.id])
    await denyWaiting(context, keys, chat, async ({ id, depth }) => {
      const path = depth < row.depth ? [] : await context.store.messages.upwards(chat.id, id, depth - row.depth + 1)
      return path.some((above) => above.id === row.id)
    })
    const now = context.clock.now()
    await context.store.write(async (trx) => {
      const { messages, sessions, trash } = context.store
      const fresh = await sessions.readIn(trx, chat.id, caller.accountId)
      if (!fresh) throw fail('chat_not_found')
      if (fresh.running_generation_id !== null) throw fail('conflict')
      if (!(await messages.readIn(trx, chat.id, row.id))) throw fail('message_not_found')
      const before = await messages.siblingsIn(trx, chat.id, row.parent_id)
      const place = before.findIndex((sibling) => sibling.id === row.id)
      const heir = before[place - 1] ?? before[place + 1] ?? null
      await messages.trashSubtree(trx, chat.id, row.id, now)
      await trash.insertIn(trx, [
        {
          item_id: row.id,
          account_id: caller.accountId,
          kind: 'message',
          chat_id: chat.id,
          deleted_at: now,
          relinked: null,
        },
      ])
      const { active_leaf_id, summary_id } = await closePathOver(context.store, trx, fresh, row, heir)
      await sessions.updateIn(trx, chat.id, { active_leaf_id, summary_id, failed: 0, updated_at: now })
    })
    context.announceChange(caller.accountId, chat.id)
    return readChat(context, keys, (await openChat(context, chat.id, caller.accountId)).chat)
  },
})
