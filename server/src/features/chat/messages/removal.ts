/** One message, or a question with its answers, leaves a chat: what followed goes on after what stood before. */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Transaction } from 'kysely'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChatContext, openChat } from '../context.ts'
import { denyWaiting } from '../generations/waiting.ts'
import { type Relinks, relinksToText, textToRelinks } from '../stores/relinks.ts'
import type { ChatTables, MessageRow, SessionRow, TrashRow } from '../tables.ts'
import { readMessage } from './handlers.ts'
import { closePathOver } from './path.ts'
import { readChat } from './serialise.ts'

type Trx = Transaction<ChatTables>

export const removalHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'removeMessage'>> => ({
  async removeMessage({ params, query }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const asked = await readMessage(context, chat, params.messageId)
    if (asked.role === 'summary') throw fail('message_not_found')
    const goesToo = (row: MessageRow): boolean => query.with === 'answers' && row.parent_id === asked.id
    await denyWaiting(context, keys, chat, (row) => row.id === asked.id || goesToo(row))
    await context.store.write(async (trx) => {
      const { messages, relinks, sessions, trash } = context.store
      const fresh = await sessions.readIn(trx, chat.id, caller.accountId)
      if (!fresh) throw fail('chat_not_found')
      if (fresh.running_generation_id !== null) throw fail('generation_running')
      const row = await messages.readIn(trx, chat.id, asked.id)
      if (!row) throw fail('message_not_found')
      const now = context.clock.now()
      const answers = query.with === 'answers' && row.role === 'user' ? await answersTo(context, trx, row) : []
      const gone = [row, ...answers].map(({ id }) => id)
      const followers = (await relinks.childrenIn(trx, chat.id, gone)).filter(({ id }) => !gone.includes(id))
      const siblings = await messages.siblingsIn(trx, chat.id, row.parent_id)
      await relinks.trashIn(trx, chat.id, gone, row.id, now)
      const relinked: Relinks = []
      for (const parent of [row, ...answers]) {
        const ids = followers.filter(({ parent_id }) => parent_id === parent.id).map(({ id }) => id)
        await relinks.moveIn(trx, chat.id, ids, row.parent_id, row.depth - parent.depth - 1)
        relinked.push(...ids.map((id) => ({ id, parentId: parent.id })))
      }
      await trash.insertIn(trx, [
        {
          item_id: row.id,
          account_id: caller.accountId,
          kind: 'message',
          chat_id: chat.id,
          deleted_at: now,
          relinked: relinksToText(relinked),
        },
      ])
      const active = (answers.find(({ id }) => id === row.active_child_id) ?? row).active_child_id
      const place = siblings.findIndex(({ id }) => id === row.id)
      const heir =
        followers.find(({ id, deleted_at }) => id === active && deleted_at === null) ??
        followers.find(({ deleted_at }) => deleted_at === null) ??
        siblings[place - 1] ??
        siblings[place + 1] ??
        null
      const { endStays, ...end } = await closePathOver(context.store, trx, fresh, row, heir)
      await sessions.updateIn(trx, chat.id, { ...end, updated_at: now, ...(endStays ? {} : { failed: 0 }) })
    })
    context.announceChange(caller.accountId, chat.id)
    return readChat(context, keys, (await openChat(context, chat.id, caller.accountId)).chat)
  },
})

const answersTo = async (context: ChatContext, trx: Trx, question: MessageRow): Promise<MessageRow[]> =>
  (await context.store.messages.siblingsIn(trx, question.chat_id, question.id)).filter(
    ({ role }) => role === 'assistant',
  )

/**
 * Brings messages back between what they stood between. What was moved or thrown away since stays where it is; summaries
 * of what follows them, written without them, go.
 */
export const relinkRestored = async (
  context: ChatContext,
  trx: Trx,
  chat: SessionRow,
  item: TrashRow,
): Promise<MessageRow | null> => {
  const { messages, relinks } = context.store
  const relinked = textToRelinks(item.relinked)
  const ids = relinked.map(({ id }) => id)
  await relinks.dropSummariesIn(trx, chat.id, ids)
  await messages.restoreFromTrash(trx, item.item_id)
  const row = await messages.readIn(trx, chat.id, item.item_id)
  if (!row) return null
  const movable = await relinks.followersIn(trx, chat.id, row.parent_id, ids)
  for (const parentId of new Set(relinked.map((one) => one.parentId))) {
    const parent = await messages.readIn(trx, chat.id, parentId)
    const back = relinked.filter((one) => one.parentId === parentId && movable.has(one.id))
    if (!parent) continue
    await relinks.moveIn(
      trx,
      chat.id,
      back.map(({ id }) => id),
      parentId,
      parent.depth + 1 - row.depth,
    )
  }
  if (movable.size > 0 && chat.active_leaf_id) await messages.activateAncestors(trx, chat.id, chat.active_leaf_id)
  return row
}
