/** What a trigger says, in words. */
import type { Trigger } from '@atrium/contract/automations'
import type { ReaderWords } from './own-time.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'

type Say = (key: string, values?: Record<string, unknown>) => string

/** The hour and the minute as the reader writes them. */
export const clockOf = (hour: number, minute: number, language?: string): string =>
  new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.UTC(2026, 0, 1, hour, minute),
  )

/** 0 is Sunday. */
export const weekdayName = (day: number, language?: string): string =>
  // The 4th of January 2026 is a Sunday.
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day))

/** 1 is January. */
export const monthName = (month: number, language?: string): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1, 1))

/** A sentence; the zone is named where it is not the reader's. */
export function triggerWords(trigger: Trigger, say: Say, own: ReaderWords): string {
  const { zone } = own
  const words = plainWords(trigger, say, own)
  const isElsewhere = 'timeZone' in trigger && trigger.timeZone !== zone
  return isElsewhere ? say('trigger.inZone', { words, zone: trigger.timeZone }) : words
}

function plainWords(trigger: Trigger, say: Say, { language, kindName }: ReaderWords): string {
  switch (trigger.kind) {
    case 'once':
      return say('trigger.onceAt', { time: formatDateTime(trigger.at) })
    case 'hourly': {
      const minute = formatNumber(trigger.minute)
      if (trigger.startHour === undefined && trigger.endHour === undefined) return say('trigger.everyHour', { minute })
      const [from, to] = [trigger.startHour ?? 0, trigger.endHour ?? 23]
      return say('trigger.everyHourBetween', { minute, from: clockOf(from, 0, language), to: clockOf(to, 0, language) })
    }
    case 'daily':
      return say('trigger.everyDay', { time: clockOf(trigger.hour, trigger.minute, language) })
    case 'weekly':
      return say('trigger.everyWeek', {
        day: weekdayName(trigger.dayOfWeek, language),
        time: clockOf(trigger.hour, trigger.minute, language),
      })
    case 'monthly':
      return say('trigger.everyMonth', {
        day: formatNumber(trigger.dayOfMonth),
        time: clockOf(trigger.hour, trigger.minute, language),
      })
    case 'yearly':
      return say('trigger.everyYear', {
        day: formatNumber(trigger.dayOfMonth),
        month: monthName(trigger.month, language),
        time: clockOf(trigger.hour, trigger.minute, language),
      })
    case 'rule':
      return say('trigger.byRule', { rule: trigger.rule })
    case 'cron':
      return say('trigger.byCron', { expression: trigger.expression })
    case 'event': {
      const { event, match } = trigger
      const words =
        event === 'channel-message' || event === 'collection-document' || event === 'calendar-event'
          ? say(`trigger.on.${event}`)
          : say('trigger.onNotification', { kind: kindName(event) })
      return match === null ? words : say('trigger.matching', { words, match })
    }
    case 'interval':
      return say('trigger.everyMinutes', { count: trigger.minutes })
  }
}
