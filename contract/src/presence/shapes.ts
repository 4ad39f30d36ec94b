/** Whether people are there, as others see it, and as they set it themselves. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { plainLine } from '../plain-line.ts'

export const mostStatusLetters = 100
/** The end of `do-not-disturb` is no further away. */
export const longestDoNotDisturbMs = 366 * 24 * 3600_000

/**
 * `automatic`: active while somebody is there in front of a page. `away` and `invisible`: shown as away; who is invisible
 * is told of things as if present. `do-not-disturb`: shown as such, and nothing leaves the app until it ends.
 */
export const PresenceMode = z.enum(['automatic', 'away', 'do-not-disturb', 'invisible'])
export type PresenceMode = z.infer<typeof PresenceMode>

/** As somebody has set it. */
export const OwnPresence = z.strictObject({
  mode: PresenceMode,
  /** When `do-not-disturb` ends by itself; null in every other mode. */
  until: Time.nullable(),
  /** A line that others see; null: none. */
  status: z
    .string()
    .trim()
    .min(1)
    .max(mostStatusLetters)
    .regex(plainLine, 'leave out line breaks and hidden marks')
    .nullable(),
})
export type OwnPresence = z.infer<typeof OwnPresence>

/** As others see it. */
export const Presence = z.strictObject({
  userId: Id,
  state: z.enum(['active', 'away', 'do-not-disturb']),
  status: z.string().nullable(),
})
export type Presence = z.infer<typeof Presence>
