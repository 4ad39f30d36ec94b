/** What changes in an account, told to its open pages: all events of all areas. No content travels here. */
import { z } from 'zod'
import { type AreaDescriptions, descriptions } from './index.ts'

type EventsOf<D> = D extends { readonly events: infer E extends Readonly<Record<string, z.ZodObject>> }
  ? { [T in keyof E & string]: { type: T; data: z.infer<E[T]> } }[keyof E & string]
  : never

/** Something of the account changed; pages load it again by id. */
export type AccountEvent = EventsOf<AreaDescriptions>

const [first, ...rest] = descriptions.flatMap(({ events = {} }) =>
  Object.entries(events).map(([type, data]) => z.strictObject({ type: z.literal(type), data })),
)
if (!first) throw new Error('No area has events.')
export const AccountEvent = z.discriminatedUnion('type', [first, ...rest]) as unknown as z.ZodType<AccountEvent>
