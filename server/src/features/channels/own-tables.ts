/** What members have of their own in channels: choices, drafts, what they send later and are reminded of. */
import type { ChannelLevel } from '@atrium/contract/channels'

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
  /** How many files go with it. */
  attachment_count: number
  /** Those that are to answer, as JSON; null: none. */
  models: string | null
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
