/** Many people at once: what a spreadsheet says of them, looked at first and then made. */
import { z } from 'zod'
import { Id } from '../common.ts'
import { routes } from '../route.ts'

export const mostImported = 500

/** One line, as it is written; what is wrong with it is told, not refused. */
const Line = z.strictObject({
  username: z.string().max(300).default(''),
  displayName: z.string().max(300).default(''),
  email: z.string().max(300).default(''),
  /** `admin` or `user`; empty: `user`. */
  role: z.string().max(40).default(''),
  /** By name. */
  groups: z.array(z.string().max(200)).max(20).default([]),
})
export type ImportLine = z.infer<typeof Line>

export const importFields = ['username', 'displayName', 'email', 'role', 'groups'] as const
export const importFaultCodes = ['missing', 'invalid', 'scripts', 'taken', 'repeated', 'unknown', 'limit'] as const

export const ImportFault = z.strictObject({ field: z.enum(importFields), code: z.enum(importFaultCodes) })
export type ImportFault = z.infer<typeof ImportFault>

/** What comes, or came, of one line. */
export const ImportResult = z.strictObject({
  /** Its place, the first 0. */
  index: z.number().int(),
  /** Empty: it can be made. */
  faults: z.array(ImportFault),
  /** The account, where one was made. */
  id: Id.nullable(),
  /** For whoever it is for, to choose a password or to accept; in no other answer. null: none was made, or it was mailed. */
  link: z.string().nullable(),
  /** The link was mailed. */
  sent: z.boolean(),
})
export type ImportResult = z.infer<typeof ImportResult>

export const importRoutes = routes({
  import: {
    method: 'post',
    path: '/api/users/import',
    access: 'admin',
    proof: true,
    forPeople: true,
    limit: 'account',
    noStore: true,
    summary:
      'Import up to 500 accounts or invitations. Invalid lines are skipped and reported; with `dryRun`, nothing is created',
    body: z.strictObject({
      people: z.array(Line).min(1).max(mostImported),
      /** Accounts are active at once, each with a link that sets a password; invitations leave the user name to the guest. */
      as: z.enum(['accounts', 'invitations']),
      /** Mail invitations that have an address. */
      send: z.boolean().default(false),
      dryRun: z.boolean().default(false),
    }),
    returns: z.strictObject({ items: z.array(ImportResult), nextCursor: z.null() }),
    errors: ['mail_not_configured'],
  },
})
