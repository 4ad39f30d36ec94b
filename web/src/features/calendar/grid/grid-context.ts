/** What every part of a grid needs of the page. */
import type { Calendar, CalendarEvent } from '@atrium/contract/calendar'
import { createContext, use } from 'react'
import type { Clock } from '../data/clock.ts'
import type { Range } from '../layout/drag.ts'
import type { Placement } from '../layout/placement.ts'
import type { RunMark } from '../runs/entries.ts'
import type { Day } from '../time/day.ts'
import type { View } from '../search.ts'

export type Entry = Placement | RunMark

export interface Grid {
  readonly placements: readonly Placement[]
  /** Events and automation runs, in the order in which they are drawn. */
  readonly entries: readonly Entry[]
  readonly calendars: readonly Calendar[]
  readonly clock: Clock
  readonly zone: string
  readonly onOpen: (event: CalendarEvent) => void
  readonly onMove: (placement: Placement, range: Range) => void
  readonly onDraw: (range: Range, allDay: boolean) => void
  readonly onShow: (view: View, day: Day) => void
}

export const GridContext = createContext<Grid | null>(null)

/** For what stands inside a grid. */
export function useGrid(): Grid {
  const grid = use(GridContext)
  if (!grid) throw new Error('Parts of a grid stand inside of one.')
  return grid
}
