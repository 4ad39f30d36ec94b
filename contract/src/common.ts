/** Shapes that more than one area uses. */
import { z } from 'zod'

export const Id = z.string().min(1).max(200)
/** A client may name a thing itself, so that sending twice makes one. */
export const ClientId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
/** RFC 3339 UTC with milliseconds. */
export const Time = z.iso.datetime({ precision: 3 })
export const Nothing = z.strictObject({})
/** `12.5`, at most nine places behind the point. */
export const Money = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'write it as a decimal number, such as 12.50')
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'write it as three capital letters, such as USD')

export const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() })
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(40),
  cursor: z.string().max(500).optional(),
})

/** The exact model of an exact provider. Model ids are not globally unique, so both are always stored. */
export const Selection = z
  .strictObject({
    providerType: z.enum(['local', 'plugin', 'agent', 'builtin']),
    providerId: z.string().min(1).max(200).nullable(),
    model: z.string().min(1).max(200),
  })
  // There is one built-in provider, which may be left unnamed.
  .overwrite((s) => (s.providerType === 'builtin' && s.providerId === null ? { ...s, providerId: 'builtin' } : s))
  .refine((s) => (s.providerType === 'local') === (s.providerId === null), {
    message: 'the local runtime has no provider id; every other provider needs one',
    path: ['providerId'],
  })
export type Selection = z.infer<typeof Selection>

/** Who may use something: nobody, administrators, besides them the members of chosen groups, or everybody. */
export const AccessMode = z.enum(['off', 'admins', 'groups', 'all-users'])
export type AccessMode = z.infer<typeof AccessMode>
/** What the environment can say of it: before there is somebody to make them, there are no groups to name. */
export const PlainAccessMode = AccessMode.exclude(['groups'])
/** The same of what an administrator always may use. */
export const Audience = AccessMode.exclude(['off'])
export type Audience = z.infer<typeof Audience>
/** Groups by id, as many as something may be for. */
export const GroupIds = z.array(Id).max(100)

/** Where the value of a setting comes from; the environment wins, and cannot be changed on a page. */
export const SettingSource = z.enum(['default', 'saved', 'environment'])
export type SettingSource = z.infer<typeof SettingSource>
/** `unreadable`: what was saved cannot be read; the strictest value holds until it is saved anew. */
export const ReadSource = z.enum([...SettingSource.options, 'unreadable'])

/** RFC 9457 problem details, with a stable code. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** Of a conflict: what stands now, in the form that its route answers with. */
  current: z.unknown().optional(),
})
export type Problem = z.infer<typeof Problem>
