/** The context that the modules of the area share. */
import type { AutomationContent } from '@atrium/contract/automations'
import type { UnattendedChats } from '../../core/generation/index.ts'
import type { Language } from '@atrium/contract/languages'
import type { Documents } from '../../core/documents/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { Webhooks } from '../../core/webhooks/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AutomationStore } from './stores/automations.ts'
import type { EventStore } from './stores/events.ts'
import type { RunStore } from './stores/runs.ts'

/** Channels, as far as results go there. */
export interface ChannelPosts {
  /** Refuses where the account may not write in the channel now. */
  requireWriter(accountId: string, channelId: string): Promise<void>
  /** Writes as the account, once for each id. Refuses as `requireWriter` does. */
  post(accountId: string, channelId: string, message: { readonly id: string; readonly content: string }): Promise<void>
  isMember(accountId: string, channelId: string): Promise<boolean>
  /** A message as a member reads it now; null: the account is none, or the message is gone. `at`: milliseconds. */
  readMessage(
    accountId: string,
    messageId: string,
  ): Promise<{
    readonly channelId: string
    readonly channelName: string
    readonly author: string
    readonly content: string
    readonly at: number
    /** The chat in which a model sent it for its author. */
    readonly chatId: string | null
  } | null>
}

/** Calendars, as far as their events start runs. */
export interface CalendarStarts {
  /**
   * Occurrences that begin within a range (milliseconds), by their start, in one calendar or in all that an account reads;
   * null: it may not read the calendar.
   */
  startsIn(
    accountId: string,
    calendarId: string | null,
    range: { readonly from: number; readonly to: number },
  ): Promise<
    | readonly {
        readonly eventId: string
        readonly occurrence: number
        readonly title: string
        readonly place: string
        readonly startAt: number
        readonly endAt: number
        /** The chat in which a model made it; null: a person did. */
        readonly chatId: string | null
      }[]
    | null
  >
  /** The chat in which a model made an event; null: a person did, or it is gone. */
  chatOfEvent(eventId: string): Promise<string | null>
}

export interface AutomationsDeps
  extends Pick<
    Platform,
    'announce' | 'announceEach' | 'audit' | 'clock' | 'database' | 'jobs' | 'log' | 'prepareAnnouncement' | 'vault'
  > {
  readonly chats: UnattendedChats
  readonly channels: ChannelPosts
  readonly notifications: Pick<Notifications, 'publisher' | 'read'>
  readonly documents: Pick<Documents, 'readsCollection' | 'readCollected'>
  readonly calendar: CalendarStarts
  readonly mail: Pick<Mail, 'available' | 'direct' | 'workspaceName'>
  readonly webhooks: Pick<Webhooks, 'isOn' | 'sourceOf' | 'sendToOwn'>
  readonly user: (
    accountId: string,
  ) => Promise<{ readonly email: string | null; readonly emailVerified: boolean; readonly status: string } | null>
  /** As the account has set it; null: it goes by the device. */
  readonly languageOf: (accountId: string) => Promise<Language | null>
  /** Where the instance is reached; null where nobody said. */
  readonly address: () => Promise<string | null>
}

export interface AutomationContext extends AutomationsDeps {
  readonly automations: AutomationStore
  readonly runs: RunStore
  readonly events: EventStore
  /** Something may be due sooner: every process looks. */
  wake(): void
}

/** An automation as its owner wrote it; times are integer milliseconds. */
export interface StoredAutomation {
  readonly id: string
  readonly accountId: string
  readonly content: AutomationContent
  readonly hasSecret: boolean
  readonly status: 'active' | 'paused'
  readonly pausedByFailures: boolean
  readonly nextRunAt: number | null
  readonly startedCount: number
  readonly lastRunId: string | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export const changeEvent = { type: 'automations-changed', data: {} } as const

/** Tells the open pages of an account. */
export const announceChange = ({ announce }: Pick<AutomationsDeps, 'announce'>, accountId: string): Promise<void> =>
  announce(accountId, changeEvent)

/** Tells the open pages of many accounts, each once. */
export const announceChanges = async (
  { announceEach }: Pick<AutomationsDeps, 'announceEach'>,
  accountIds: readonly string[],
): Promise<void> => {
  if (accountIds.length > 0) await announceEach([...new Set(accountIds)], changeEvent)
}
