/**
 * One idea of time: zones, rules of RFC 5545 with dates and exceptions, cron and intervals, each a `Schedule` that tells
 * what comes next, came before and lies between. Where clocks change, a time that does not exist is taken with the offset
 * from before, one that comes twice is the first, and what goes by the hour or the minute goes by elapsed time. It knows
 * nothing of what is scheduled.
 */
export { createCron } from './cron.ts'
export { createInterval } from './interval.ts'
export { dayOf, formatDay, formatWall, parseDay, parseWall } from './local.ts'
export { checkSeries, createSeries, type Series } from './series.ts'
export { dayMs, hourMs, minuteMs, mostSteps, type Schedule, ScheduleFault, type ScheduleReason } from './types.ts'
export { ruleOf, type Usual } from './usual.ts'
export { placeWall, wallAt, zoneNamed } from './zones.ts'
