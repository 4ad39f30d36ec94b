/** Which of several grants counts. Pure. */
import type { Right } from '@atrium/contract/access-control'
import type { GrantRow } from './tables.ts'

const ranks: Readonly<Record<Right, number>> = { read: 0, write: 1, admin: 2 }

/** Of the grants by which somebody reaches the same thing, the one with the widest right; of equals, the one that stays longest. */
export const widest = (grants: readonly GrantRow[]): GrantRow[] => {
  const best = new Map<string, GrantRow>()
  for (const grant of grants) {
    const key = `${grant.resource_type} ${grant.resource_id}`
    const other = best.get(key)
    if (!other || isWider(grant, other)) best.set(key, grant)
  }
  return [...best.values()]
}

const isWider = (a: GrantRow, b: GrantRow): boolean => {
  const byRight = ranks[a.access_right] - ranks[b.access_right]
  if (byRight !== 0) return byRight > 0
  const byEnd = endOf(a) - endOf(b)
  return byEnd === 0 ? a.created_at < b.created_at : byEnd > 0
}

const endOf = ({ expires_at }: GrantRow): number => expires_at ?? Number.MAX_SAFE_INTEGER
