/** What the page of the calendar shows, as its address says it. */

/** As the server takes them. */
const mostQuickAddLetters = 500

export const views = ['month', 'week', 'day', 'agenda'] as const
export type View = (typeof views)[number]

export interface CalendarSearch {
  /** The agenda on phones, the month elsewhere, where nothing is said. */
  view?: View | undefined
  /** `2026-11-26`: a day of what is shown; today where nothing is said. */
  date?: string | undefined
  /** An event that is open. */
  event?: string | undefined
  /** Which of its occurrences, by its start. */
  at?: string | undefined
  /** An event in words, to be proposed. */
  add?: string | undefined
}

/** Reads what an address holds; what it cannot mean is left out. */
export function readSearch(search: Record<string, unknown>): CalendarSearch {
  const word = (value: unknown, pattern: RegExp) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined
  return {
    view: views.find((view) => view === search.view),
    date: word(search.date, /^\d{4}-\d\d-\d\d$/),
    event: word(search.event, /^[\w:-]{1,200}$/),
    add: typeof search.add === 'string' ? search.add.slice(0, mostQuickAddLetters) : undefined,
    at: word(search.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  }
}

export const path = '/calendar'
