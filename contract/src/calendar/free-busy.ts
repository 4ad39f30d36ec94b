/** When people are busy, and when all of them are free. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { TimeZone } from './times.ts'

export const mostAsked = 20

const Hour = z.coerce.number().int().min(0).max(24)

export const FreeBusyQuery = z.strictObject({
  /** Ids of accounts, separated by commas. */
  accounts: z
    .string()
    .max(2000)
    .transform((text) => text.split(',').filter((id) => id !== ''))
    .pipe(z.array(Id).max(mostAsked))
    .default([]),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  /** Hours of a day are those of this zone. */
  timeZone: TimeZone,
  /** How long a time is looked for. */
  minutes: z.coerce.number().int().min(5).max(1440).optional(),
  fromHour: Hour.default(9),
  toHour: Hour.default(18),
  /** An event that takes no time here: the one that is to be moved. */
  except: Id.optional(),
})

export const BusySpan = z.strictObject({ startAt: Time, endAt: Time })

export const FreeBusy = z.strictObject({
  /** The caller first. What touches is told as one. */
  items: z.array(z.strictObject({ accountId: Id, name: z.string(), busy: z.array(BusySpan) })),
  free: z.array(BusySpan),
})
export type FreeBusy = z.infer<typeof FreeBusy>
