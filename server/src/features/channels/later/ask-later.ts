/** Models that are to answer a message which is sent later: they are asked once it is there. */
import type { Selection } from '@atrium/contract/common'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { startAnswers } from '../answers/ask.ts'
import { requireModel } from '../answers/prepare.ts'
import type { ChannelContext } from '../context.ts'
import type { ScheduledRow } from '../own-tables.ts'

/** The message is sent, and nobody can be asked about it any more. */
const final: ReadonlySet<string> = new Set(['channel_not_found', 'channel_archived', 'channel_message_not_found'])

/** Begins the answers that are not there yet; one whose model is not available any more says so in its place. */
export const askLater = async (
  context: ChannelContext,
  row: Pick<ScheduledRow, 'id' | 'account_id'>,
  models: readonly Selection[],
): Promise<void> => {
  if (models.length === 0) return
  const question = await context.store.messages.find(row.id)
  if (!question || question.deleted_at !== null) return
  const asked = await Promise.all(
    models.map(async (selection) => ({ selection, name: await nameOf(context, row.account_id, selection) })),
  )
  try {
    await startAnswers(context, question, row.account_id, asked)
  } catch (error) {
    if (!isRefusal(error) || !final.has(error.code)) throw error
  }
}

const nameOf = async (context: ChannelContext, accountId: string, selection: Selection): Promise<string> => {
  try {
    return (await requireModel(context, accountId, selection)).name
  } catch (error) {
    if (!isRefusal(error)) throw error
    return selection.model
  }
}
