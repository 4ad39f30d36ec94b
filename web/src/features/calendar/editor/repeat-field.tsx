import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { sayRepeat } from '../repeat/words.ts'
import { type Repeat, isLastDay, isLastWeekday, ordinalOf, usualRepeat } from '../repeat/rule.ts'
import type { Day } from '../time/day.ts'
import { CustomRepeat } from './custom-repeat.tsx'
import { RepeatEnd } from './repeat-end.tsx'
import { useText } from 'virtual:words/calendar'

/** How an event repeats: the common choices in words, or one of one’s own. */
export function RepeatField({
  value,
  start,
  mayKeep,
  onChange,
}: {
  value: Repeat | 'kept' | null
  /** The day on which the event begins. */
  start: Day
  /** It has a repetition that cannot be said here. */
  mayKeep: boolean
  onChange: (value: Repeat | 'kept' | null) => void
}) {
  const t = useText('calendar')
  const choices = choicesFor(start)
  const repeat = value === 'kept' ? null : value
  const chosen = repeat ? choices.findIndex((choice) => isSame(choice, repeat)) : -1
  const [isOwn, setIsOwn] = useState(repeat !== null && chosen < 0)
  const shown = value === 'kept' ? 'kept' : repeat === null ? 'never' : isOwn || chosen < 0 ? 'own' : String(chosen)
  function choose(next: string) {
    setIsOwn(next === 'own')
    if (next === 'never') return onChange(null)
    if (next === 'kept') return onChange('kept')
    const base = next === 'own' ? (repeat ?? usualRepeat('week', start)) : choices[Number(next)]
    if (base) onChange({ ...base, end: repeat?.end ?? null })
  }
  return (
    <>
      <Field label={t('repeat.label')}>
        <Select
          value={shown}
          onChange={choose}
          options={[
            ...(mayKeep ? [{ value: 'kept', label: t('repeat.kept') }] : []),
            { value: 'never', label: t('repeat.never') },
            ...choices.map((choice, index) => ({ value: String(index), label: sayRepeat(t, choice, start) })),
            { value: 'own', label: t('repeat.own') },
          ]}
        />
      </Field>
      {repeat && shown === 'own' && <CustomRepeat value={repeat} start={start} onChange={onChange} />}
      {repeat && <RepeatEnd value={repeat} start={start} onChange={onChange} />}
    </>
  )
}

function choicesFor(start: Day): Repeat[] {
  const month = usualRepeat('month', start)
  return [
    usualRepeat('day', start),
    { ...usualRepeat('week', start), weekdays: [1, 2, 3, 4, 5] },
    usualRepeat('week', start),
    { ...usualRepeat('week', start), interval: 2 },
    month,
    ...(ordinalOf(start) < 5 ? [{ ...month, on: 'weekday' as const }] : []),
    ...(isLastWeekday(start) ? [{ ...month, on: 'last-weekday' as const }] : []),
    ...(isLastDay(start) ? [{ ...month, on: 'last-day' as const }] : []),
    usualRepeat('year', start),
  ]
}

const isSame = (a: Repeat, b: Repeat): boolean =>
  JSON.stringify({ ...a, end: null }) === JSON.stringify({ ...b, end: null })
