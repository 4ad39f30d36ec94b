/**
 * Large answers that stay what they are: checked, written and packed once, and sent so to clients that take gzip. Only
 * for what holds no secret, as the length of what is packed tells of its content.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const pack = promisify(gzip)
const kept = new WeakMap<object, { packed: Promise<Buffer> | null }>()

/** Has an answer packed when it is first sent, and gives it back; neither it nor anything in it may change any more. */
export const keepPacked = <T extends object>(output: T): T => {
  if (!kept.has(output)) kept.set(output, { packed: null })
  return output
}

/**
 * The packed form of an answer; null where it is not kept in one, or the client does not take it. `accepted`: its
 * `Accept-Encoding`. `write` gives the text of the answer, and is called once.
 */
export const packedForm = (
  output: unknown,
  accepted: string | string[] | undefined,
  write: () => string,
): Promise<Buffer> | null => {
  const entry = typeof output === 'object' && output !== null ? kept.get(output) : undefined
  if (!entry || !takesCoding(accepted, 'gzip')) return null
  entry.packed ??= pack(write())
  return entry.packed
}

/** Whether a client takes a coding, as its `Accept-Encoding` says. */
export const takesCoding = (accepted: string | string[] | undefined, coding: 'br' | 'gzip'): boolean =>
  new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(String(accepted ?? ''))
