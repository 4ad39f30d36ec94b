import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { formatDay } from '../data/format.ts'
import { weekdayName } from '../repeat/words.ts'
import type { Repeat } from '../repeat/rule.ts'
import { type Day, weekdayOf } from '../time/day.ts'
import { useText } from 'virtual:words/calendar'

/** Every so many days, weeks, months or years; weeks on days that are chosen. */
export function CustomRepeat({
  value,
  start,
  onChange,
}: {
  value: Repeat
  start: Day
  onChange: (value: Repeat) => void
}) {
  const t = useText('calendar')
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line p-3">
      <div className="flex flex-wrap gap-3">
        <Field label={t('repeat.every')} className="w-24">
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={999}
            value={value.interval}
            onChange={(event) => onChange({ ...value, interval: countOf(event.target.value) })}
          />
        </Field>
        <Field label={t('repeat.unit')} className="min-w-36 flex-1">
          <Select
            value={value.every}
            onChange={(every) => onChange({ ...value, every, on: 'date', weekdays: [weekdayOf(start)] })}
            options={(['day', 'week', 'month', 'year'] as const).map((every) => ({
              value: every,
              label: t(`repeat.units.${every}`),
            }))}
          />
        </Field>
      </div>
      {value.every === 'week' && (
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{t('repeat.weekdays')}</legend>
          <div className="flex flex-wrap gap-1.5">
            {[1, 2, 3, 4, 5, 6, 7].map((weekday) => {
              const isOn = value.weekdays.includes(weekday)
              const others = value.weekdays.filter((each) => each !== weekday)
              return (
                <button
                  key={weekday}
                  type="button"
                  aria-pressed={isOn}
                  // One of them has to stay.
                  onClick={() =>
                    onChange({
                      ...value,
                      weekdays: isOn
                        ? others.length
                          ? others
                          : [weekday]
                        : [...others, weekday].sort((a, b) => a - b),
                    })
                  }
                  className="h-control min-w-11 rounded-md border border-line-strong/45 px-2 text-sm hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent"
                >
                  <span aria-hidden>{formatDay(3 + weekday, 'shortWeekday')}</span>
                  <span className="sr-only">{weekdayName(weekday)}</span>
                </button>
              )
            })}
          </div>
        </fieldset>
      )}
    </div>
  )
}

export const countOf = (text: string): number => Math.max(1, Math.min(999, Math.round(Number(text)) || 1))
