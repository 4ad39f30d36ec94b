/**
 * Where events come from: what of each kind its owner may wait for, and what there is to tell of one that happened, as the
 * owner reads it at that time.
 */
import { defaultLanguage } from '@atrium/contract/languages'
import { describeNotification } from '../../../core/deliveries/index.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AutomationsDeps } from '../context.ts'
import type { AreaEvent, EventTrigger } from './rules.ts'

/** What there is to tell of it. */
export interface EventNews {
  /** What a trigger’s words are looked for in. */
  readonly text: string
  /** What the run brings along, as JSON. */
  readonly payload: Readonly<Record<string, unknown>>
  /** What it came of, where a run of an automation had a part in it. */
  readonly origin: EventOrigin | null
}

/** A run, or the chat of one. */
export type EventOrigin = { readonly runId: string } | { readonly sessionId: string }

export type EventSources = Pick<AutomationsDeps, 'calendar' | 'channels' | 'documents' | 'notifications'>

/** Refuses what its owner may not wait for, or what names no place. */
export const requireSource = async (
  { calendar, channels, documents }: EventSources,
  accountId: string,
  { event, placeId }: EventTrigger,
  now: number,
): Promise<void> => {
  if (event === 'calendar-event') {
    if ((await calendar.startsIn(accountId, placeId, { from: now, to: now + 1 })) === null)
      throw fail('calendar_not_found')
    return
  }
  if (event !== 'channel-message' && event !== 'collection-document') {
    if (placeId !== null) throw fail('trigger_invalid', 'Leave `placeId` out: this event has no place.')
    return
  }
  if (placeId === null) throw fail('trigger_invalid', 'Choose a channel or collection.')
  if (event === 'channel-message') {
    if (!(await channels.isMember(accountId, placeId))) throw fail('channel_not_found')
  } else if (!(await documents.readsCollection(accountId, placeId))) throw fail('collection_not_found')
}

/** null: the owner may not read it, or it is gone. */
export const readEvent = async (
  sources: EventSources,
  accountId: string,
  { kind, placeId, sourceId }: AreaEvent,
): Promise<EventNews | null> => {
  const { channels, documents, notifications } = sources
  if (kind === 'channel-message') {
    const message = await channels.readMessage(accountId, sourceId)
    if (!message) return null
    const { at, content, chatId, ...about } = message
    return {
      text: content,
      payload: {
        event: kind,
        messageId: sourceId,
        ...about,
        at: toIsoTime(at),
        text: content,
        href: `/channels/${placeId}?message=${sourceId}`,
      },
      origin: originOf(sourceId, chatId),
    }
  }
  if (kind === 'collection-document') {
    const document = await documents.readCollected(accountId, { collectionId: placeId, documentId: sourceId })
    return (
      document && {
        text: document.name,
        payload: {
          event: kind,
          documentId: sourceId,
          collectionId: placeId,
          title: document.name,
          href: `/documents/${sourceId}`,
        },
        origin: null,
      }
    )
  }
  const [id = ''] = sourceId.split(':')
  const notification = await notifications.read(accountId, id)
  if (!notification) return null
  const { title, body } = describeNotification(notification, defaultLanguage)
  return {
    text: `${title}\n${body}`,
    payload: { event: kind, title, body, href: `/notifications/${id}`, at: notification.at },
    origin: await originOfFacts(sources, accountId, notification.facts),
  }
}

/** What a notification came of. */
const originOfFacts = async (
  { calendar, channels }: EventSources,
  accountId: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<EventOrigin | null> => {
  const { runId, messageId, eventId, sessionId = facts['chatId'] } = facts
  const message = typeof messageId === 'string' ? await channels.readMessage(accountId, messageId) : null
  if (message) return originOf(messageId as string, message.chatId)
  if (typeof runId === 'string') return { runId }
  if (typeof sessionId === 'string') return { sessionId }
  const chatId = typeof eventId === 'string' ? await calendar.chatOfEvent(eventId) : null
  return chatId === null ? null : { sessionId: chatId }
}

/** What a webhook was told of, where this instance called itself by it. `source`: as the webhook was told. */
export const originOfSource = async (
  sources: EventSources,
  { accountId, source }: { readonly accountId: string | null; readonly source: string },
): Promise<EventOrigin | null> => {
  if (source.startsWith(runSource)) return { runId: source.slice(runSource.length) }
  const [kind, id = ''] = source.split(':')
  if (accountId === null || kind !== 'notification') return null
  const notification = await sources.notifications.read(accountId, id)
  return notification && originOfFacts(sources, accountId, notification.facts)
}

/** By which a webhook is told the result of a run once. */
export const sourceOfRun = (runId: string): string => `${runSource}${runId}`
const runSource = 'automation-run:'

/** Results of automations are messages with the ids of their runs; others their models send in the chats of runs. */
const originOf = (messageId: string, chatId: string | null): EventOrigin =>
  chatId === null ? { runId: messageId } : { sessionId: chatId }
