/** Removes what is older than its channel keeps: text, files, words, and what was told of it. */
import { forgetRuns } from './answers/ask.ts'
import { type ChannelContext, writeIn } from './context.ts'
import { withdrawMessage } from './notices.ts'
import { entryOf, placesOf } from './rules.ts'
import type { ChannelRow, MessageRow } from './tables.ts'

const dayMs = 24 * 60 * 60_000
const slice = 50

/** Goes through the channels that keep messages for so many days; a thread stays as long as its last reply. */
export const removeOld = async (context: ChannelContext, signal: AbortSignal): Promise<void> => {
  for (const channel of await context.store.channels.listKeeping()) {
    const before = context.clock.now() - (channel.retention_days ?? 0) * dayMs
    for (;;) {
      const rows = await context.store.messages.listOld(channel.id, before, slice)
      if (rows.length === 0) break
      signal.throwIfAborted()
      await remove(context, channel, rows)
    }
  }
}

const remove = async (context: ChannelContext, { id }: ChannelRow, rows: readonly MessageRow[]): Promise<void> => {
  const { files, indexes, notifications, store } = context
  const publisher = await notifications.publisher([])
  const ids = rows.map((row) => row.id)
  const answers = [...(await store.answers.ofMessages(rows)).keys()]
  await writeIn(context, id, async (trx, tell) => {
    const held = await store.attachments.ofMessages(rows, trx)
    await files.remove(
      [...held.values()].flat().map((attachment) => attachment.id),
      trx,
    )
    await indexes.texts.remove(ids.map(entryOf), trx)
    for (const row of rows) {
      const place = { channelId: id, messageId: row.id, parentId: row.parent_id }
      await tell.instead(placesOf(row), { type: 'message-deleted', data: place })
      await withdrawMessage(publisher, trx, row.id)
    }
    await store.messages.removeMany(trx, ids)
    await store.answers.removeMany(answers, trx)
    await tell({ type: 'channel-updated', data: { channelId: id } })
  })
  await publisher.tell()
  await forgetRuns(context, id, answers)
}
