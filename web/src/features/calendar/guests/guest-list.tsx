import type { Guest } from '@atrium/contract/calendar'
import { useText } from 'virtual:words/calendar'

/** Who is invited, and what they answered. */
export function GuestList({ guests }: { guests: readonly Guest[] }) {
  const t = useText('calendar')
  const counts = (['yes', 'maybe', 'no', 'waiting'] as const).flatMap((answer) => {
    const count = guests.filter((guest) => guest.answer === answer).length
    return count === 0 ? [] : [t(`guests.count.${answer}`, { count })]
  })
  return (
    <>
      <p>{counts.join(t('repeat.comma'))}</p>
      <ul className="text-sm text-muted">
        {guests.map(({ id, name, answer }) => (
          <li key={id}>
            <bdi>{name}</bdi> · {t(`guests.answer.${answer}`)}
          </li>
        ))}
      </ul>
    </>
  )
}
