/**
 * Messages that are sent at a time. The row becomes the message of its id: a job that is tried again, or two processes at
 * once, send it once. Rights are asked for when it is sent; what may not be sent any more stays, and its writer is told.
 */
import {
  type ChannelAttachment,
  longestLaterMs,
  mostScheduled,
  type ScheduledMessage,
  type channelsRoutes,
} from '@atrium/contract/channels'
import { Selection } from '@atrium/contract/common'
import { z } from 'zod'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { type JobHandlers, type JobInTransaction, defineJob } from '../../../platform/jobs/types.ts'
import { readableOf } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChannelContext } from '../context.ts'
import { findModels, requireWords, requireWriter, storeMessage } from '../messages/post.ts'
import { askLater } from './ask-later.ts'
import { openName, presentMessage, rowToAttachment } from '../present.ts'
import { ownerOf } from '../rules.ts'
import type { ScheduledRow } from '../own-tables.ts'
import type { ChannelTables } from '../tables.ts'

export const sendJob = 'channels.send'

type Routes = Pick<typeof channelsRoutes, 'scheduled' | 'schedule' | 'reschedule' | 'sendScheduled' | 'unschedule'>

export const scheduledHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { clock, store, vault } = context

  /** Refuses with `channel_scheduled_not_found` for what is another account's. */
  const findOwn = async (accountId: string, id: string): Promise<ScheduledRow> => {
    const row = await store.later.findScheduled(id)
    if (row?.account_id !== accountId) throw fail('channel_scheduled_not_found')
    return row
  }
  const change = async (
    row: ScheduledRow,
    values: Partial<ScheduledRow>,
    job?: JobInTransaction,
  ): Promise<ScheduledRow> => {
    const changed = await store.later.changeScheduled(row.id, row.version, values, job)
    if (!changed) throw fail('conflict')
    return changed
  }

  return {
    async scheduled(_input, { caller }) {
      return { items: await listScheduled(context, caller.accountId), nextCursor: null }
    },

    async schedule({ body }, { resource, caller: { accountId } }) {
      requireWords(body.content, body.attachmentIds)
      const { channel } = await requireWriter(context, resource.id, accountId)
      if (channel.archived_at !== null) throw fail('channel_archived')
      const parent = body.parentId === undefined ? null : await store.messages.find(body.parentId)
      if (body.parentId !== undefined && (parent?.channel_id !== channel.id || parent.parent_id !== null))
        throw fail('channel_message_not_found')
      const id = body.id ?? clock.id()
      const files = [...new Set(body.attachmentIds ?? [])]
      if ((await store.messages.find(id)) !== null) throw fail('id_reused')
      const models = await findModels(context, accountId, { models: body.models })
      const now = clock.now()
      const keys = await vault.keyring(accountId)
      const row: ScheduledRow = {
        id,
        account_id: accountId,
        channel_id: channel.id,
        parent_id: body.parentId ?? null,
        in_channel: body.inChannel ? 1 : 0,
        content: keys.seal('channel_scheduled.content', id, body.content),
        attachment_count: files.length,
        models: models.length === 0 ? null : JSON.stringify(models.map(({ selection }) => selection)),
        send_at: readTime(body.sendAt, 'body.sendAt', now),
        state: 'waiting',
        failure: null,
        version: 1,
        created_at: now,
      }
      const job = await prepareSend(context, row)
      const outcome = await store.later.insertScheduled(row, { most: mostScheduled, files, job })
      if (outcome === 'full') throw fail('channel_scheduled_limit')
      if (outcome === 'there') throw fail('id_reused')
      if (outcome === 'no_file') throw fail('channel_attachment_not_found')
      await job.tell()
      await announceLater(context, accountId)
      return await presentScheduled(context, keys, row)
    },

    async reschedule({ params: { scheduledId }, body }, { caller: { accountId } }) {
      const before = await findOwn(accountId, scheduledId)
      if (before.version !== body.version) throw fail('conflict')
      if (body.content === '' && before.attachment_count === 0) requireWords(body.content)
      const keys = await vault.keyring(accountId)
      const sendAt = body.sendAt === undefined ? before.send_at : readTime(body.sendAt, 'body.sendAt', clock.now())
      const job = await prepareSend(context, { id: scheduledId, send_at: sendAt })
      const values: Partial<ScheduledRow> = {
        // What failed is tried again.
        state: 'waiting',
        failure: null,
        send_at: sendAt,
        content:
          body.content === undefined
            ? before.content
            : keys.seal('channel_scheduled.content', scheduledId, body.content),
      }
      const row = await change(before, values, job)
      await job.tell()
      await announceLater(context, accountId)
      return await presentScheduled(context, keys, row)
    },

    async sendScheduled({ params: { scheduledId } }, { caller: { accountId } }) {
      const before = await findOwn(accountId, scheduledId)
      const row = before.state === 'sending' ? before : await change(before, { state: 'sending' })
      const refusal = await send(context, row)
      if (refusal) {
        await giveUp(context, row, refusal, { tells: false })
        throw fail(refusal)
      }
      const sent = await store.messages.find(scheduledId)
      if (!sent) throw fail('channel_message_not_found')
      return await presentMessage(context, sent)
    },

    async unschedule({ params: { scheduledId } }, { caller: { accountId } }) {
      await findOwn(accountId, scheduledId)
      if (!(await store.later.removeScheduled(scheduledId, clock.now()))) throw fail('conflict')
      await announceLater(context, accountId)
      return {}
    },
  }
}

