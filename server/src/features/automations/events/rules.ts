/** What automations wait for, as their triggers say. Pure. */
import type { EventKind, Trigger } from '@atrium/contract/automations'
import type { NotificationKind } from '@atrium/contract/notifications'

export type EventTrigger = Extract<Trigger, { kind: 'event' }>

/** Something that an automation may wait for happened. */
export interface AreaEvent {
  readonly kind: EventKind
  /** The channel or collection, or the account that was told. */
  readonly placeId: string
  /** The message, document or notification. */
  readonly sourceId: string
}

/** What is kept of triggers, so that events find them. */
export interface WatchedPlace {
  readonly kind: EventKind
  /** As events name it; of calendars the automation, as they are looked at for each by itself. */
  readonly placeId: string
}

export const watchedPlaces = (
  { id, accountId }: { readonly id: string; readonly accountId: string },
  triggers: readonly Trigger[],
): readonly WatchedPlace[] => {
  const all = triggers.filter(isEventTrigger).map(({ event, placeId }) => ({
    kind: event,
    placeId: event === 'calendar-event' ? id : (placeId ?? accountId),
  }))
  return [...new Map(all.map((place) => [`${place.kind} ${place.placeId}`, place])).values()]
}

export const isEventTrigger = (trigger: Trigger): trigger is EventTrigger => trigger.kind === 'event'

/** Whether one of the triggers waits for this, by its place and its words. */
export const isAwaited = (
  triggers: readonly Trigger[],
  { kind, placeId }: { readonly kind: EventKind; readonly placeId: string | null },
  text: string,
): boolean =>
  triggers.some(
    (trigger) =>
      isEventTrigger(trigger) &&
      trigger.event === kind &&
      (trigger.placeId === null || trigger.placeId === placeId) &&
      (trigger.match === null || text.toLocaleLowerCase().includes(trigger.match.toLocaleLowerCase())),
  )

export const toNotificationEvent = (published: {
  readonly id: string
  readonly accountId: string
  readonly kind: NotificationKind
  readonly version: number
}): AreaEvent | null =>
  published.kind === 'automation-failed'
    ? null
    : { kind: published.kind, placeId: published.accountId, sourceId: `${published.id}:${published.version}` }
