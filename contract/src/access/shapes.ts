/** Whom something can be shared with. */
import { z } from 'zod'
import { Id } from '../common.ts'

export const Principal = z.strictObject({ type: z.enum(['account', 'group']), id: Id, name: z.string() })
export type Principal = z.infer<typeof Principal>
