/** What of some bytes a request asks for: ranges and the conditions on them (RFC 9110, 13 and 14). */

export interface Range {
  readonly start: number
  /** Left out itself. */
  readonly end: number
}

/**
 * The one range of a `Range` header; `beyond` where the bytes have nothing of it. null where there is none or it is of a
 * form that may be passed over, which several ranges are.
 */
export const readRange = (header: string | undefined, size: number): Range | 'beyond' | null => {
  const [, from, to] = /^bytes=(\d{0,20})-(\d{0,20})$/i.exec(header?.replace(/[ \t]+/g, '') ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'beyond' : { start: Math.max(0, size - Number(to)), end: size }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return null
  if (start >= size) return 'beyond'
  return { start, end: to === '' ? size : Math.min(size, Number(to) + 1) }
}

/** Whether a range may be given: without a condition, or where the client has a part of these very bytes. Dates never hold. */
export const allowsRange = (ifRange: string | undefined, etag: string | null): boolean =>
  ifRange === undefined || (etag !== null && ifRange.trim() === etag)

/** Whether an `If-None-Match` names these bytes: the client has them already. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string | null): boolean =>
  ifNoneMatch !== undefined &&
  etag !== null &&
  ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
