import { type Calendar, mostNameLetters } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { createCalendar, updateCalendar } from '../data/changes.ts'
import { ColorField } from '../editor/color-field.tsx'
import { useText } from 'virtual:words/calendar'

/** The name and the colour of a calendar; of somebody else’s only the colour, which is each reader’s own. */
export function CalendarDialog({ calendar, onClose }: { calendar: Calendar | null; onClose: () => void }) {
  const t = useText('calendar')
  const [name, setName] = useState(calendar?.name ?? '')
  const [color, setColor] = useState(calendar?.color ?? null)
  const [tried, setTried] = useState(false)
  const isOwn = calendar === null || calendar.shared === null
  const save = useMutation({
    mutationFn: () =>
      calendar
        ? updateCalendar(calendar, isOwn ? { name: name.trim(), color } : { color })
        : createCalendar(name.trim(), color),
    onSuccess: onClose,
  })
  const missing = name.trim() === ''
  function submit() {
    setTried(true)
    if (!missing) save.mutate()
  }
  return (
    <FormDialog
      width="narrow"
      title={calendar ? t(isOwn ? 'editCalendar' : 'changeColor') : t('newCalendar')}
      submit={calendar ? t('save') : t('create')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      {isOwn && (
        <Field label={t('calendarName')} error={tried && missing ? t('calendarNameMissing') : null} required>
          <Input
            dir="auto"
            maxLength={mostNameLetters}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      )}
      <ColorField label={t('color.label')} usual={t('color.automatic')} value={color} onChange={setColor} />
    </FormDialog>
  )
}
