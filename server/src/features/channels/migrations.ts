/** How the tables of channels came about. What exists is never changed: a change is a migration of its own. */
import type { Migration } from '../../platform/db/types.ts'
import { threadReadsMigration } from './thread-reads/tables.ts'

export const channelMigrations: readonly Migration[] = [
  {
    id: 'channels/0001-channels',
    up: ({ text, int, bytes }) => [
      `create table channels (
        id ${text} primary key,
        type ${text} not null,
        name ${bytes},
        topic ${bytes},
        description ${bytes},
        posting ${text} not null,
        calling ${text} not null,
        people ${text} unique,
        created_by ${text},
        member_count ${int} not null,
        last_seq ${int} not null,
        latest_message_at ${int},
        active_at ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null,
        archived_at ${int},
        deleted_at ${int}
      )`,
      'create index channels_by_type on channels (type, created_at, id)',
      'create index channels_by_creator on channels (created_by)',
      'create index channels_by_deletion on channels (deleted_at)',
      `create table channel_members (
        channel_id ${text} not null,
        account_id ${text} not null,
        role ${text} not null,
        read_seq ${int} not null,
        joined_at ${int} not null,
        primary key (channel_id, account_id)
      )`,
      'create index channel_members_by_account on channel_members (account_id, channel_id)',
      'create index channel_members_by_time on channel_members (channel_id, joined_at, account_id)',
      `create table channel_messages (
        id ${text} primary key,
        channel_id ${text} not null,
        seq ${int} not null,
        parent_id ${text},
        author_id ${text},
        print ${text} not null,
        content ${bytes},
        shown ${int} not null,
        attachment_count ${int} not null,
        mention_count ${int} not null,
        reaction_count ${int} not null,
        reply_count ${int} not null,
        last_reply_at ${int},
        created_at ${int} not null,
        edited_at ${int},
        deleted_at ${int},
        pinned_at ${int},
        event_seqs ${text} not null
      )`,
      'create unique index channel_messages_by_seq on channel_messages (channel_id, seq)',
      // With all that counting what is unread looks at.
      'create index channel_messages_shown on channel_messages (channel_id, shown, seq, author_id, deleted_at)',
      'create index channel_messages_by_parent on channel_messages (parent_id, seq)',
      'create index channel_messages_by_author on channel_messages (author_id, id)',
      'create index channel_messages_pinned on channel_messages (channel_id, pinned_at) where pinned_at is not null',
      `create table channel_reactions (
        message_id ${text} not null,
        emoji_key ${text} not null,
        account_id ${text} not null,
        channel_id ${text} not null,
        emoji ${bytes} not null,
        created_at ${int} not null,
        primary key (message_id, emoji_key, account_id)
      )`,
      'create index channel_reactions_by_account on channel_reactions (account_id)',
      'create index channel_reactions_by_channel on channel_reactions (channel_id)',
      `create table channel_mentions (
        message_id ${text} not null,
        account_id ${text} not null,
        channel_id ${text} not null,
        author_id ${text} not null,
        seq ${int} not null,
        primary key (message_id, account_id)
      )`,
      'create index channel_mentions_by_place on channel_mentions (channel_id, account_id, seq)',
      'create index channel_mentions_by_account on channel_mentions (account_id)',
      `create table channel_attachments (
        id ${text} primary key,
        channel_id ${text} not null,
        account_id ${text},
        message_id ${text},
        place ${int} not null,
        name ${bytes} not null,
        media_type ${text} not null,
        size_bytes ${int} not null,
        width ${int},
        height ${int},
        created_at ${int} not null
      )`,
      'create index channel_attachments_by_message on channel_attachments (message_id, place)',
      'create index channel_attachments_by_channel on channel_attachments (channel_id)',
      'create index channel_attachments_by_account on channel_attachments (account_id)',
      'create index channel_attachments_unsent on channel_attachments (created_at) where message_id is null',
    ],
  },
  {
    id: 'channels/0002-retention',
    up: ({ int }) => [`alter table channels add column retention_days ${int}`],
  },
  {
    id: 'channels/0003-answers',
    up: ({ text }) => [
      `create table channel_answers (
        message_id ${text} primary key,
        channel_id ${text} not null,
        question_id ${text} not null,
        asked_by ${text},
        selection ${text} not null,
        name ${text} not null,
        run_id ${text} not null,
        state ${text} not null,
        failure ${text}
      )`,
      'create index channel_answers_by_channel on channel_answers (channel_id, state)',
      'create index channel_answers_by_account on channel_answers (asked_by)',
    ],
  },
  {
    id: 'channels/0004-answers-by-question',
    up: () => ['create index channel_answers_by_question on channel_answers (question_id)'],
  },
  {
    id: 'channels/0005-preferences',
    up: ({ text, int }) => [
      `create table channel_preferences (
        account_id ${text} not null,
        channel_id ${text} not null,
        root_id ${text} not null,
        level ${text},
        muted_until ${int},
        primary key (account_id, channel_id, root_id)
      )`,
      'create index channel_preferences_by_channel on channel_preferences (channel_id, root_id, level)',
      'create index channel_preferences_by_thread on channel_preferences (root_id)',
    ],
  },
  {
    id: 'channels/0006-drafts',
    up: ({ text, int, bytes }) => [
      `create table channel_drafts (
        account_id ${text} not null,
        channel_id ${text} not null,
        root_id ${text} not null,
        content ${bytes} not null,
        updated_at ${int} not null,
        primary key (account_id, channel_id, root_id)
      )`,
      'create index channel_drafts_by_time on channel_drafts (account_id, updated_at)',
      'create index channel_drafts_by_channel on channel_drafts (channel_id)',
      'create index channel_drafts_by_thread on channel_drafts (root_id)',
    ],
  },
  {
    id: 'channels/0007-later',
    up: ({ text, int, bytes }) => [
      `create table channel_scheduled (
        id ${text} primary key,
        account_id ${text} not null,
        channel_id ${text} not null,
        parent_id ${text},
        in_channel ${int} not null,
        content ${bytes} not null,
        send_at ${int} not null,
        state ${text} not null,
        failure ${text},
        version ${int} not null,
        created_at ${int} not null
      )`,
      'create index channel_scheduled_by_account on channel_scheduled (account_id, send_at)',
      `create table channel_reminders (
        account_id ${text} not null,
        message_id ${text} not null,
        channel_id ${text} not null,
        remind_at ${int} not null,
        primary key (account_id, message_id)
      )`,
      'create index channel_reminders_by_message on channel_reminders (message_id)',
      'create index channel_reminders_by_channel on channel_reminders (channel_id)',
      `alter table channel_messages add column forwarded ${bytes}`,
    ],
  },
  {
    id: 'channels/0008-links',
    up: ({ int }) => [`alter table channel_messages add column has_link ${int} not null default 0`],
  },
  {
    id: 'channels/0009-calls',
    up: ({ text }) => [`alter table channel_mentions add column via ${text} not null default ''`],
  },
  {
    id: 'channels/0010-history',
    up: ({ text, int }) => [
      `alter table channels add column history ${text} not null default 'everything'`,
      `alter table channel_members add column from_seq ${int} not null default 0`,
      `alter table channel_members add column from_event ${int} not null default 0`,
    ],
  },
  threadReadsMigration,
  {
    id: 'channels/0012-from-chat',
    up: ({ text }) => [`alter table channel_messages add column from_chat ${text}`],
  },
  {
    id: 'channels/0013-scheduled-files',
    up: ({ text, int }) => [
      `alter table channel_attachments add column scheduled_id ${text}`,
      'create index channel_attachments_scheduled on channel_attachments (scheduled_id) where scheduled_id is not null',
      `alter table channel_scheduled add column attachment_count ${int} not null default 0`,
    ],
  },
  {
    id: 'channels/0014-scheduled-models',
    up: ({ text }) => [`alter table channel_scheduled add column models ${text}`],
  },
]
