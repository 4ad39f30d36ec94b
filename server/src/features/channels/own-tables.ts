/** What members have of their own in channels: choices, drafts, what they send later and are reminded of. */
import type { ChannelLevel } from '@atrium/contract/channels'
import type { Migration } from '../../platform/db/types.ts'

/** What somebody wants to be told of in a channel, or in one thread of it. */
export interface PreferenceRow {
  account_id: string
  channel_id: string
  /** The message that began the thread; empty for the channel itself. */
  root_id: string
  /** null: as usual. */
  level: ChannelLevel | null
  muted_until: number | null
}

/** Somebody follows a thread, and has read it up to the message of a number of the channel. */
export interface ThreadReadRow {
  account_id: string
  channel_id: string
  /** The message that began the thread. */
  root_id: string
  read_seq: number
}

/** What somebody typed and did not send. */
export interface DraftRow {
  account_id: string
  channel_id: string
  /** The message that began the thread; empty for the channel itself. */
  root_id: string
  /** Sealed with the key of the account. */
  content: Uint8Array
  updated_at: number
}

/** A message that is sent later. */
export interface ScheduledRow {
  /** Of the message, too. */
  id: string
  account_id: string
  channel_id: string
  parent_id: string | null
  in_channel: 0 | 1
  /** Sealed with the key of the account. */
  content: Uint8Array
  send_at: number
  state: 'waiting' | 'sending' | 'failed'
  /** A code. */
  failure: string | null
  version: number
  created_at: number
}

/** Somebody is going to be reminded of a message. */
export interface ReminderRow {
  account_id: string
  message_id: string
  channel_id: string
  remind_at: number
}

const written = `select author_id as account_id, channel_id, coalesce(parent_id, id) as root_id from channel_messages
  where author_id is not null and deleted_at is null and (parent_id is not null or reply_count > 0)`
const named = `select x.account_id, x.channel_id, coalesce(m.parent_id, m.id) as root_id from channel_mentions as x
  join channel_messages as m on m.id = x.message_id
  where x.via = '' and m.deleted_at is null and (m.parent_id is not null or m.reply_count > 0)`
const chosen = `select account_id, channel_id, root_id from channel_preferences
  where root_id <> '' and level in ('all', 'mentions')`

export const threadReadsMigration: Migration = {
  id: 'channels/0011-thread-reads',
  up: ({ text, int }) => [
    `create table channel_thread_reads (
      account_id ${text} not null,
      channel_id ${text} not null,
      root_id ${text} not null,
      read_seq ${int} not null,
      primary key (account_id, root_id)
    )`,
    'create index channel_thread_reads_by_thread on channel_thread_reads (root_id)',
    'create index channel_thread_reads_by_channel on channel_thread_reads (channel_id, account_id)',
    // What was said before there were places is no news.
    ...[written, named, chosen].map(
      (followers) => `insert into channel_thread_reads (account_id, channel_id, root_id, read_seq)
        select f.account_id, f.channel_id, f.root_id, c.last_seq from (${followers}) as f
        join channel_members as m on m.channel_id = f.channel_id and m.account_id = f.account_id
        join channels as c on c.id = f.channel_id where c.deleted_at is null
        on conflict (account_id, root_id) do nothing`,
    ),
  ],
}
