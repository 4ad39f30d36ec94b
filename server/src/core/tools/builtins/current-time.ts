/** The tool that tells what time it is. */
import { z } from 'zod'
import { defineTool, type Tool } from '../../../platform/areas/tool.ts'
import type { Clock } from '../../../platform/clock.ts'

interface TimeDeps {
  readonly clock: Pick<Clock, 'now'>
  /** As the account has set it; null: it goes by the device, which nobody here knows. */
  readonly timeZoneOf: (accountId: string) => Promise<string | null>
}

export const createCurrentTime = ({ clock, timeZoneOf }: TimeDeps): Tool =>
  defineTool({
    name: 'current_time',
    description:
      'Tells the current date, time and day of the week. Use it whenever the answer depends on what day or time it is now.',
    sideEffect: false,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    arguments: z.strictObject({
      time_zone: z
        .string()
        .max(60)
        .optional()
        .describe('An IANA time zone, such as Europe/Berlin. Without it, the zone of the user, or else UTC.'),
    }),
    async run({ time_zone: wanted }, { accountId }) {
      const zone = wanted ?? (await timeZoneOf(accountId)) ?? 'UTC'
      const now = new Date(clock.now())
      try {
        const words = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'long' })
        return { text: `${words.format(now)} (${zone}). In UTC: ${now.toISOString()}` }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        return { text: `There is no time zone ${zone}. Name one as IANA does, such as Europe/Berlin.`, isError: true }
      }
    },
  })
