/** Answers that ended because nobody had decided about a call go on with the decision: once, in whichever process. */
import { fail, isRefusal, type Refusal } from '../../../platform/http/refusal.ts'
import { toBillionths, toDecimal } from '../../../core/usage/index.ts'
import type { ChatContext } from '../context.ts'
import { pendingCalls } from '../../../core/generation/index.ts'
import { openContent } from '../stores/rows.ts'
import type { MessageRow } from '../tables.ts'
import { startAnswer } from './ask.ts'
import { waitUntilEnded } from './run-kind.ts'
import { endWaiting } from './waiting.ts'

/** How often it is looked again whether an answer waits by now: its run may still be ending. */
const mostLooks = 5

/**
 * Lets an answer go on once everything that it waits for is decided; nothing happens where it does not wait (any more).
 * Rejects where it should be tried again later.
 */
export const resumeWaiting = async (
  context: ChatContext,
  { accountId, subjectId }: { readonly accountId: string; readonly subjectId: string },
): Promise<void> => {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const row = await context.store.messages.anyOfId(subjectId)
    if (row?.account_id !== accountId || row.deleted_at !== null) return
    if (row.status === 'waiting' || (await wasInterruptedAsking(context, row))) return resume(context, row)
    if (row.status !== 'running') return
    // It was decided before the run that asked had ended.
    const run = await context.generations.latestOfSubject(subjectId, accountId)
    if (!run) return
    await waitUntilEnded(context, run)
  }
  throw fail('unavailable')
}

const resume = async (context: ChatContext, row: MessageRow): Promise<void> => {
  try {
    const resumes = row.status === 'waiting'
    const mostCost = await costLeft(context, row)
    await startAnswer(context, row.account_id, row.chat_id, { continueMessageId: row.id }, { resumes, mostCost })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (isLater(error)) throw error
    if (error.code === 'chat_not_found') return
    const keys = await context.vault.keyring(row.account_id)
    const failure = { code: error.code, detail: error.message }
    // Another question was asked while it began to wait: nothing goes on behind it any more.
    const end = overtaken.has(error.code) ? ({ status: 'cancelled', failure: null } as const) : null
    await endWaiting(context, keys, row, end ?? { status: 'failed', failure })
  }
}

/** What it may cost from here on. */
const costLeft = async (context: ChatContext, row: MessageRow): Promise<string | null> => {
  const asker = await context.askerOf.value?.({ chatId: row.chat_id, messageId: row.id })
  const most = asker?.mostCost ?? null
  if (most === null) return null
  const { usage } = openContent(await context.vault.keyring(row.account_id), row)
  const left = toBillionths(most) - toBillionths(usage?.cost?.amount ?? '0')
  return toDecimal(left > 0n ? left : 0n)
}

/** Whether its process died between asking and writing down that it had asked. */
const wasInterruptedAsking = async (context: ChatContext, row: MessageRow): Promise<boolean> => {
  if (row.status !== 'interrupted') return false
  const content = openContent(await context.vault.keyring(row.account_id), row)
  return pendingCalls(content).some(({ status, startedAt }) => status === 'unknown' && startedAt === undefined)
}

const overtaken: ReadonlySet<string> = new Set(['generation_running', 'nothing_to_continue'])

const isLater = ({ code }: Refusal): boolean => code === 'unavailable' || code === 'rate_limited'
