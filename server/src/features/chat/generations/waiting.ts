/** Answers that ended because nobody had decided about a call, and are left behind. */
import type { Failure } from '@atrium/contract/generation'
import { isOwnCall } from '../../../core/generation/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { openContent, sealContent, waitsForDecision } from '../stores/rows.ts'
import type { MessageRow, SessionRow } from '../tables.ts'

/** Runs that go on with an answer that called tools: there is something before them even where it has no words. */
export const continuedKind = 'chat-continued'

/**
 * Ends what waits in a chat as denied: something else is asked in it, or it was stopped, or it goes away. `isMeant`: only
 * where it is this message that waits.
 */
export const denyWaiting = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  isMeant?: (row: MessageRow) => boolean | Promise<boolean>,
): Promise<void> => {
  if (!waitsForDecision(chat)) return
  const run = await context.generations.latestOfScope(chat.id, chat.account_id)
  if (run?.state !== 'waiting') return
  const row = await context.store.messages.read(chat.id, run.subjectId)
  if (isMeant && !(row && (await isMeant(row)))) return
  await context.tools?.denyWaiting(chat.account_id, run.subjectId)
  if (row) await endWaiting(context, keys, row, { status: 'cancelled', failure: null })
}

/** Once, in all processes. */
export const endWaiting = async (
  context: ChatContext,
  keys: Keyring,
  row: MessageRow,
  { status, failure }: { readonly status: 'cancelled' | 'failed'; readonly failure: Failure | null },
): Promise<void> => {
  const content = openContent(keys, row)
  const finishedAt = context.clock.now()
  const toolCalls = content.toolCalls.map((call) =>
    isOwnCall(call) && call.status === 'awaiting_approval' ? { ...call, status: 'denied' as const, finishedAt } : call,
  )
  const sealed = sealContent(keys, row.id, { ...content, toolCalls, failure })
  const change = await context.prepareChange(row.account_id, row.chat_id)
  const hasLeft = await context.store.write(async (trx) => {
    if (!(await context.store.messages.leaveWaitingIn(trx, row.id, { status, content: sealed }))) return false
    await context.store.sessions.updateIn(trx, row.chat_id, { needs_answer: 0 })
    await change.write(trx)
    return true
  })
  if (hasLeft) change.tell(context.store.sessions.read(row.chat_id, row.account_id))
}
