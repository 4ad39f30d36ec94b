/** Who may do what with a thing, and which of several grants counts. Pure. */
import type { Right } from '@atrium/contract/resources'
import type { GrantRow } from './tables.ts'
import type { AccessDecision, ResourcePlace } from './context.ts'

const ranks: Readonly<Record<Right | 'owner', number>> = { read: 0, write: 1, admin: 2, owner: 3 }

/** Whether somebody who has a right has another one with it. */
export const includesRight = (right: Right | 'owner', needed: Right | 'owner'): boolean => ranks[right] >= ranks[needed]

/** All that a decision hangs on. */
export interface DecisionFacts {
  readonly accountId: string
  /** Whose the thing is; null when there is none. */
  readonly place: ResourcePlace | null
  /** What the account and its groups hold now, on the thing and on what it lies in. */
  readonly grants: readonly GrantRow[]
  /** What the account may do as a member of it. */
  readonly membership: Right | 'owner' | null
  /** This account's active support access to everything of the owner. */
  readonly breakGlass: { readonly id: string; readonly expiresAt: number } | null
}

/**
 * The rule: whose the thing is may everything; what is not there, or not for others (the trash), is there for nobody
 * else; a member may what the membership says; of all grants the widest counts; else nothing. The role of an administrator gives no right.
 */
export const decideAccess = ({ accountId, place, grants, membership, breakGlass }: DecisionFacts): AccessDecision => {
  if (!place) return { right: null, ownerId: null, reasons: [{ kind: 'not-found' }] }
  const { ownerId } = place
  if (ownerId === accountId) return { right: 'owner', ownerId, reasons: [{ kind: 'owner' }] }
  if (!place.shown) return { right: null, ownerId, reasons: [{ kind: 'not-found' }] }
  if (membership !== null) return { right: membership, ownerId, reasons: [{ kind: 'member', right: membership }] }
  const best = grants.toSorted((a, b) => (isWider(a, b) ? -1 : 1))
  const right = best[0]?.access_right ?? (breakGlass ? 'read' : null)
  if (right === null) return { right, ownerId, reasons: [{ kind: 'no-grant' }] }
  return {
    right,
    ownerId,
    reasons: [
      ...best.map((grant) => ({ kind: 'grant' as const, grant })),
      ...(breakGlass ? [{ kind: 'break-glass' as const, ...breakGlass }] : []),
    ],
  }
}

/** Of the grants by which somebody reaches the same thing, the one with the widest right; of equals, the one that stays longest. */
export const widestGrants = (grants: readonly GrantRow[]): GrantRow[] => {
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
