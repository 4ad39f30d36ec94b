/** The branches of a chat, each with its name and first words. Only those of the page that is asked for are opened. */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { type ChatContext, openChat } from '../context.ts'
import { firstWords } from '../rules.ts'
import { openBranchName, openText } from '../stores/rows.ts'
import { listBranches } from './branch-rows.ts'
import { messageCursor, readMessageCursor } from './serialise.ts'

export const branchMapHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'branchMap'>> => ({
  async branchMap({ params, query }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const branches = listBranches(await context.store.messages.listPlaces(chat.id), chat.active_leaf_id)
    const before = query.cursor === undefined ? null : readMessageCursor(query.cursor)
    const end = before === null ? branches.length : branches.findIndex(({ first }) => first.id === before)
    if (end < 0) throw fail('bad_cursor')
    const start = Math.max(0, end - query.limit)
    const page = branches.slice(start, end)
    const contents = await context.store.messages.contents(
      page.flatMap(({ first, answer }) => (answer ? [first.id, answer.id] : [first.id])),
    )
    const wordsOf = (id: string): string => {
      const row = contents.get(id)
      return row ? firstWords(openText(keys, row)) : ''
    }
    const nameOf = (id: string): string | null => {
      const row = contents.get(id)
      return row ? openBranchName(keys, row) : null
    }
    const items = page.map(({ first, answer, messageCount, pinnedCount, active, level }) => ({
      id: first.id,
      name: nameOf(first.id),
      role: first.role === 'user' ? ('user' as const) : ('assistant' as const),
      words: wordsOf(first.id),
      answer: answer && wordsOf(answer.id),
      messageCount,
      pinnedCount,
      active,
      level,
      createdAt: toIsoTime(first.created_at),
    }))
    const earliest = page[0]
    return {
      items,
      nextCursor: start > 0 && earliest ? messageCursor(earliest.first.id) : null,
      total: branches.length,
    }
  },
})
