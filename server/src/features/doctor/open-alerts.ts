/** What is kept of each alert between two looks, and how it changes. Pure. */
import { z } from 'zod'

/**
 * What fails is told at once. A warning begins, and every alert ends, after so many looks in a row: a machine that slept is
 * late for a moment, and what stands at a limit must not be told again and again.
 */
const looksInARow = 2
/** Who tells of an alert has so long before another process does it. */
const claimMs = 10 * 60_000
/** Of a process: looked at by nobody for so long, it is not there any more. */
const processGoneMs = 30 * 60_000
/** Nothing was seen of it for so long: nobody knows whether it still is so. */
const forgottenMs = 24 * 3_600_000

export const OpenAlert = z.strictObject({
  status: z.enum(['warn', 'fail']),
  message: z.string(),
  /** Of the process that saw it; null for what is of the instance. */
  host: z.string().nullable().default(null),
  since: z.number(),
  /** Looks in a row in which it was seen; no alert before there were two. */
  looks: z.number().int(),
  /** Passes in a row since then. */
  passes: z.number().int(),
  /** When somebody looked, and when something was seen; without in what an older version wrote. */
  lookedAt: z.number().optional(),
  seenAt: z.number().optional(),
  /** Whether administrators were told, and since when somebody is at it. */
  told: z.boolean().default(true),
  tellingSince: z.number().nullable().default(null),
})
export type OpenAlert = z.infer<typeof OpenAlert>
/** By check, with the place of the process behind an `@` where it is of one. */
export type OpenAlerts = Readonly<Record<string, OpenAlert>>

/** What one check came to. */
export interface Sight {
  readonly key: string
  readonly host: string | null
  readonly status: 'pass' | 'warn' | 'fail'
  readonly message: string
  /** Whether anything was seen: where not, what was seen before still holds. */
  readonly isKnown: boolean
}

/** The alerts after one more look. What nobody looks at any more is dropped. */
export const updateAlerts = (open: OpenAlerts, sights: readonly Sight[], now: number): OpenAlerts => {
  const next: Record<string, OpenAlert> = {}
  for (const [key, one] of Object.entries(open)) next[key] = { lookedAt: now, seenAt: now, ...one }
  for (const { key, host, status, message, isKnown } of sights) {
    const known = next[key]
    if (!isKnown) {
      if (known) next[key] = { ...known, lookedAt: now }
    } else if (status === 'pass') {
      const passed = known && passOnce(known, now)
      if (passed) next[key] = passed
      else delete next[key]
    } else {
      const looks = status === 'fail' ? looksInARow : Math.min((known?.looks ?? 0) + 1, looksInARow)
      const { since = now, told = false, tellingSince = null } = known ?? {}
      next[key] = { status, message, host, since, looks, passes: 0, lookedAt: now, seenAt: now, told, tellingSince }
    }
  }
  return Object.fromEntries(Object.entries(next).filter(([, one]) => !isForgotten(one, now)))
}

/** null where that ends it. */
const passOnce = (known: OpenAlert, now: number): OpenAlert | null =>
  !isOpen(known) || known.passes + 1 >= looksInARow
    ? null
    : { ...known, passes: known.passes + 1, lookedAt: now, seenAt: now }

const isForgotten = ({ host, lookedAt = 0, seenAt = 0 }: OpenAlert, now: number): boolean =>
  now - seenAt > forgottenMs || (host !== null && now - lookedAt > processGoneMs)

/** Whether it was seen often enough. */
export const isOpen = ({ looks }: OpenAlert): boolean => looks >= looksInARow

/** Marks those that nobody tells of yet, so that one process alone does; gives their keys. */
export const claimUntold = (
  open: OpenAlerts,
  now: number,
): { readonly open: OpenAlerts; readonly keys: readonly string[] } => {
  const keys = Object.entries(open)
    .filter(([, one]) => isOpen(one) && !one.told && now - (one.tellingSince ?? Number.NEGATIVE_INFINITY) > claimMs)
    .map(([key]) => key)
  return { keys, open: changeEach(open, keys, { tellingSince: now }) }
}

export const markTold = (open: OpenAlerts, keys: readonly string[]): OpenAlerts =>
  changeEach(open, keys, { told: true, tellingSince: null })

const changeEach = (open: OpenAlerts, keys: readonly string[], change: Partial<OpenAlert>): OpenAlerts =>
  Object.fromEntries(
    Object.entries(open).map(([key, one]) => [key, keys.includes(key) ? { ...one, ...change } : one] as const),
  )
