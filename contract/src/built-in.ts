/** How something stands that the server does by itself, without a model: the built-in reader, the built-in voice. */
import { z } from 'zod'

export const BuiltInState = z.strictObject({
  /**
   * Since the process that answers started: never asked, its last run succeeded, at least one is under way or waits for
   * its turn, or the last one failed.
   */
  state: z.enum(['unused', 'ready', 'busy', 'failed']),
  /**
   * The most memory that the process of one run may hold, in MiB. It is ended beyond that, where the system tells what it
   * holds; elsewhere its heap alone is bounded.
   */
  memoryMb: z.number().int(),
})
export type BuiltInState = z.infer<typeof BuiltInState>
