import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { usualEnd } from '../repeat/recurrence.ts'
import type { Repeat } from '../repeat/rule.ts'
import { type Day, dayToText, textToDay } from '../time/day.ts'
import { countOf } from './custom-repeat.tsx'
import { useText } from 'virtual:words/calendar'

/** When a repetition ends: never, on a day, or after so many times. */
export function RepeatEnd({
  value,
  start,
  onChange,
}: {
  value: Repeat
  start: Day
  onChange: (value: Repeat) => void
}) {
  const t = useText('calendar')
  const { end } = value
  const kind = end === null ? 'never' : 'until' in end ? 'until' : 'count'
  const ends = { never: null, until: { until: usualEnd(value.every, start) }, count: { count: 10 } }
  return (
    <div className="flex flex-wrap gap-3">
      <Field label={t('repeat.ends')} className="min-w-36 flex-1">
        <Select
          value={kind}
          onChange={(next) => onChange({ ...value, end: ends[next] })}
          options={(['never', 'until', 'count'] as const).map((each) => ({
            value: each,
            label: t(`repeat.endKinds.${each}`),
          }))}
        />
      </Field>
      {end !== null && 'until' in end && (
        <Field label={t('repeat.lastDay')} className="min-w-36 flex-1">
          <Input
            type="date"
            min={dayToText(start)}
            max="2199-12-31"
            value={dayToText(end.until)}
            onChange={(event) => {
              const until = textToDay(event.target.value)
              if (until !== undefined) onChange({ ...value, end: { until: Math.max(start, until) } })
            }}
          />
        </Field>
      )}
      {end !== null && 'count' in end && (
        <Field label={t('repeat.count')} className="w-36">
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={999}
            value={end.count}
            onChange={(event) => onChange({ ...value, end: { count: countOf(event.target.value) } })}
          />
        </Field>
      )}
    </div>
  )
}
