import { type CalendarEvent, calendarRoutes } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { baseOf } from '../data/changes.ts'
import { refreshCalendar } from '../data/events.ts'
import { ColorField } from '../editor/color-field.tsx'
import { RemindersField } from '../editor/reminders-field.tsx'
import { useText } from 'virtual:words/calendar'

/** What is each reader’s own of an event that is kept elsewhere, or by somebody else. */
export function OwnDialog({ event, onClose }: { event: CalendarEvent; onClose: () => void }) {
  const t = useText('calendar')
  const [reminders, setReminders] = useState(event.reminders)
  const [color, setColor] = useState(event.color)
  const save = useMutation({
    mutationFn: async () => {
      const body = Object.assign({ reminders: [...reminders] }, color === event.color ? {} : { color })
      await call(calendarRoutes.updateOwn, { params: { eventId: baseOf(event) }, body })
      await refreshCalendar()
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      width="narrow"
      title={event.title}
      description={t('own.text')}
      submit={t('save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <RemindersField value={reminders} onChange={(next) => setReminders([...next])} />
      <ColorField label={t('color.label')} usual={t('own.usualColor')} value={color} onChange={setColor} />
    </FormDialog>
  )
}
