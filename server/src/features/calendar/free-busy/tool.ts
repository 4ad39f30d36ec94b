/** A tool of models: when the user, and others of the workspace, have time. */
import type { calendarRoutes } from '@atrium/contract/calendar'
import { z } from 'zod'
import { nameLine } from '../../../platform/areas/tool-text.ts'
import { type Tool, defineTool } from '../../../platform/areas/tool.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { callFor } from '../../../platform/http/on-behalf.ts'
import { dayMs, formatWall, wallAt } from '../../../platform/time/index.ts'
import type { CalendarContext } from '../context.ts'
import { instantOf, isDay } from '../given-times.ts'

export const When = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/, 'write it as ISO 8601')
export const times =
  'ISO 8601: a day (2026-11-26), a time in the user’s time zone (2026-11-26T09:30), or one with an offset (2026-11-26T09:30Z)'

export const freeTimeTool = (
  context: Pick<CalendarContext, 'accountByUsername' | 'zoneOf'>,
  { freeBusy }: Pick<Handlers<typeof calendarRoutes>, 'freeBusy'>,
): Tool =>
  defineTool({
    name: 'find_free_time',
    description:
      'Finds times between two times when the user is free, and others of this workspace with the user. It never tells what anybody does. The range is 62 days at most.',
    arguments: z.strictObject({
      from: When.describe(times),
      to: When.describe('The end, in the same form; a day counts whole'),
      minutes: z.number().int().min(5).max(1440).describe('How long'),
      with: z.array(z.string().min(1).max(100)).max(20).optional().describe('User names of others'),
      fromHour: z.number().int().min(0).max(23).optional().describe('Not before this hour of a day; 9 by default'),
      toHour: z.number().int().min(1).max(24).optional().describe('Not after this hour of a day; 18 by default'),
    }),
    sideEffect: false,
    readsPrivateData: true,
    readsForeignText: false,
    sendsData: false,
    async run({ from, to, minutes, with: others = [], fromHour = 9, toHour = 18 }, { accountId, signal }) {
      const zone = await context.zoneOf(accountId)
      const accounts: string[] = []
      for (const username of others) {
        const id = await context.accountByUsername(username.replace(/^@/, ''))
        if (id === null) return { text: `Nobody here has the user name ${nameLine(username)}.`, isError: true }
        accounts.push(id)
      }
      const [begin, end] = [instantOf(from, zone), instantOf(to, zone) + (isDay(to) ? dayMs : 0)]
      const range = { from: new Date(begin).toISOString(), to: new Date(end).toISOString() }
      const query = { ...range, accounts, timeZone: zone ?? 'UTC', minutes, fromHour, toHour }
      const { free } = await callFor({ accountId, signal, resource: null }, freeBusy, { query })
      const about = `Times are in ${zone ?? 'UTC, because the user has not set a time zone'}.`
      if (free.length === 0)
        return { text: `There is no time for that between ${fromHour}:00 and ${toHour}:00. ${about}` }
      const local = (time: string): string => formatWall(wallAt(zone ?? 'UTC', Date.parse(time))).slice(0, 16)
      return { text: [about, ...free.map(({ startAt, endAt }) => `- ${local(startAt)} to ${local(endAt)}`)].join('\n') }
    },
  })
