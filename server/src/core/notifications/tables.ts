import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface NotificationRow {
  id: string
  account_id: string
  kind: string
  /** What it comes from: one row for an account and a source. Ids only. */
  source_key: string
  /** The thing that it is about, `<kind>:<id>`. */
  about: string | null
  /** Kind and facts, sealed; null once its owner deleted it: the row stays, so that the same thing does not come back. */
  content: Uint8Array | null
  /** Grows with each change of the content. */
  version: number
  /** When it happened, for the last time. */
  happened_at: number
  /** Its place in the list: when it happened, or until when it was snoozed. */
  sorted_at: number
  read_at: number | null
  done_at: number | null
  snoozed_until: number | null
  /** 1: its account does not want its kind in the inbox; it is delivered otherwise. */
  hidden: 0 | 1
}

export interface NotificationPreferenceRow {
  account_id: string
  /** What was chosen, sealed. */
  preferences: Uint8Array
}

/** A word, or a few, of which an account is told: keyed digests. */
export interface NotificationKeywordRow {
  account_id: string
  /** Of its first word. */
  first_key: string
  /** Of all of them. */
  whole_key: string
  /** How many they are. */
  words: number
}

export interface NotificationTables {
  notifications: NotificationRow
  notification_preferences: NotificationPreferenceRow
  notification_keywords: NotificationKeywordRow
}

export const notificationMigrations: readonly Migration[] = [
  {
    id: 'notifications/0001-notifications',
    up: ({ text, int, bytes }) => [
      `create table notifications (
        id ${text} primary key,
        account_id ${text} not null,
        kind ${text} not null,
        source_key ${text} not null,
        about ${text},
        content ${bytes},
        version ${int} not null,
        happened_at ${int} not null,
        sorted_at ${int} not null,
        read_at ${int},
        done_at ${int},
        snoozed_until ${int}
      )`,
      'create unique index notifications_by_source on notifications (account_id, source_key)',
      'create index notifications_by_account on notifications (account_id, sorted_at, id)',
      'create index notifications_unread on notifications (account_id, snoozed_until) where read_at is null and done_at is null',
      'create index notifications_by_thing on notifications (about) where about is not null',
      'create index notifications_by_key on notifications (source_key)',
      'create index notifications_snoozed on notifications (snoozed_until) where snoozed_until is not null',
      'create index notifications_by_age on notifications (sorted_at)',
    ],
  },
  {
    id: 'notifications/0002-preferences',
    up: ({ text, int, bytes }) => [
      `create table notification_preferences (account_id ${text} primary key, preferences ${bytes} not null)`,
      `alter table notifications add column hidden ${int} not null default 0`,
    ],
  },
  {
    id: 'notifications/0003-keywords',
    up: ({ text, int }) => [
      `create table notification_keywords (
        account_id ${text} not null,
        first_key ${text} not null,
        whole_key ${text} not null,
        words ${int} not null,
        primary key (account_id, whole_key)
      )`,
      'create index notification_keywords_by_word on notification_keywords (first_key, account_id)',
    ],
  },
]

export const notificationSealed: readonly SealedColumn[] = [
  ...sealedColumns('notifications', ['content'], { owner: 'account_id' }),
  ...sealedColumns('notification_preferences', ['preferences'], { key: ['account_id'], owner: 'account_id' }),
]
