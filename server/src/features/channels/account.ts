/** What becomes of channels when an account goes, and what it takes along. */
import { jsonBytes } from '../../platform/archive/write.ts'
import type { ExportFiles } from '../../core/resources/index.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../platform/iso-time.ts'
import { type ChannelContext, writeIn } from './context.ts'
import { listDrafts } from './drafts.ts'
import { listScheduled } from './later/scheduled.ts'
import { stopAnswers } from './answers/ask.ts'
import { presentChannels, presentMessages, rowToMember } from './present.ts'
import { chooseHeir } from './rules.ts'
import { ofChannel } from './stores/preferences.ts'

const slice = 200

/**
 * What the account said stays, under nobody's name; a channel without an owner passes on, and one without anybody is
 * deleted. May be called again after a crash.
 */
export const removeFromChannels = async (context: ChannelContext, accountId: string): Promise<void> => {
  const { files, store } = context
  const ids = await store.channels.idsOf(accountId)
  for (const id of ids) {
    await leave(context, id, accountId)
    await stopAnswers(context, id, accountId)
  }
  // Before what is unsent: the files of scheduled messages are from then on.
  await store.later.removeOf(accountId)
  const unsent = await store.attachments.removeUnsent(await store.attachments.unsentIds(accountId))
  await files.remove(unsent)
  await store.attachments.forgetUploader(accountId)
  while (await store.reactions.removeOf(accountId, slice));
  while (await store.messages.forgetAuthor(accountId, slice));
  await store.mentions.forget(accountId)
  await store.answers.forgetAsker(accountId)
  await store.preferences.forget(accountId)
  await store.drafts.removeOf(accountId)
  await store.threads.forget(accountId)
  await store.channels.forgetCreator(accountId)
  await context.sweepSoon()
}

const leave = async (context: ChannelContext, channelId: string, accountId: string): Promise<void> => {
  const { clock, people, store } = context
  const heirs = await people.named(await store.members.heirsOf(channelId, accountId))
  await writeIn(context, channelId, async (trx, tell) => {
    const left = await store.members.removeFor(trx, channelId, accountId)
    await tell({ type: 'member-removed', data: { channelId, userId: accountId } })
    if (left.length === 0) {
      await store.channels.update(trx, channelId, { deleted_at: clock.now(), people: null })
      await tell({ type: 'channel-deleted', data: { channelId } }, true)
      return
    }
    if (left.some(({ role }) => role === 'owner')) return
    const heir = chooseHeir(left)
    if (!heir) return
    const changed = await store.members.changeRole(trx, channelId, heir.account_id, 'owner')
    if (typeof changed === 'object')
      await tell({ type: 'member-changed', data: { channelId, member: rowToMember(heirs, changed) } })
  })
}

/** One file of the channels that an account is in, and one for each with what it wrote there. */
export const exportChannels = (context: ChannelContext): ExportFiles =>
  async function* (accountId, signal) {
    const { clock, store } = context
    const own = {
      drafts: await listDrafts(context, accountId),
      scheduled: await listScheduled(context, accountId),
      reminders: (await store.later.remindersOf(accountId)).map((row) => ({
        channelId: row.channel_id,
        messageId: row.message_id,
        remindAt: toIsoTime(row.remind_at),
      })),
      preferences: (await store.preferences.listOf(accountId)).map((row) => ({
        channelId: row.channel_id,
        threadId: row.root_id === ofChannel ? null : row.root_id,
        level: row.level,
        mutedUntil: toIsoTimeOrNull(row.muted_until),
      })),
      threads: (await store.threads.listOf(accountId)).map((row) => ({
        channelId: row.channel_id,
        threadId: row.root_id,
        readSeq: row.read_seq,
      })),
    }
    for (const [name, items] of Object.entries(own))
      if (items.length > 0)
        yield { name: `channels/${name}.json`, modifiedAt: clock.now(), pack: true, content: jsonBytes(items) }
    for (let cursor: string | undefined, part = 1; ; part++) {
      signal.throwIfAborted()
      const { items, nextCursor } = await store.channels.page(accountId, slice, cursor)
      const channels = await presentChannels(context, items, accountId)
      if (channels.length > 0)
        yield {
          name: `channels/channels${part === 1 ? '' : `-${part}`}.json`,
          modifiedAt: clock.now(),
          pack: true,
          content: jsonBytes(channels),
        }
      for (const { id } of channels) {
        const content = writtenIn(context, id, accountId, signal)
        yield { name: `channels/${id}.jsonl`, modifiedAt: clock.now(), pack: true, content }
      }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  }

/** What somebody wrote in a channel, a line for each message. */
async function* writtenIn(
  context: ChannelContext,
  channelId: string,
  accountId: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const rows = await context.store.messages.byAuthor(channelId, accountId, after, slice)
    for (const message of await presentMessages(context, channelId, rows))
      yield Buffer.from(`${JSON.stringify(message)}\n`)
    const last = rows.at(-1)
    if (!last || rows.length < slice) return
    after = last.seq
  }
}
