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
  .transform((value) =>
    value && Number.isFinite(value) ? Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(value))) : 0,
  )
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
  if (typeof written !== 'string') return null
  const [, minute, second, fraction = ''] = localTime.exec(written) ?? []
  if (minute === undefined || second === undefined) return readAnyTime(written)
  const known = minute === lastMinute.written ? lastMinute.utc : readMinute(minute)
  return known === null ? null : `${known}${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** As the daemon writes them: tens of thousands in a long log, most in the minute of the one before. */
const localTime = /^(\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):\d\d):([0-5]\d)(?:\.(\d{1,9}))?$/
let lastMinute: { readonly written: string; readonly utc: string | null } = { written: '', utc: null }

/** Up to the seconds, which are the same in every zone of today. */
const readMinute = (written: string): string | null => {
  const utc = readAnyTime(written)?.slice(0, -'00.000Z'.length) ?? null
  lastMinute = { written, utc }
  return utc
}

const readAnyTime = (written: string): string | null => {
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(written)) return null
  const at = Date.parse(written.replace(' ', 'T'))
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
export const time = z.unknown().optional().transform(readTime)
