import { parseSchedule, weekdays } from '@atrium/contract/schedule'
import { formatNumber, formatTime } from '../../../lib/format.ts'
import { i18n, type Translate } from '../../../lib/texts.ts'

/** A schedule as a sentence; what is none, and cron, as it is written. */
export function scheduleWords(written: string, t: Translate): string {
  const schedule = parseSchedule(written)
  if (schedule?.kind === 'hourly') return t('schedule.hourly')
  if (schedule?.kind === 'minutes')
    return t('schedule.minutes', { count: schedule.every, shown: formatNumber(schedule.every) })
  if (schedule?.kind === 'daily') return t('schedule.daily', { time: timeWords(schedule.time) })
  if (schedule?.kind === 'weekly')
    return t('schedule.weekly', { day: dayWords(weekdays.indexOf(schedule.day)), time: timeWords(schedule.time) })
  return written
}

const timeWords = (written: string): string => {
  const [hours = 0, minutes = 0] = written.split(':').map(Number)
  return formatTime(new Date(2026, 0, 4, hours, minutes).getTime())
}
/** 4 January 2026 was a Sunday. */
const dayWords = (day: number): string =>
  new Intl.DateTimeFormat(i18n.language, { weekday: 'long' }).format(new Date(2026, 0, 4 + day))
