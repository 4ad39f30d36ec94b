/** Weeks as a language counts them. Pure. */
import { type Day, dayOf, firstOfMonth, daysInMonth, partsOf, weekdayOf } from './day.ts'

/** The first day of weeks, from 1, Monday, to 7, Sunday, where a language is spoken: `en-GB` Monday, `en` Sunday, `ar` Saturday. */
export function firstWeekdayOf(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & WithWeeks
  const first = known.getWeekInfo?.().firstDay ?? known.weekInfo?.firstDay
  if (first) return first
  // Not every browser tells it (CLDR, weekData).
  const region = known.maximize().region ?? ''
  return saturdays.includes(region) ? 6 : sundays.includes(region) ? 7 : 1
}

/** The language on screen with the region of the browser, where that speaks it. */
export const localeWithRegion = (language: string, languages: readonly string[]): string =>
  languages.find((each) => each === language || each.startsWith(`${language}-`)) ?? language

export const startOfWeek = (day: Day, firstWeekday: number): Day => day - ((weekdayOf(day) - firstWeekday + 7) % 7)

/** Where weeks begin on Monday by ISO 8601, by the week of 1 January elsewhere. `start` is the first day of the week. */
export function weekNumberOf(start: Day, firstWeekday: number): number {
  const middle = start + (firstWeekday === 1 ? 3 : 6)
  const newYear = dayOf(partsOf(middle).year, 1, 1)
  return firstWeekday === 1
    ? Math.floor((middle - newYear) / 7) + 1
    : (start - startOfWeek(newYear, firstWeekday)) / 7 + 1
}

/** The days from one on. */
export const daysFrom = (start: Day, count: number): Day[] => Array.from({ length: count }, (_, index) => start + index)

/** The whole weeks that a month touches: four to six rows of seven days. */
export function weeksOfMonth(day: Day, firstWeekday: number): Day[][] {
  const first = firstOfMonth(day)
  const end = first + daysInMonth(first)
  const weeks: Day[][] = []
  for (let start = startOfWeek(first, firstWeekday); start < end; start += 7) weeks.push(daysFrom(start, 7))
  return weeks
}

interface WithWeeks {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

const saturdays = 'AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'.split(' ')
const sundays = (
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP ' +
  'PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'
).split(' ')
