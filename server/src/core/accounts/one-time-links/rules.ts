/** Decisions about one-time links: what they look like, how long they stand, and where they lead. Pure. */
import type { LinkPurpose } from '@atrium/contract/accounts'
import { z } from 'zod'

const day = 24 * 3600_000
/** How long links stand that nobody chose a time for. */
export const linkLifetimes = { reset: 3600_000, 'password-link': day, 'verify-email': day } as const
/** So many links for a forgotten password may wait at a time; further ones are not mailed. */
export const liveResets = 3
/** So many links to confirm an address are mailed in an hour. */
export const verificationsAnHour = 5
/** Rows of links that are over are kept this long. */
export const keptMs = 30 * day

export const linkPrefix = 'atl_'
/** Whether a text can be the secret of a link at all. */
export const isLinkShaped = (text: string): boolean => /^atl_[A-Za-z0-9_-]{43}$/.test(text)

const pages: Readonly<Record<LinkPurpose, string>> = {
  invite: '/invite',
  reset: '/reset',
  'verify-email': '/verify-email',
}
/** The address of a link: behind the `#`, so that no server, proxy or log ever sees the secret. */
export const linkTo = (purpose: LinkPurpose, token: string, base: string | null): string =>
  `${base ?? ''}${pages[purpose]}#${token}`

/** What is prepared for whoever takes an invitation. */
export const InviteDetails = z.object({
  email: z.string().nullable(),
  role: z.enum(['admin', 'user']),
  groupIds: z.array(z.string()),
  /** The link went to the address by mail only, so whoever has it reads mail there. */
  mailed: z.boolean(),
})
export type InviteDetails = z.infer<typeof InviteDetails>

/** `email`: where the link was sent, where it was; whoever uses it has read mail there. */
export const ResetDetails = z.object({ email: z.string().nullable() })
export const VerifyDetails = z.object({ email: z.string() })
