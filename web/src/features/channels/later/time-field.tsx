import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/channels-later'

const pad = (value: number): string => String(value).padStart(2, '0')

/** A time as the field of a browser writes it, on the clock of this device. */
export const toLocalValue = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}T${pad(time.getHours())}:${pad(time.getMinutes())}`

/** Whether it is to come, and at most a year away. */
export const isLater = (value: string): boolean => {
  const at = new Date(value).getTime()
  return at > Date.now() && at < Date.now() + 366 * 24 * 3600_000
}

export function TimeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useText('channels-later')
  return (
    <Field label={t('time')} error={value !== '' && !isLater(value) ? t('past') : undefined} required>
      <Input
        type="datetime-local"
        min={toLocalValue(new Date())}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
