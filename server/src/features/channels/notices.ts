/**
 * Who is told of a message, and as what: whom it names, the others of a direct message, and those who wrote in its thread.
 * They are told in the transaction that writes it; where everybody of a large channel is called, a job goes on from there.
 */
import type { ChannelPerson } from '@atrium/contract/channels'
import { z } from 'zod'
import type { Publication, Publisher } from '../../core/notifications/index.ts'
import { type AnyTransaction, inTables } from '../../platform/db/types.ts'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import type { ChannelContext } from './context.ts'
import { openName } from './present.ts'
import { everybody, isDirect, ownerOf } from './rules.ts'
import type { ChannelRow, ChannelTables, MessageRow } from './tables.ts'

export const callJob = 'channels.call'

/** So many are told in the transaction itself. */
const mostAtOnce = 50

type Told = Pick<MessageRow, 'id' | 'channel_id' | 'parent_id' | 'author_id'>

/** The source of what somebody is told of a message. */
export const sourceOf = (messageId: string): string => `channel-message:${messageId}`
/** What all notices of a channel are about. */
export const aboutOf = (channelId: string): string => `channel:${channelId}`

export interface Notices {
  /** Tells everybody whom it concerns; within the transaction. */
  publish(trx: AnyTransaction): Promise<void>
  /** To be called after the transaction. */
  tell(): Promise<void>
}

/**
 * Prepares to tell of a message. `named`: whom it names, with `*` for everybody. `before`: of a message that is changed,
 * its number, as whoever wrote in the thread later was not told of it; `gone`: whom it named and does not name now.
 */
export const prepareNotices = async (
  context: ChannelContext,
  channel: ChannelRow,
  message: Told,
  said: { readonly text: string; readonly author: ChannelPerson | undefined; readonly named: readonly string[] },
  changed?: { readonly before: number; readonly gone: readonly string[] },
): Promise<Notices> => {
  const { jobs, notifications, store } = context
  const kinds = await chooseRecipients(context, channel, message, said.named, changed?.before)
  const callsMany = said.named.includes(everybody) && channel.member_count > mostAtOnce
  const write = await publicationOf(context, channel, message, said)
  const publisher = await notifications.publisher([...kinds.keys()])
  return {
    async publish(trx) {
      for (const accountId of changed?.gone ?? [])
        if (!kinds.has(accountId)) await publisher.withdraw(trx, { sourceKeys: [sourceOf(message.id)], accountId })
      // Whoever was removed a moment ago is told nothing any more.
      const members = await store.members.among(channel.id, [...kinds.keys()], inTables<ChannelTables>(trx))
      for (const accountId of members) {
        const kind = kinds.get(accountId)
        if (kind) await publisher.publish(trx, write(accountId, kind))
      }
    },
    async tell() {
      await publisher.tell()
      if (callsMany && !changed)
        await jobs.enqueue(callJob, { messageId: message.id }, { accountId: null, key: message.id })
    },
  }
}

type Kind = 'mention' | 'direct-message' | 'thread-reply'

const chooseRecipients = async (
  { store }: ChannelContext,
  channel: ChannelRow,
  message: Told,
  named: readonly string[],
  before = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, Kind>> => {
  const kinds = new Map<string, Kind>()
  if (message.parent_id !== null) {
    const writers = await store.messages.writersIn(message.parent_id, before, mostAtOnce)
    for (const id of await store.members.among(channel.id, writers)) kinds.set(id, 'thread-reply')
  }
  if (isDirect(channel.type)) for (const id of await store.members.idsOf(channel.id)) kinds.set(id, 'direct-message')
  else {
    const all = named.includes(everybody) && channel.member_count <= mostAtOnce
    for (const id of all ? await store.members.idsOf(channel.id) : []) kinds.set(id, 'mention')
    for (const id of named) if (id !== everybody) kinds.set(id, 'mention')
  }
  kinds.delete(message.author_id ?? '')
  return kinds
}

const publicationOf = async (
  { vault }: ChannelContext,
  channel: ChannelRow,
  { id: messageId, parent_id: parentId }: Told,
  { text, author }: { readonly text: string; readonly author: ChannelPerson | undefined },
) => {
  const name = openName(await vault.keyring(ownerOf(channel.id)), channel)
  const source = { sourceKey: sourceOf(messageId), about: aboutOf(channel.id) }
  const facts = { channelId: channel.id, messageId, parentId, channel: name, by: author?.name ?? '', text }
  return (accountId: string, kind: Kind): Publication => ({ accountId, kind, facts, ...source })
}

/** Prepares to tell people that somebody let them into a channel; once more where they had left it. */
export const prepareInvitations = async (
  { notifications, people, vault }: ChannelContext,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  byId: string,
  accountIds: readonly string[],
): Promise<Notices> => {
  const others = accountIds.filter((id) => id !== byId)
  const publisher = await notifications.publisher(others)
  const by = (await people.named([byId])).get(byId)?.name ?? ''
  const facts = { channelId: channel.id, channel: openName(await vault.keyring(ownerOf(channel.id)), channel), by }
  const source = { sourceKey: `channel-member:${channel.id}`, about: aboutOf(channel.id), again: true }
  return {
    async publish(trx) {
      for (const accountId of others)
        await publisher.publish(trx, { accountId, kind: 'channel-invitation', facts, ...source })
    },
    tell: publisher.tell,
  }
}

/** Takes back what was told of a message that is deleted. */
export const withdrawMessage = (publisher: Publisher, trx: AnyTransaction, messageId: string): Promise<void> =>
  publisher.withdraw(trx, { sourceKeys: [sourceOf(messageId)] })

/** Tells everybody of a large channel that they are called, some at a time. */
export const callJobs = (context: ChannelContext): JobHandlers => ({
  [callJob]: defineJob({
    payload: z.strictObject({ messageId: z.string() }),
    attempts: 5,
    timeoutMs: 10 * 60_000,
    async run({ messageId }, { signal }) {
      const { database, notifications, people, store, vault } = context
      const row = await store.messages.find(messageId)
      const channel = row && (await store.channels.find(row.channel_id))
      if (!row || !channel || row.content === null) return
      const keys = await vault.keyring(ownerOf(channel.id))
      const author = row.author_id === null ? undefined : (await people.named([row.author_id])).get(row.author_id)
      const text = keys.open('channel_messages.content', row.id, row.content)
      const write = await publicationOf(context, channel, row, { text, author })
      for (let cursor: string | undefined; ; ) {
        signal.throwIfAborted()
        const { items, nextCursor } = await store.members.page(channel.id, mostAtOnce, cursor)
        const ids = items.flatMap(({ account_id: id }) => (id === row.author_id ? [] : [id]))
        const publisher = await notifications.publisher(ids)
        await database.write<ChannelTables, void>(async (trx) => {
          // One that was deleted meanwhile calls nobody any more.
          const fresh = await store.messages.findIn(trx, row.id)
          if (!fresh || fresh.deleted_at !== null) return
          for (const id of await store.members.among(channel.id, ids, trx))
            await publisher.publish(trx, write(id, 'mention'))
        })
        await publisher.tell()
        if (nextCursor === null) return
        cursor = nextCursor
      }
    },
  }),
})
