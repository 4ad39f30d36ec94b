/** Which entries the rail has, and in which order: as the features say, unless the person says otherwise. Pure. */
import type { Preferences } from '@atrium/contract/settings'
import type { RailEntry } from '../../lib/feature.ts'

type Choice = Preferences['rail']

/** All entries in the person's order; those that came later than the choice keep their usual place behind them. */
export function sortEntries(entries: readonly RailEntry[], { order }: Choice): RailEntry[] {
  const places = new Map(order.map((to, place) => [to, place]))
  const placeOf = ({ to }: RailEntry): number => places.get(to) ?? order.length
  return [...entries].sort((a, b) => placeOf(a) - placeOf(b) || a.order - b.order)
}

export const shownEntries = (entries: readonly RailEntry[], choice: Choice): RailEntry[] =>
  sortEntries(entries, choice).filter(({ to }) => !choice.hidden.includes(to))

/** The choice once an entry was put to another place among those that the person has. */
export function moveEntry(entries: readonly RailEntry[], choice: Choice, to: string, place: number): Choice {
  const order = sortEntries(entries, choice).map((entry) => entry.to)
  const from = order.indexOf(to)
  if (from < 0 || place < 0 || place >= order.length) return choice
  order.splice(place, 0, ...order.splice(from, 1))
  return { ...choice, order }
}

export const showEntry = ({ order, hidden }: Choice, to: string, isShown: boolean): Choice => ({
  order,
  hidden: [...hidden.filter((other) => other !== to), ...(isShown ? [] : [to])],
})
