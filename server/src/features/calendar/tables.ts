/** Calendars and their events. Readable are ids, bounds in time, states and colours; what people wrote is sealed. */
import type { FeedContent, GuestAnswer, SubscriptionFailure } from '@atrium/contract/calendar'
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface CalendarRow {
  id: string
  account_id: string
  /** Sealed. */
  name: Uint8Array
  created_at: number
  updated_at: number
  /** When it went to the trash. */
  deleted_at: number | null
}

/** The colour that an account gave a calendar that it sees. */
export interface CalendarColorRow {
  calendar_id: string
  account_id: string
  color: string
}

export interface CalendarEventRow {
  id: string
  /** Whose it is: the owner of its calendar. */
  account_id: string
  calendar_id: string | null
  /** Keyed, of the UID by which other programs know it. */
  uid_digest: string
  /** Sealed JSON: `EventContent`. */
  content: Uint8Array
  /** No occurrence begins before it, as far as zones allow. */
  starts_at: number
  /** None ends after it; `endless` where there is no last one. */
  ends_at: number
  version: number
  created_at: number
  updated_at: number
  /** When it went to the trash. */
  deleted_at: number | null
}

/** What an account wants to be reminded of: minutes before each occurrence, separated by commas. */
export interface CalendarReminderRow {
  event_id: string
  account_id: string
  minutes: string
  /** When the next one is due; 0 or less: it is to be reckoned, null: there is none. */
  next_at: number | null
}

/** A secret address of a calendar. */
export interface CalendarFeedRow {
  calendar_id: string
  content: FeedContent
  /** SHA-256 of the secret. */
  secret_digest: string
  created_at: number
  last_read_at: number | null
}

/** A calendar that follows an address. */
export interface CalendarSubscriptionRow {
  calendar_id: string
  /** The calendar's. */
  account_id: string
  /** Sealed. */
  url: Uint8Array
  /** Keyed, of the bytes that were read last; null: none were. */
  content_digest: string | null
  refreshed_at: number | null
  next_at: number
  /** How many tries failed since it was read last, and why. */
  failures: number
  failure: SubscriptionFailure | null
}

/** Who is invited to an event, and the answer to all of it. */
export interface CalendarGuestRow {
  event_id: string
  account_id: string
  invited_at: number
  answer: GuestAnswer
}

/** A guest’s answer to one occurrence, by its name in integer milliseconds. */
export interface CalendarGuestAnswerRow {
  event_id: string
  account_id: string
  occurrence: number
  answer: GuestAnswer
}

/** The colour that an account gave an event for itself. */
export interface CalendarEventColorRow {
  event_id: string
  account_id: string
  color: string
}

export interface CalendarTables {
  calendars: CalendarRow
  calendar_colors: CalendarColorRow
  calendar_events: CalendarEventRow
  calendar_reminders: CalendarReminderRow
  calendar_feeds: CalendarFeedRow
  calendar_subscriptions: CalendarSubscriptionRow
  calendar_guests: CalendarGuestRow
  calendar_guest_answers: CalendarGuestAnswerRow
  calendar_event_colors: CalendarEventColorRow
}

/** Stands for the end of what never ends. */
export const endless = 9_000_000_000_000_000

export const calendarMigrations: readonly Migration[] = [
  {
    id: 'calendar/0001-calendars',
    up: ({ text, int, bytes }) => [
      `create table calendars (
        id ${text} primary key,
        account_id ${text} not null,
        name ${bytes} not null,
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      'create index calendars_by_account on calendars (account_id, created_at, id)',
      'create index calendars_by_deletion on calendars (deleted_at)',
      `create table calendar_colors (
        calendar_id ${text} not null references calendars (id) on delete cascade,
        account_id ${text} not null,
        color ${text} not null,
        primary key (calendar_id, account_id)
      )`,
      'create index calendar_colors_by_account on calendar_colors (account_id)',
      `create table calendar_events (
        id ${text} primary key,
        account_id ${text} not null,
        calendar_id ${text},
        uid_digest ${text} not null,
        content ${bytes} not null,
        starts_at ${int} not null,
        ends_at ${int} not null,
        version ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      'create index calendar_events_by_end on calendar_events (account_id, deleted_at, ends_at, starts_at)',
      'create index calendar_events_of_calendar on calendar_events (calendar_id, deleted_at, ends_at, starts_at)',
      'create index calendar_events_by_uid on calendar_events (account_id, uid_digest)',
      'create index calendar_events_by_deletion on calendar_events (deleted_at)',
      `create table calendar_reminders (
        event_id ${text} not null references calendar_events (id) on delete cascade,
        account_id ${text} not null,
        minutes ${text} not null,
        primary key (event_id, account_id)
      )`,
      'create index calendar_reminders_by_account on calendar_reminders (account_id)',
    ],
  },
  {
    id: 'calendar/0002-next-reminders',
    up: ({ int }) => [
      `alter table calendar_reminders add column next_at ${int} default 0`,
      'create index calendar_reminders_by_next on calendar_reminders (next_at)',
    ],
  },
  {
    id: 'calendar/0003-feeds',
    up: ({ text, int }) => [
      `create table calendar_feeds (
        calendar_id ${text} not null references calendars (id) on delete cascade,
        content ${text} not null,
        secret_digest ${text} not null,
        created_at ${int} not null,
        last_read_at ${int},
        primary key (calendar_id, content)
      )`,
      'create unique index calendar_feeds_by_secret on calendar_feeds (secret_digest)',
    ],
  },
  {
    id: 'calendar/0004-subscriptions',
    up: ({ text, int, bytes }) => [
      `create table calendar_subscriptions (
        calendar_id ${text} primary key references calendars (id) on delete cascade,
        account_id ${text} not null,
        url ${bytes} not null,
        content_digest ${text},
        refreshed_at ${int},
        next_at ${int} not null,
        failures ${int} not null,
        failure ${text}
      )`,
      'create index calendar_subscriptions_by_next on calendar_subscriptions (next_at)',
    ],
  },
  {
    id: 'calendar/0005-guests',
    up: ({ text, int }) => [
      `create table calendar_guests (
        event_id ${text} not null references calendar_events (id) on delete cascade,
        account_id ${text} not null,
        invited_at ${int} not null,
        answer ${text} not null,
        primary key (event_id, account_id)
      )`,
      'create index calendar_guests_by_account on calendar_guests (account_id, event_id)',
      `create table calendar_guest_answers (
        event_id ${text} not null,
        account_id ${text} not null,
        occurrence ${int} not null,
        answer ${text} not null,
        primary key (event_id, account_id, occurrence),
        foreign key (event_id, account_id) references calendar_guests (event_id, account_id) on delete cascade
      )`,
      `create table calendar_event_colors (
        event_id ${text} not null references calendar_events (id) on delete cascade,
        account_id ${text} not null,
        color ${text} not null,
        primary key (event_id, account_id)
      )`,
      'create index calendar_event_colors_by_account on calendar_event_colors (account_id)',
    ],
  },
]

export const calendarSealed: readonly SealedColumn[] = [
  ...sealedColumns('calendars', ['name'], { owner: 'account_id' }),
  ...sealedColumns('calendar_subscriptions', ['url'], { key: ['calendar_id'], owner: 'account_id' }),
  ...sealedColumns('calendar_events', ['content'], {
    owner: 'account_id',
    words: { entry: "'calendar-event:' || id", member: 'title', where: 'deleted_at is null' },
  }),
]
