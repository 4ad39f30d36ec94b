/** Reminders of messages: a notification at a time, once. */
import type { channelsRoutes } from '@atrium/contract/channels'
import { z } from 'zod'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { type JobHandlers, defineJob } from '../../../platform/jobs/types.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { type ChannelContext, openMessage } from '../context.ts'
import { aboutOf } from '../notices.ts'
import { openName, presentMessage } from '../present.ts'
import { ownerOf } from '../rules.ts'
import type { ChannelTables } from '../tables.ts'
import { announceLater, readTime } from './scheduled.ts'

export const remindJob = 'channels.remind'

type Routes = Pick<typeof channelsRoutes, 'reminders' | 'remind' | 'forgetReminder'>

export const reminderHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { clock, jobs, store } = context
  return {
    async reminders(_input, { caller: { accountId } }) {
      const [rows, floors] = await Promise.all([store.later.remindersOf(accountId), store.history.floorsOf(accountId)])
      const items = await Promise.all(
        rows.map(async ({ message_id: id, remind_at: at }) => {
          const row = await store.messages.find(id)
          const isReadable = row !== null && row.seq > (floors.get(row.channel_id)?.seq ?? 0)
          return isReadable ? [{ message: await presentMessage(context, row), remindAt: toIsoTime(at) }] : []
        }),
      )
      return { items: items.flat(), nextCursor: null }
    },

    async remind({ params: { messageId }, body }, { caller }) {
      const { row } = await openMessage(context, caller, messageId)
      if (row.deleted_at !== null) throw fail('channel_message_not_found')
      const { accountId } = caller
      const now = clock.now()
      const at = readTime(body.remindAt, 'body.remindAt', now)
      const place = { account_id: accountId, message_id: row.id, channel_id: row.channel_id, remind_at: at }
      const job = await jobs.prepare(remindJob, { accountId, messageId }, at - now)
      if (!(await store.later.putReminder(place, job))) throw fail('channel_reminder_limit')
      await job.tell()
      await announceLater(context, accountId)
      return { message: await presentMessage(context, row), remindAt: toIsoTime(at) }
    },

    async forgetReminder({ params: { messageId } }, { caller }) {
      await openMessage(context, caller, messageId)
      await store.later.removeReminder(caller.accountId, messageId)
      await announceLater(context, caller.accountId)
      return {}
    },
  }
}

export const reminderJobs = (context: ChannelContext): JobHandlers => ({
  [remindJob]: defineJob({
    payload: z.strictObject({ accountId: z.string(), messageId: z.string() }),
    // The waits grow to five minutes: nobody else reminds.
    attempts: 20,
    timeoutMs: 60_000,
    async run({ accountId, messageId }) {
      const { clock, database, jobs, notifications, people, store, vault } = context
      const waitMs = ((await store.later.remindsAt(accountId, messageId)) ?? 0) - clock.now()
      if (waitMs > 0) {
        // Moved to another time, or the clock was put back.
        await jobs.enqueue(remindJob, { accountId, messageId }, { accountId: null, delayMs: waitMs })
        return
      }
      const row = await store.messages.find(messageId)
      const channel = row && (await store.channels.find(row.channel_id))
      const member = row && (await store.members.find(row.channel_id, accountId))
      const floor = row ? await store.history.floorOf(row.channel_id, accountId) : 0
      const publisher = await notifications.publisher([accountId])
      const keys = channel && (await vault.keyring(ownerOf(channel.id)))
      const answer = row && row.author_id === null ? await store.answers.find(row.id) : null
      const author = row?.author_id ? (await people.named([row.author_id])).get(row.author_id) : undefined
      await database.write<ChannelTables, void>(async (trx) => {
        if (!(await store.later.takeReminder(trx, accountId, messageId, clock.now()))) return
        // Gone meanwhile, or not for this account any more.
        if (!row || row.content === null || row.seq <= floor || !channel || !member || !keys) return
        await publisher.publish(trx, {
          accountId,
          kind: 'message-reminder',
          sourceKey: `channel-reminder:${messageId}`,
          about: aboutOf(channel.id),
          again: true,
          facts: {
            channelId: channel.id,
            messageId,
            parentId: row.parent_id,
            channel: openName(keys, channel),
            by: author?.name ?? answer?.name ?? '',
            text: openWords(keys, 'channel_messages.content', row.id, row.content),
          },
        })
      })
      await publisher.tell()
      await announceLater(context, accountId)
    },
  }),
})
