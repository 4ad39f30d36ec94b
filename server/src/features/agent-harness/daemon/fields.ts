/** Single values of the daemon's answers. What is not in the right form is absent; texts are cut. */
import { z } from 'zod'

export const textUpTo = (max: number) => z.string().transform((value) => value.slice(0, max))
/** A text, or null where there is none. */
export const optionalText = (max: number) =>
  z
    .union([textUpTo(max), z.number().transform(String)])
    .nullish()
    .catch(null)
    .transform((value) => (value ? value : null))
export const count = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => (value && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0))
export const cost = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/**
 * RFC 3339 of a time in ISO 8601, which is local where it says no zone: of the daemon's machine, which is taken to have
 * the zone of this one. null for what is no time.
 */
export const readTime = (written: unknown): string | null => {
  if (typeof written !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(written)) return null
  const at = Date.parse(written.replace(' ', 'T'))
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
export const time = z.unknown().optional().transform(readTime)
