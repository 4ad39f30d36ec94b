/** Which of an account's chats cite a document, and which answers from before that was noted do. */
import { setTimeout as pause } from 'node:timers/promises'
import type { chatRoutes } from '@atrium/contract/chat'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { ChatContext } from '../context.ts'
import { citedOf } from '../sharing/redact.ts'
import { type MessageContent, openContent, openTitle } from '../stores/rows.ts'

export const citationHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'citing'>> => ({
  async citing({ params, query }, { caller }) {
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
    const rows = await context.store.citations.chats(caller.accountId, params.documentId, query.limit + 1, after)
    const page = cutPage(rows, query.limit, (row) => ({ time: row.created_at, id: row.message_id }))
    const keys = await context.vault.keyring(caller.accountId)
    const items = page.items.map((row) => ({
      chatId: row.chat_id,
      title: openTitle(keys, { id: row.chat_id, title: row.title }),
      answers: row.answers,
      messageId: row.message_id,
      answeredAt: toIsoTime(row.created_at),
    }))
    return { items, nextCursor: page.nextCursor }
  },
})

/** The documents that an answer cites, once each. */
export const citedDocuments = (content: MessageContent): string[] => [
  ...new Set(citedOf(content).flatMap(({ documentId }) => documentId ?? [])),
]

/** Answers that are opened at a time, and between two times a breath, so that others get a turn. */
const batchSize = 25
const breathMs = 15

/** Notes what answers cite that were written before it was noted with them. Every row says whether that is done. */
export const noteCitations = async (context: ChatContext, signal: AbortSignal): Promise<void> => {
  const until = AbortSignal.any([signal, context.closing])
  while (!until.aborted) {
    const rows = await context.store.citations.due(batchSize)
    const [first] = rows
    if (!first) return
    const keys = await context.vault.keyring(first.account_id)
    const cited = rows.map((row) => ({ id: row.id, documentIds: citedDocuments(openContent(keys, row)) }))
    await context.store.write(async (trx) => {
      for (const { id, documentIds } of cited) await context.store.citations.putIn(trx, id, documentIds)
      await context.store.citations.markNoted(
        trx,
        rows.map(({ id }) => id),
      )
    })
    await pause(breathMs, undefined, { signal: until, ref: false }).catch(() => undefined)
  }
}
