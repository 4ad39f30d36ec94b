import type { AutomationContent } from '@atrium/contract/automations'
import { calendarRoutes } from '@atrium/contract/calendar'
import { channelsRoutes } from '@atrium/contract/channels'
import { documentsRoutes } from '@atrium/contract/documents'
import { notificationKinds } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { useNotificationKindName } from '../../../blocks/notification-kind/kinds.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/automations'
import { nameOfChannel } from './target-field.tsx'

type EventTrigger = Extract<AutomationContent['triggers'][number], { kind: 'event' }>
type EventKind = EventTrigger['event']

/** The contract's; the values of the rest of it are not loaded with the page. */
const placeKinds = ['channel-message', 'collection-document', 'calendar-event'] as const
const isPlaceKind = (kind: EventKind): kind is (typeof placeKinds)[number] =>
  (placeKinds as readonly string[]).includes(kind)
const toldKinds = notificationKinds.filter((kind) => kind !== 'automation-failed')

/** What an automation waits for: what happens, where, and with which words. */
export function EventFields({
  trigger,
  onChange,
}: {
  trigger: EventTrigger
  onChange: (trigger: EventTrigger) => void
}) {
  const t = useText('automations')
  const nameOf = useNotificationKindName()
  const { event, placeId, match } = trigger
  return (
    <>
      <Field label={t('event')} className="min-w-44 flex-1 max-tab:basis-full">
        <Select
          className="w-full"
          value={event}
          onChange={(kind) => onChange({ ...trigger, event: kind, placeId: isRequired(kind) ? '' : null })}
          options={[
            ...placeKinds.map((kind) => ({ value: kind as EventKind, label: t(`eventName.${kind}`) })),
            ...toldKinds.map((kind) => ({ value: kind as EventKind, label: nameOf(kind) })),
          ]}
        />
      </Field>
      {isPlaceKind(event) && (
        <PlaceField kind={event} placeId={placeId} onChange={(id) => onChange({ ...trigger, placeId: id })} />
      )}
      <Field label={t('match')} hint={t('matchHint')} className="min-w-44 flex-1 max-tab:basis-full">
        <Input
          dir="auto"
          maxLength={200}
          value={match ?? ''}
          onChange={({ target: { value } }) => onChange({ ...trigger, match: value === '' ? null : value })}
        />
      </Field>
    </>
  )
}

export const isRequired = (kind: EventKind): boolean => kind === 'channel-message' || kind === 'collection-document'

function PlaceField({
  kind,
  placeId,
  onChange,
}: {
  kind: (typeof placeKinds)[number]
  placeId: string | null
  onChange: (placeId: string | null) => void
}) {
  const t = useText('automations')
  const places = usePlaces(kind)
  const isKnown = placeId === null || placeId === '' || !places || places.some(({ value }) => value === placeId)
  return (
    <Field label={t(`place.${kind}`)} className="min-w-44 flex-1 max-tab:basis-full" required={isRequired(kind)}>
      <Select
        className="w-full"
        name="place"
        value={placeId ?? ''}
        onChange={(id) => onChange(id === '' && !isRequired(kind) ? null : id)}
        options={[
          ...(isRequired(kind)
            ? placeId === ''
              ? [{ value: '', label: '' }]
              : []
            : [{ value: '', label: t('everyCalendar') }]),
          ...(isKnown ? [] : [{ value: placeId, label: t('unknownPlace') }]),
          ...(places ?? []),
        ]}
      />
    </Field>
  )
}

/** Those that the reader may choose; undefined until they are there. */
const usePlaces = (kind: (typeof placeKinds)[number]) => {
  const channels = useQuery({
    ...queryOf(channelsRoutes.list, { query: { limit: 200 } }),
    enabled: kind === 'channel-message',
  })
  const collections = useQuery({
    ...queryOf(documentsRoutes.collections, { query: { limit: 200 } }),
    enabled: kind === 'collection-document',
  })
  const calendars = useQuery({ ...queryOf(calendarRoutes.calendars), enabled: kind === 'calendar-event' })
  const named = (items: readonly { id: string; name: string }[] | undefined) =>
    items?.map(({ id, name }) => ({ value: id, label: name }))
  if (kind === 'channel-message')
    return channels.data?.items
      .filter(({ isMember }) => isMember)
      .map((channel) => ({ value: channel.id, label: nameOfChannel(channel) }))
  return named(kind === 'calendar-event' ? calendars.data?.items : collections.data?.items)
}
