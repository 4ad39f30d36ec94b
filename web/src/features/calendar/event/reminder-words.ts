import type { Translate } from '../../../lib/texts.ts'

/** What is offered, in minutes before the start. */
export const reminderChoices = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10_080]

/** `10 minutes before`. */
export function sayReminder(t: Translate, minutes: number): string {
  if (minutes === 0) return t('reminder.start')
  if (minutes % 10_080 === 0) return t('reminder.weeks', { count: minutes / 10_080 })
  if (minutes % 1440 === 0) return t('reminder.days', { count: minutes / 1440 })
  if (minutes % 60 === 0) return t('reminder.hours', { count: minutes / 60 })
  return t('reminder.minutes', { count: minutes })
}
