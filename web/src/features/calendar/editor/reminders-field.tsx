import { mostReminders } from '@atrium/contract/calendar'
import { Plus, X } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { reminderChoices, sayReminder } from '../event/reminder-words.ts'
import { useText } from 'virtual:words/calendar'

/** How long before the event its viewer is reminded: never, once, or several times. */
export function RemindersField({
  value,
  onChange,
}: {
  value: readonly number[]
  onChange: (value: readonly number[]) => void
}) {
  const t = useText('calendar')
  const free = reminderChoices.filter((minutes) => !value.includes(minutes))
  const next = free.find((minutes) => minutes >= 10) ?? free[0]
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{t('reminders')}</legend>
      <ul className="flex flex-col gap-2">
        {value.map((minutes, index) => (
          <li key={minutes} className="flex items-center gap-2">
            <Select
              aria-label={t('reminderNumber', { number: index + 1 })}
              className="flex-1"
              value={String(minutes)}
              onChange={(chosen) => onChange(value.map((each, at) => (at === index ? Number(chosen) : each)))}
              options={[...new Set([minutes, ...free])]
                .sort((a, b) => a - b)
                .map((each) => ({ value: String(each), label: sayReminder(t, each) }))}
            />
            <IconButton
              label={t('removeReminder', { when: sayReminder(t, minutes) })}
              icon={<X />}
              size="small"
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      {value.length < mostReminders && next !== undefined && (
        <Button
          size="small"
          className={value.length > 0 ? 'mt-2' : ''}
          icon={<Plus className="size-4" />}
          onClick={() => onChange([...value, next])}
        >
          {t('addReminder')}
        </Button>
      )}
    </fieldset>
  )
}
