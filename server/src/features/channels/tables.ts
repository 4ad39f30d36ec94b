/** Channels, who is in them, and what is said there. Everything that a person wrote is sealed with the key of its channel. */
import type { ChannelAnswer, ChannelCircle, ChannelHistory, ChannelRole, ChannelType } from '@atrium/contract/channels'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'
import type { DraftRow, PreferenceRow, ReminderRow, ScheduledRow, ThreadReadRow } from './own-tables.ts'

export interface ChannelRow {
  id: string
  type: ChannelType
  /** Sealed; null for direct messages. */
  name: Uint8Array | null
  topic: Uint8Array | null
  description: Uint8Array | null
  posting: ChannelCircle
  calling: ChannelCircle
  history: ChannelHistory
  /** Messages that are older are removed; null: they stay. */
  retention_days: number | null
  /** A keyed digest of the people of a direct message, so that the same people have one; null once it is deleted. */
  people: string | null
  /** Who created it, as long as there is the account. */
  created_by: string | null
  member_count: number
  /** The number of the last message. */
  last_seq: number
  latest_message_at: number | null
  /** When something was last said, else when it was created. */
  active_at: number
  created_at: number
  updated_at: number
  archived_at: number | null
  /** It is gone for everybody, and what it holds is being removed. */
  deleted_at: number | null
}

export interface MemberRow {
  channel_id: string
  account_id: string
  role: ChannelRole
  /** All up to the message of this number is read. */
  read_seq: number
  joined_at: number
  /** The last message, and the place of the last event, before they came; 0: they were there from the beginning. */
  from_seq: number
  from_event: number
}

export interface MessageRow {
  id: string
  channel_id: string
  /** Counts the messages of the channel, without gaps. */
  seq: number
  parent_id: string | null
  /** null: the account is gone. */
  author_id: string | null
  /** A keyed digest of what was sent, which tells a repeated call from another message of the same id. */
  print: string
  /** Sealed; null once it is deleted. */
  content: Uint8Array | null
  /** What was forwarded: JSON, sealed; null for most. */
  forwarded: Uint8Array | null
  /** The chat in which a model sent it for its author; null for most. */
  from_chat: string | null
  /** 1: it stands in the channel; 0: in a thread only. */
  shown: 0 | 1
  attachment_count: number
  /** 1: there is an address in it. */
  has_link: 0 | 1
  mention_count: number
  reaction_count: number
  reply_count: number
  last_reply_at: number | null
  created_at: number
  edited_at: number | null
  deleted_at: number | null
  pinned_at: number | null
  /** JSON: the places of the events that hold its words. */
  event_seqs: string
}

export interface ReactionRow {
  message_id: string
  /** A keyed digest of the emoji, by which the same ones are found. */
  emoji_key: string
  account_id: string
  channel_id: string
  /** Sealed. */
  emoji: Uint8Array
  created_at: number
}

/** Whom a message names; `*` is everybody. */
export interface MentionRow {
  message_id: string
  account_id: string
  channel_id: string
  author_id: string
  seq: number
  /** Empty where it names the account itself; else what it called that the account is of (`rules.ts`). */
  via: string
}

export interface AttachmentRow {
  /** Of the file, too. */
  id: string
  channel_id: string
  /** Who uploaded it. */
  account_id: string | null
  /** null: it is not sent yet. */
  message_id: string | null
  place: number
  /** Sealed. */
  name: Uint8Array
  media_type: string
  size_bytes: number
  width: number | null
  height: number | null
  created_at: number
  /** The scheduled message that it goes with; null: none. */
  scheduled_id: string | null
}

/** How a model answers: the message of this id holds its words. */
export interface AnswerRow {
  message_id: string
  channel_id: string
  question_id: string
  /** Whose access, keys and budget it uses; null: the account is gone. */
  asked_by: string | null
  /** JSON. */
  selection: string
  /** What the model was called when it was asked. */
  name: string
  run_id: string
  state: ChannelAnswer['state']
  /** A code. */
  failure: string | null
}

export interface ChannelTables {
  channels: ChannelRow
  channel_members: MemberRow
  channel_messages: MessageRow
  channel_reactions: ReactionRow
  channel_mentions: MentionRow
  channel_attachments: AttachmentRow
  channel_answers: AnswerRow
  channel_preferences: PreferenceRow
  channel_drafts: DraftRow
  channel_scheduled: ScheduledRow
  channel_reminders: ReminderRow
  channel_thread_reads: ThreadReadRow
}

const owner = "'channel:' || channel_id"

export const channelSealed: readonly SealedColumn[] = [
  ...sealedColumns('channels', ['name', 'topic', 'description'], { owner: "'channel:' || id" }),
  ...sealedColumns('channel_messages', ['content'], { owner, words: { entry: "'channel-message:' || id" } }),
  ...sealedColumns('channel_messages', ['forwarded'], { owner }),
  ...sealedColumns('channel_reactions', ['emoji'], {
    key: ['message_id', 'emoji_key', 'account_id'],
    row: "message_id || ':' || emoji_key || ':' || account_id",
    owner,
  }),
  ...sealedColumns('channel_attachments', ['name'], { owner }),
  ...sealedColumns('channel_scheduled', ['content'], { owner: 'account_id' }),
  ...sealedColumns('channel_drafts', ['content'], {
    key: ['account_id', 'channel_id', 'root_id'],
    row: "account_id || ':' || channel_id || ':' || root_id",
    owner: 'account_id',
  }),
]
