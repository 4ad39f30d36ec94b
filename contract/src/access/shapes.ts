/** Whom something can be shared with. */
import { z } from 'zod'
import { Id } from '../common.ts'

export const Principal = z.strictObject({
  type: z.enum(['account', 'group']),
  id: Id,
  name: z.string(),
  /** Where the picture of an account is, if it has one. */
  avatar: z.string().nullable(),
})
export type Principal = z.infer<typeof Principal>
