/** Messages that the owner of a chat keeps at hand. */
import type { MessagePreview, chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { type ChatContext, openChat } from '../context.ts'
import { firstWords } from '../rules.ts'
import { openBranchName, openText } from '../stores/rows.ts'
import type { MessageRow } from '../tables.ts'

/** In one chat. */
const mostPins = 100

export const pinHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'pins'>> => ({
  async pins({ params }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    // Some may have come back from the trash.
    const rows = await context.store.pins.list(chat.id, 2 * mostPins)
    const leaf = rows.length === 0 ? null : chat.active_leaf_id
    const active = leaf === null ? new Set<string>() : await context.store.pins.listOnPath(chat.id, leaf)
    const items = rows.map((row) =>
      previewOf(row, { words: firstWords(openText(keys, row)), branchName: openBranchName(keys, row) }, active),
    )
    return { items, nextCursor: null }
  },
})

/** A message in a list. `active`: the ids of those on the active path. */
export const previewOf = (
  row: Pick<MessageRow, 'id' | 'role' | 'created_at'>,
  shown: Pick<MessagePreview, 'words' | 'branchName'>,
  active: ReadonlySet<string>,
): MessagePreview => ({
  id: row.id,
  role: row.role === 'user' ? 'user' : 'assistant',
  ...shown,
  active: active.has(row.id),
  createdAt: toIsoTime(row.created_at),
})

/**
 * Pins a message, or unpins it. Refuses with `pin_limit`, and with `message_not_found` where it was deleted meanwhile; a
 * summary is no message that could be pinned.
 */
export const setPinned = async (context: ChatContext, row: MessageRow, pinned: boolean): Promise<void> => {
  if (row.role === 'summary') throw fail('message_not_found')
  if (!pinned) return context.store.pins.unpin(row.id)
  const outcome = await context.store.pins.pin(row, context.clock.now(), mostPins)
  if (outcome === 'full') throw fail('pin_limit')
  if (outcome === 'gone') throw fail('message_not_found')
}
