/**
 * Who is told of a message, and as what: whom it names, the others of a direct message, those who wrote in its thread, who
 * watches a word of it, and who wants to hear everything; unless they chose otherwise for the channel or the thread. They
 * are told in the transaction that writes it; where they are many, a job goes on from there.
 */
import type { ChannelPerson } from '@atrium/contract/channels'
import { z } from 'zod'
import type { Publication, Publisher } from '../../core/notifications/index.ts'
import { type AnyTransaction, inTables } from '../../platform/db/types.ts'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import type { ChannelContext } from './context.ts'
import { findCalled, toMentionRows } from './messages/mentions.ts'
import { openName } from './present.ts'
import { everybody, isDirect, isMark, isWanted, type NoticeKind, ownerOf } from './rules.ts'
import { mostMembers } from './stores/members.ts'
import { ofChannel } from './stores/preferences.ts'
import type { ChannelRow, ChannelTables, MessageRow } from './tables.ts'

export const callJob = 'channels.call'

/** So many are told in the transaction itself. */
const mostAtOnce = 10
/** Whether those whom a message calls are told, and counted, with it; else the job does so. */
export const isFew = (called: ReadonlyMap<string, string>): boolean => called.size <= mostAtOnce

type Told = Pick<MessageRow, 'id' | 'channel_id' | 'parent_id' | 'author_id' | 'shown'>

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
  said: Said,
  changed?: { readonly before: number; readonly gone: readonly string[] },
): Promise<Notices> => {
  const { jobs, notifications, store } = context
  const { kinds: all, more } = await chooseRecipients(context, channel, message, said, { before: changed?.before })
  const goesOn = more && !changed
  // The job tells the others, each as what fits best: told as less before, they would not be told again.
  const kinds = goesOn ? new Map([...all].filter(([, kind]) => kind === 'mention')) : all
  const write = await publicationOf(context, channel, message, said)
  const publisher = await notifications.publisher([...kinds.keys()])
  const rest = goesOn ? await jobs.prepare(callJob, { messageId: message.id }) : null
  return {
    async publish(trx) {
      await rest?.write(trx)
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
      await rest?.tell()
    },
  }
}

interface Said {
  readonly text: string
  readonly author: ChannelPerson | undefined
  readonly named: readonly string[]
  /** Beside them, by what it calls (`findCalled`). */
  readonly called: ReadonlyMap<string, string>
}

/**
 * Who is told, and as what: the last that fits. `more`: there are more of them than are told in a transaction, and the
 * job asks again for each slice of the members (`among`).
 */
const chooseRecipients = async (
  { clock, notifications, store }: ChannelContext,
  channel: ChannelRow,
  message: Told,
  { text, named, called }: Said,
  { before = Number.MAX_SAFE_INTEGER, among }: { readonly before?: number | undefined; readonly among?: string[] },
): Promise<{ kinds: ReadonlyMap<string, NoticeKind>; more: boolean }> => {
  const kinds = new Map<string, NoticeKind>()
  let more = false
  const most = among ? Number.MAX_SAFE_INTEGER : mostAtOnce
  const { id: channelId } = channel
  const rootId = message.parent_id
  /** Those of some accounts who are in the channel, unless there are too many. */
  const add = (ids: readonly string[], kind: NoticeKind) => {
    const wanted = among ? ids.filter((id) => among.includes(id)) : ids
    more ||= wanted.length > most
    for (const id of wanted.slice(0, most)) kinds.set(id, kind)
  }
  if (message.shown === 1)
    add(await store.preferences.whoHearsAll(channelId, ofChannel, among ? mostMembers : most + 1), 'channel-post')
  if (rootId !== null) {
    const writers = await store.messages.writersIn(rootId, before, mostAtOnce)
    const followers = await store.preferences.whoHearsAll(channelId, rootId, among ? mostMembers : most + 1)
    add(await store.members.among(channelId, [...new Set([...writers, ...followers])]), 'thread-reply')
  }
  for await (const watchers of notifications.watchersOf(text, among ?? null)) {
    add(await store.members.among(channelId, watchers), 'keyword')
    if (more) break
  }
  if (isDirect(channel.type)) add(among ?? (await store.members.idsOf(channelId)), 'direct-message')
  if (named.includes(everybody)) {
    if (among) add(among, 'mention')
    else if (channel.member_count > mostAtOnce) more = true
    else add(await store.members.idsOf(channelId), 'mention')
  }
  add([...called.keys()], 'mention')
  for (const id of named) if (!isMark(id) && (!among || among.includes(id))) kinds.set(id, 'mention')
  kinds.delete(message.author_id ?? '')
  // What was said before somebody came may not be for them, whatever it says by now. A new message is there for all.
  if (before < Number.MAX_SAFE_INTEGER)
    for (const id of await store.history.shutOut(channelId, [...kinds.keys()], before)) kinds.delete(id)
  const chosen = await store.preferences.ofPeople(channelId, rootId, [...kinds.keys()])
  for (const [id, kind] of kinds) {
    const of = (root: string) => chosen.find((row) => row.account_id === id && row.root_id === root)
    const own = { channel: of(ofChannel), thread: rootId === null ? undefined : of(rootId) }
    if (!isWanted(kind, own, clock.now())) kinds.delete(id)
  }
  return { kinds, more }
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
  return (accountId: string, kind: NoticeKind): Publication => ({ accountId, kind, facts, ...source })
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
  publisher.withdraw(trx, { sourceKeys: [sourceOf(messageId), `channel-reminder:${messageId}`] })

/** Tells those of a large channel whom a message concerns, some at a time. */
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
      const named = ((await store.mentions.ofMessages([row])).get(row.id) ?? []).map(({ account_id: id }) => id)
      const write = await publicationOf(context, channel, row, { text, author })
      for (let cursor: string | undefined; ; ) {
        signal.throwIfAborted()
        const { items, nextCursor } = await store.members.page(channel.id, mostAtOnce, cursor)
        const among = items.map(({ account_id: id }) => id)
        const called = await findCalled(context, channel, row.author_id, named, among)
        const said = { text, author, named, called }
        const { kinds } = await chooseRecipients(context, channel, row, said, { before: row.seq, among })
        const publisher = await notifications.publisher([...kinds.keys()])
        await database.write<ChannelTables, void>(async (trx) => {
          // One that was deleted meanwhile calls nobody any more.
          const fresh = await store.messages.findIn(trx, row.id)
          if (!fresh || fresh.deleted_at !== null) return
          await store.mentions.add(trx, toMentionRows(row, row.author_id ?? '', [], called))
          for (const id of await store.members.among(channel.id, [...kinds.keys()], trx)) {
            const kind = kinds.get(id)
            if (kind) await publisher.publish(trx, write(id, kind))
          }
        })
        await publisher.tell()
        if (nextCursor === null) return
        cursor = nextCursor
      }
    },
  }),
})
