/** What channels need of others, and what their modules share. */
import type { ChannelEvent, ChannelPerson } from '@atrium/contract/channels'
import type { Right } from '@atrium/contract/resources'
import type { Access } from '../../core/access/index.ts'
import type { Generations, ResolveModel, UsableModel } from '../../core/generation/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { PresenceArea } from '../../core/presence/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import { isRefusal, fail } from '../../platform/http/refusal.ts'
import type { AuthorisedResource, Caller } from '../../platform/http/area.ts'
import type { Appender } from '../../platform/events/types.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Slot } from '../../platform/slot.ts'
import { ownerOf, streamOf } from './rules.ts'
import type { ChannelStores } from './stores/index.ts'
import type { ChannelTransaction } from './stores/channels.ts'
import type { ChannelRow, ChannelTables, MessageRow } from './tables.ts'

/** A message was written. */
export interface PostedMessage {
  readonly channelId: string
  readonly messageId: string
}

export interface ChannelsDeps
  extends Pick<
    Platform,
    'announce' | 'audit' | 'clock' | 'database' | 'events' | 'files' | 'indexes' | 'jobs' | 'log' | 'signals' | 'vault'
  > {
  readonly access: Pick<Access, 'announceReach' | 'authorise'>
  readonly people: {
    /** An active account, or null. */
    find(accountId: string): Promise<ChannelPerson | null>
    /** Accounts by id, active or not. */
    named(accountIds: readonly string[]): Promise<ReadonlyMap<string, ChannelPerson>>
    /** Whose user name it is, or null. */
    byUsername(username: string): Promise<string | null>
  }
  readonly groups: Pick<GroupsArea, 'list' | 'memberIds' | 'names'>
  /** Those of some accounts whom others see to be there. */
  readonly listPresent: PresenceArea['listPresent']
  readonly notifications: Pick<Notifications, 'publisher' | 'watchersOf'>
  /** Whoever waits for messages. */
  readonly watch: Slot<EventWatch<PostedMessage>>
  readonly generations: Generations
  readonly resolveModel: ResolveModel
  /** The model that an account’s chats begin with; null: there is none, or it cannot be asked now. */
  readonly defaultModel: (accountId: string) => Promise<UsableModel | null>
  /** Notes which model an account used last. */
  readonly modelUsed: Settings['rememberModel']
  /** How much an account may keep in files; 0: as much as it likes. */
  readonly quotaBytes: () => Promise<number>
}

export interface ChannelContext extends ChannelsDeps {
  readonly store: ChannelStores
  /** Has what was deleted removed now, and not when the next turn comes. */
  readonly sweepSoon: () => Promise<void>
}

/** The channel that a path names, which was there when the right to it was looked at. Refuses with `channel_not_found`. */
export const requireChannel = async ({ store }: ChannelContext, channelId: string): Promise<ChannelRow> => {
  const channel = await store.channels.find(channelId)
  if (!channel) throw fail('channel_not_found')
  return channel
}

/**
 * The message of an id, for a caller with this right to its channel. Whoever may not read the channel is told what
 * everybody is told of a message that is not there. Refuses with `channel_message_not_found`, `right_missing`.
 */
export const openMessage = async (
  context: ChannelContext,
  caller: Caller,
  messageId: string,
  right: Right = 'read',
): Promise<{ readonly row: MessageRow; readonly resource: AuthorisedResource }> => {
  const row = await context.store.messages.find(messageId)
  if (!row) throw fail('channel_message_not_found')
  try {
    const named = { resource: 'channel', id: 'channelId', right } as const
    const resource = await context.access.authorise(caller, named, row.channel_id)
    // What was said before somebody came may not be for them.
    if (row.seq <= (await context.store.history.floorOf(row.channel_id, caller.accountId)))
      throw fail('channel_message_not_found')
    return { row, resource }
  } catch (error) {
    if (isRefusal(error) && error.code === 'channel_not_found') throw fail('channel_message_not_found')
    throw error
  }
}

/**
 * Writes rows and what happened in a channel in one transaction, and tells who follows it. Give the line `audit` where
 * `work` writes to the audit.
 */
export const writeIn = async <T>(
  context: ChannelContext,
  channelId: string,
  work: (trx: ChannelTransaction, tell: AppendEvent) => Promise<T>,
  line = streamOf(channelId),
): Promise<T> => {
  const prepared = await prepareEvents(context, channelId)
  const result = await context.database.write<ChannelTables, T>((trx) => work(trx, prepared.in(trx)), line)
  await prepared.announce()
  return result
}

/** For a transaction of somebody else: what is told within it, and afterwards that it was. */
export const prepareEvents = async ({ events, vault }: ChannelContext, channelId: string) => {
  // The key is made outside: a transaction does nothing but talk to the database.
  await vault.keyring(ownerOf(channelId))
  const appender = await events.appender(ownerOf(channelId))
  return {
    in: (trx: ChannelTransaction) => appenderIn(appender, trx, channelId),
    announce: () => appender.announce(),
  }
}

export interface AppendEvent {
  /** Appends an event to the stream of the channel; gives its place. `isLast`: the stream ends with it. */
  (event: ChannelEvent, isLast?: boolean): Promise<number>
  /** Puts an event in the place of earlier ones. */
  instead(seqs: readonly number[], event: ChannelEvent): Promise<void>
}

const appenderIn = (appender: Appender, trx: ChannelTransaction, channelId: string): AppendEvent =>
  Object.assign(
    (event: ChannelEvent, isLast = false) => appender.append(trx, streamOf(channelId), event, { close: isLast }),
    {
      instead: (seqs: readonly number[], event: ChannelEvent) =>
        appender.replace(trx, streamOf(channelId), seqs, event),
    },
  )

/** Tells open pages of some accounts that they came into a channel, left it, or may do other things in it. */
export const announceReach = async (
  { access, announce }: ChannelContext,
  accountIds: readonly string[],
): Promise<void> => {
  for (const accountId of new Set(accountIds)) await announce(accountId, { type: 'channels-changed', data: {} })
  await access.announceReach(accountIds)
}
