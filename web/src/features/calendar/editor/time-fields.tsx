import { useId } from 'react'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Wall, dayOfWall, dayToText, minuteOfWall, textToDay, wallOf, wallToText } from '../time/day.ts'
import { type Draft, withAllDay, withStart } from './draft.ts'
import { useText } from 'virtual:words/calendar'

/** When an event is: days, times, and in which zone. */
export function TimeFields({
  draft,
  zone,
  error,
  onChange,
}: {
  draft: Draft
  /** Of the viewer. */
  zone: string
  error: string | null
  onChange: (draft: Draft) => void
}) {
  const t = useText('calendar')
  // What lasts all day ends on the day that is written, not at its midnight.
  const end = draft.allDay ? draft.end - 1440 : draft.end
  const setEnd = (at: Wall) => onChange({ ...draft, end: draft.allDay ? at + 1440 : at })
  return (
    <>
      <CheckField
        label={t('allDay')}
        checked={draft.allDay}
        onChange={(allDay) => onChange(withAllDay(draft, allDay, zone))}
      />
      <div className="grid gap-4 tab:grid-cols-2">
        <Moment
          label={t('starts')}
          date={t('startDate')}
          time={t('startTime')}
          at={draft.start}
          allDay={draft.allDay}
          error={null}
          onChange={(at) => onChange(withStart(draft, at))}
        />
        <Moment
          label={t('ends')}
          date={t('endDate')}
          time={t('endTime')}
          at={end}
          allDay={draft.allDay}
          error={error}
          onChange={setEnd}
        />
      </div>
      {!draft.allDay && (
        <ZoneField value={draft.zone} zone={zone} onChange={(next) => onChange({ ...draft, zone: next })} />
      )}
    </>
  )
}

function Moment({
  label,
  date,
  time,
  at,
  allDay,
  error,
  onChange,
}: {
  label: string
  date: string
  time: string
  at: Wall
  allDay: boolean
  error: string | null
  onChange: (at: Wall) => void
}) {
  const id = useId()
  const invalid = error ? { 'aria-invalid': true as const, 'aria-describedby': `${id}-error` } : {}
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex gap-2">
        <Input
          type="date"
          aria-label={date}
          {...invalid}
          value={dayToText(dayOfWall(at))}
          min="1900-01-01"
          max="2199-12-31"
          onChange={(event) => {
            const day = textToDay(event.target.value)
            if (day !== undefined) onChange(wallOf(day, minuteOfWall(at)))
          }}
        />
        {!allDay && (
          <Input
            type="time"
            aria-label={time}
            {...invalid}
            className="max-w-32"
            value={wallToText(at).slice(11)}
            onChange={(event) => {
              const [hours, minutes] = event.target.value.split(':').map(Number)
              if (hours !== undefined && minutes !== undefined && event.target.value !== '')
                onChange(wallOf(dayOfWall(at), hours * 60 + minutes))
            }}
          />
        )}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}

const floating = 'floating'

function ZoneField({
  value,
  zone,
  onChange,
}: {
  value: string | null
  zone: string
  onChange: (zone: string | null) => void
}) {
  const t = useText('calendar')
  const known = new Set([zone, 'UTC', ...(value ? [value] : []), ...Intl.supportedValuesOf('timeZone')])
  return (
    <Field label={t('zone')} hint={value === null ? t('floatingHelp') : undefined}>
      <Select
        value={value ?? floating}
        onChange={(next) => onChange(next === floating ? null : next)}
        options={[
          { value: floating, label: t('floating') },
          ...[...known].sort().map((each) => ({ value: each, label: each.replaceAll('_', ' ') })),
        ]}
      />
    </Field>
  )
}
