/** Which backups stay, and why. Pure: it counts hours and days that have backups, not those that have passed, so that a clock that jumps takes nothing away. */

export interface RetentionPolicy {
  readonly hourly: number
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

export const usualRetention: RetentionPolicy = { hourly: 24, daily: 7, weekly: 5, monthly: 12 }

/**
 * - `newest`, `proved`: these never go.
 * - `hourly` and so on: the newest of its hour, day, ISO week or month (UTC).
 * - `unreadable`: what it needs cannot be known.
 * - `clock`: one of them was made in the future, so nothing goes.
 */
export type RetentionReason = 'newest' | 'proved' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'unreadable' | 'clock'

export interface RetainedBackup {
  readonly id: string
  /** null where it cannot be read. */
  readonly createdAt: number | null
  /** Empty: it goes. */
  readonly reasons: readonly RetentionReason[]
}

const hourMs = 3_600_000

/** `proved`: the id of the backup that was proved last. Newest first. */
export const applyRetention = (
  backups: readonly { readonly id: string; readonly createdAt: number | null }[],
  policy: RetentionPolicy,
  { now, proved }: { now: number; proved?: string | undefined },
): RetainedBackup[] => {
  const sorted = backups.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) || (a.id < b.id ? 1 : -1))
  const newest = sorted.find(({ createdAt }) => createdAt !== null)
  const jumped = newest !== undefined && (newest.createdAt ?? 0) > now + hourMs
  const seen = {
    hourly: new Set<string>(),
    daily: new Set<string>(),
    weekly: new Set<string>(),
    monthly: new Set<string>(),
  }
  return sorted.map(({ id, createdAt }) => {
    const reasons: RetentionReason[] = []
    if (jumped) reasons.push('clock')
    if (createdAt === null) return { id, createdAt, reasons: [...reasons, 'unreadable'] }
    if (id === newest?.id) reasons.push('newest')
    if (id === proved) reasons.push('proved')
    for (const [period, name] of Object.entries(periodsOf(createdAt)) as [keyof typeof seen, string][]) {
      if (seen[period].has(name) || seen[period].size >= policy[period]) continue
      seen[period].add(name)
      reasons.push(period)
    }
    return { id, createdAt, reasons }
  })
}

const dayMs = 24 * hourMs

const periodsOf = (time: number) => {
  const text = new Date(time).toISOString()
  return {
    hourly: text.slice(0, 13),
    daily: text.slice(0, 10),
    // 1970 began on a Thursday; weeks begin on Mondays.
    weekly: String(Math.floor((time + 3 * dayMs) / (7 * dayMs))),
    monthly: text.slice(0, 7),
  }
}
