import type { CalendarEvent } from '@atrium/contract/calendar'
import { useText } from 'virtual:words/calendar'

/** Who is invited, and what they answered. */
export function GuestList({
  event: { guests, fileGuests, organizer },
}: {
  event: Pick<CalendarEvent, 'guests' | 'fileGuests' | 'organizer'>
}) {
  const t = useText('calendar')
  const all = [...guests, ...fileGuests]
  const counts = (['yes', 'maybe', 'no', 'waiting'] as const).flatMap((answer) => {
    const count = all.filter((guest) => guest.answer === answer).length
    return count === 0 ? [] : [t(`guests.count.${answer}`, { count })]
  })
  return (
    <>
      <p>{counts.join(t('repeat.comma'))}</p>
      <ul className="text-sm text-muted">
        {organizer !== null && <li dir="auto">{t('guests.organizer', { name: organizer })}</li>}
        {guests.map(({ id, name, answer }) => (
          <li key={id}>
            <bdi>{name}</bdi> · {t(`guests.answer.${answer}`)}
          </li>
        ))}
        {fileGuests.map(({ name, answer }, index) => (
          <li key={`${index} ${name}`}>
            <bdi>{name}</bdi> · {t(`guests.answer.${answer}`)}
          </li>
        ))}
      </ul>
      {(fileGuests.length > 0 || organizer !== null) && (
        <p className="mt-1 text-sm text-muted">{t('guests.fromFile')}</p>
      )}
    </>
  )
}
