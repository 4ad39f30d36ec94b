/** What the clocks of the viewer show, and how their weeks are counted. */
import { useEffect, useMemo, useState } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { useLanguage } from '../../../lib/texts.ts'
import { type Day, type Wall, dayOfWall } from '../time/day.ts'
import { firstWeekdayOf, localeWithRegion } from '../time/weeks.ts'
import { instantToWall, zoneOfMachine } from '../time/zone.ts'

export interface Clock {
  readonly zone: string
  /** From 1, Monday, to 7. */
  readonly firstWeekday: number
  readonly now: Wall
  readonly today: Day
}

/** Goes on by itself, minute by minute. */
export function useClock(): Clock {
  const { timeZone } = usePreferences()
  const language = useLanguage()
  const zone = timeZone === 'system' ? zoneOfMachine() : timeZone
  const [instant, setInstant] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setInstant(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const firstWeekday = useMemo(() => firstWeekdayOf(localeWithRegion(language, navigator.languages)), [language])
  const now = instantToWall(instant, zone)
  return useMemo(() => ({ zone, firstWeekday, now, today: dayOfWall(now) }), [zone, firstWeekday, now])
}