export const scheduledJobs = (context: ChannelContext): JobHandlers => ({
  [sendJob]: defineJob({
    payload: z.strictObject({ id: z.string() }),
    // The waits grow to five minutes: nobody else sends it.
    attempts: 20,
    timeoutMs: 60_000,
    async run({ id }) {
      const { clock, jobs, store } = context
      const there = await store.later.findScheduled(id)
      if (!there || there.state === 'failed') return
      const waitMs = there.send_at - clock.now()
      if (waitMs > 0) {
        // Moved to another time, or the clock was put back.
        await jobs.enqueue(sendJob, { id }, { accountId: null, delayMs: waitMs })
        return
      }
      const row =
        there.state === 'sending' ? there : await store.later.changeScheduled(id, there.version, { state: 'sending' })
      if (!row) return
      const refusal = await send(context, row)
      if (refusal) await giveUp(context, row, refusal, { tells: true })
    },
  }),
})

/** All that an account sends later. */
export const listScheduled = async (context: ChannelContext, accountId: string): Promise<ScheduledMessage[]> => {
  const keys = await context.vault.keyring(accountId)
  const rows = await context.store.later.scheduledOf(accountId)
  const files = await filesOf(context, rows)
  return readableOf(rows, (row) => rowToScheduled(keys, row, files.get(row.id) ?? []))
}

const presentScheduled = async (context: ChannelContext, keys: Keyring, row: ScheduledRow): Promise<ScheduledMessage> =>
  rowToScheduled(keys, row, (await filesOf(context, [row])).get(row.id) ?? [])

/** The files of scheduled messages, which are sealed with the keys of their channels. */
const filesOf = async (
  { store, vault }: ChannelContext,
  rows: readonly ScheduledRow[],
): Promise<Map<string, ChannelAttachment[]>> => {
  const held = await store.attachments.ofScheduled(
    rows.flatMap(({ id, attachment_count: count }) => (count > 0 ? [id] : [])),
  )
  const files = new Map<string, ChannelAttachment[]>()
  for (const [id, attachments] of held) {
    const keys = await vault.keyring(ownerOf(attachments[0]?.channel_id ?? ''))
    files.set(
      id,
      attachments.map((attachment) => rowToAttachment(keys, attachment)),
    )
  }
  return files
}

/** Tells the pages of an account that what it sends later, or is reminded of, changed. */
export const announceLater = ({ announce }: ChannelContext, accountId: string): Promise<void> =>
  announce(accountId, { type: 'channel-later-changed', data: {} })

