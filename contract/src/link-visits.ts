/** What opens a link that needs no account: its secret is exchanged for a visit, and all else is asked for with that. */
import { z } from 'zod'
import { Time } from './common.ts'

/** It travels in bodies only; in the address of a page it stands behind the `#`. */
export const LinkSecret = z.string().min(1).max(200)
/** Good for an hour, and for the one thing that its link shows. */
export const LinkVisit = z.string().min(1).max(300)
export const LinkPassword = z.string().min(1).max(200)
/** As its owner sets it; null: none. */
export const NewLinkPassword = LinkPassword.min(8).nullable()
/** How long a link works, from now on. */
export const LinkDays = z.number().int().min(1).max(365)

/** `password`: the link wants one, and none was sent. */
export const LinkOpening = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('password') }),
  z.strictObject({
    state: z.literal('open'),
    visit: LinkVisit,
    validUntil: Time,
    /** What the owner wants to be called; null where nothing was said. */
    ownerName: z.string().nullable(),
  }),
])
