import { type Calendar, calendarRoutes } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { refreshCalendar } from '../data/events.ts'
import { useText } from 'virtual:words/calendar'

/** Asks before a calendar that is kept elsewhere goes with its events. */
export function UnsubscribeDialog({ calendar, onClose }: { calendar: Calendar; onClose: () => void }) {
  const t = useText('calendar')
  const unsubscribe = useMutation({
    mutationFn: async () => {
      await call(calendarRoutes.removeCalendar, { params: { calendarId: calendar.id } })
      await refreshCalendar()
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      width="narrow"
      tone="danger"
      title={t('subscription.unsubscribeTitle', { name: calendar.name })}
      description={t('subscription.unsubscribeText')}
      submit={t('subscription.unsubscribe')}
      busy={unsubscribe.isPending}
      error={failureOf(unsubscribe.error)}
      onSubmit={() => unsubscribe.mutate()}
      onClose={onClose}
    />
  )
}