/** A time to come, at most a year away. Refuses with `validation_failed`. */
export const readTime = (time: string, path: string, now: number): number => {
  const at = Date.parse(time)
  if (at > now && at <= now + longestLaterMs) return at
  throw fail('validation_failed', undefined, [
    { path, message: at > now ? 'at most a year from now' : 'this time is over' },
  ])
}

const prepareSend = ({ clock, jobs }: ChannelContext, { id, send_at }: Pick<ScheduledRow, 'id' | 'send_at'>) =>
  jobs.prepare(sendJob, { id }, Math.max(0, send_at - clock.now()))

/** Sends one; gives why not, or null. Whoever is not active any more writes nothing. */
const send = async (context: ChannelContext, row: ScheduledRow) => {
  const { people, store, vault } = context
  if (!(await people.find(row.account_id))) return 'channel_not_found'
  try {
    const { channel, member } = await requireWriter(context, row.channel_id, row.account_id)
    const keys = await vault.keyring(row.account_id)
    const held = (await store.attachments.ofScheduled([row.id])).get(row.id) ?? []
    const isSent = (await store.messages.find(row.id)) !== null
    // It is not sent without what its writer meant it to bring.
    if (held.length < row.attachment_count && !isSent) return 'channel_attachment_not_found'
    const models = modelsOf(row)
    const outcome = await storeMessage(context, channel, member, {
      id: row.id,
      content: keys.open('channel_scheduled.content', row.id, row.content),
      ...(held.length === 0 ? {} : { attachmentIds: held.map(({ id }) => id) }),
      ...(row.parent_id === null ? {} : { parentId: row.parent_id, inChannel: row.in_channel === 1 }),
      ...(models.length === 0 ? {} : { models }),
    })
    // Sent by a try before this one, and edited or deleted since.
    if (typeof outcome === 'string' && outcome !== 'id_reused') return outcome
    await askLater(context, row, models)
    await store.later.endScheduled(row.id)
    await announceLater(context, row.account_id)
    return null
  } catch (error) {
    if (isRefusal(error) && (error.code === 'channel_not_found' || error.code === 'channel_muted')) return error.code
    throw error
  }
}

/** It stays with its words and the reason; its writer is told, unless they see it. */
const giveUp = async (
  context: ChannelContext,
  row: ScheduledRow,
  reason: string,
  { tells }: { readonly tells: boolean },
): Promise<void> => {
  const { database, notifications, store, vault } = context
  const publisher = await notifications.publisher([row.account_id])
  const keys = await vault.keyring(row.account_id)
  const channel = await store.channels.find(row.channel_id)
  const isMember = (await store.members.find(row.channel_id, row.account_id)) !== null
  const facts = {
    channelId: row.channel_id,
    scheduledId: row.id,
    channel: channel && isMember ? openName(await vault.keyring(ownerOf(channel.id)), channel) : '',
    text: keys.open('channel_scheduled.content', row.id, row.content),
    reason,
  }
  await database.write<ChannelTables, void>(async (trx) => {
    if (!(await store.later.failScheduled(trx, row.id, reason)) || !tells) return
    const source = { sourceKey: `channel-scheduled:${row.id}`, again: true }
    await publisher.publish(
      trx,
      Object.assign({ accountId: row.account_id, kind: 'message-not-sent' as const, facts }, source),
    )
  })
  await publisher.tell()
  await announceLater(context, row.account_id)
}

const modelsOf = ({ models }: Pick<ScheduledRow, 'models'>): Selection[] =>
  models === null ? [] : z.array(Selection).parse(JSON.parse(models))

const rowToScheduled = (
  keys: Keyring,
  row: ScheduledRow,
  attachments: readonly ChannelAttachment[],
): ScheduledMessage => ({
  id: row.id,
  channelId: row.channel_id,
  parentId: row.parent_id,
  inChannel: row.in_channel === 1,
  content: keys.open('channel_scheduled.content', row.id, row.content),
  attachments: [...attachments],
  models: modelsOf(row),
  sendAt: toIsoTime(row.send_at),
  state: row.state,
  failure: row.failure,
  version: row.version,
})
