import type { Entry } from '../grid/grid-context.ts'
import { RunRow } from '../runs/run-row.tsx'
import type { Day } from '../time/day.ts'
import { EventRow } from './event-row.tsx'

/** What a day has, one below the other. */
export function DayList({ here, day, onOpened }: { here: readonly Entry[]; day: Day; onOpened?: () => void }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {here.map((entry) => (
        <li key={entry.key}>
          {'run' in entry ? <RunRow mark={entry} /> : <EventRow placement={entry} day={day} onOpened={onOpened} />}
        </li>
      ))}
    </ul>
  )
}
