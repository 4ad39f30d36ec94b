/** Runs of automations, past and to come, as they stand on the clocks of their owner. Pure. */
import type { Automation, AutomationRun, RunState } from '@atrium/contract/automations'
import type { Mark } from '../layout/placement.ts'
import { dayOfWall } from '../time/day.ts'
import { instantToWall } from '../time/zone.ts'

/** A moment of the calendar that only its automation changes. */
export interface RunMark extends Mark {
  readonly run: RunEntry
}

export interface RunEntry {
  readonly automationId: string
  readonly name: string
  /** How it ended, or how far it is; `upcoming`: it has not been started. */
  readonly state: RunState | 'upcoming'
}

/** A time at which an automation will run. */
export interface Occurrence {
  readonly automationId: string
  readonly name: string
  readonly at: string
}

export interface Span {
  /** In milliseconds since 1970; `to` is not included. */
  readonly from: number
  readonly to: number
}

/**
 * The runs within a span, and those to come, in a zone. A time that has its run already is that run; runs of automations
 * that are not in the list any more are left out.
 */
export function placeRuns(
  { from, to }: Span,
  zone: string,
  automations: readonly Pick<Automation, 'id' | 'name'>[],
  runs: readonly AutomationRun[],
  occurrences: readonly Occurrence[],
): RunMark[] {
  const names = new Map(automations.map(({ id, name }) => [id, name]))
  const isWithin = (at: string) => Date.parse(at) >= from && Date.parse(at) < to
  const begun = new Set(runs.map(({ automationId, scheduledFor }) => `${automationId} ${scheduledFor}`))
  const past = runs
    .filter(({ scheduledFor }) => isWithin(scheduledFor))
    .flatMap(({ id, automationId, scheduledFor, state }) => {
      const name = names.get(automationId)
      return name === undefined ? [] : [markAt(`run ${id}`, scheduledFor, zone, { automationId, name, state })]
    })
  const coming = occurrences
    .filter(({ automationId, at }) => isWithin(at) && !begun.has(`${automationId} ${at}`))
    .map(({ automationId, name, at }) =>
      markAt(`run ${automationId} ${at}`, at, zone, { automationId, name, state: 'upcoming' }),
    )
  return [...past, ...coming]
}

/**
 * Whether every run after this one, which is older, was to begin before an instant: runs come in the order in which they
 * were recorded, which may be long after they were to begin, and never after they began or ended.
 */
export function isBefore({ startedAt, endedAt }: AutomationRun, instant: number): boolean {
  const known = startedAt ?? endedAt
  return known !== null && Date.parse(known) < instant
}

function markAt(key: string, at: string, zone: string, run: RunEntry): RunMark {
  const start = instantToWall(Date.parse(at), zone)
  const day = dayOfWall(start)
  return { key, range: { start, end: start }, isBand: false, first: day, last: day, run }
}
