/** The one function that says who may do what with a thing. Nothing is remembered: it goes by the rows as they are. */
import type { ResourceType } from '@atrium/contract/rights'
import type { Clock } from '../../platform/clock.ts'
import type { Caller, Thing } from '../../platform/http/area.ts'
import type { Authorise } from '../../platform/http/door.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Looks } from './break-glass/looks.ts'
import { decide, includes } from './rules.ts'
import type { AccessStore } from './store.ts'
import type { GrantRow } from './tables.ts'
import type { Decision, Owner, Place, Principals, Resource } from './types.ts'

export interface Authority {
  readonly authorise: Authorise
  rightOf(accountId: string, type: ResourceType, id: string): Promise<Decision>
  /** The decision for somebody who came through the door. */
  decideFor(caller: Pick<Caller, 'accountId' | 'role' | 'token'>, type: ResourceType, id: string): Promise<Decision>
}

/** A document lies in a chat, and that in a folder. */
const deepest = 4

export const createAuthority = (parts: {
  readonly clock: Clock
  readonly store: Pick<AccessStore, 'on'>
  readonly principals: Pick<Principals, 'find' | 'groups'>
  readonly owners: ReadonlyMap<ResourceType, Owner>
  readonly looks: Looks
}): Authority => {
  const { clock, store, principals, owners, looks } = parts

  const placeOf = async (type: ResourceType, id: string): Promise<Place | null> =>
    (await owners.get(type)?.placesOf([id]))?.get(id) ?? null

  const placesOf = async (things: readonly Resource[]): Promise<Map<string, Place>> => {
    const found = new Map<string, Place>()
    for (const [type, same] of Map.groupBy(things, (thing) => thing.type)) {
      const places = await owners.get(type)?.placesOf(same.map(({ id }) => id))
      for (const [id, place] of places ?? []) found.set(keyOf({ type, id }), place)
    }
    return found
  }

  /** Grants on a thing and on what it lies in, up to the outermost. What is not shown itself shows nothing. */
  const grantsOn = async (accountId: string, thing: Resource, place: Place): Promise<GrantRow[]> => {
    const grants: GrantRow[] = []
    let sure: readonly Resource[] = [thing]
    let around = place.within
    for (let depth = 0; depth < deepest && sure.length + around.length > 0; depth++) {
      const [rows, places] = await Promise.all([
        store.on([...sure, ...around], accountId, clock.now()),
        placesOf(around),
      ])
      const counts = (its: Resource): boolean => {
        const where = places.get(keyOf(its))
        return where?.shown === true && where.ownerId === place.ownerId
      }
      const counting = new Set([...sure, ...around.filter(counts)].map(keyOf))
      grants.push(...rows.filter((row) => counting.has(keyOf({ type: row.resource_type, id: row.resource_id }))))
      sure = []
      around = around.filter(counts).flatMap((its) => places.get(keyOf(its))?.within ?? [])
    }
    return grants
  }

  /** An owner costs one query; whoever comes by a grant costs two more at the same time. */
  const decideOf = async (accountId: string, mayLook: boolean, { type, id }: Resource): Promise<Decision> => {
    const place = await placeOf(type, id)
    const facts = { accountId, active: true, place, grants: [], groupIds: [], breakGlass: null }
    if (!place || place.ownerId === accountId || !place.shown) return decide(facts)
    const [grants, groupIds, look] = await Promise.all([
      grantsOn(accountId, { type, id }, place),
      principals.groups.ofNow(accountId),
      mayLook ? looks.holding(accountId, place.ownerId) : null,
    ])
    return decide({
      ...{ ...facts, grants, groupIds },
      breakGlass: look && { id: look.id, expiresAt: look.expires_at },
    })
  }
  /** Only a person looks into what others have, never a program. */
  const decideFor: Authority['decideFor'] = (caller, type, id) =>
    decideOf(caller.accountId, caller.role === 'admin' && caller.token === null, { type, id })

  return {
    decideFor,

    async rightOf(accountId, type, id) {
      const [account, decision] = await Promise.all([
        principals.find(accountId),
        decideOf(accountId, false, { type, id }),
      ])
      return account ? decision : { right: null, ownerId: null, reasons: [{ kind: 'inactive-account' }] }
    },

    // Who came through the door is active.
    async authorise(caller, named, id): Promise<Thing> {
      const { right, ownerId, reasons } = await decideFor(caller, named.thing, id)
      if (right === null || ownerId === null) throw fail(owners.get(named.thing)?.missing ?? 'resource_not_found')
      if (!includes(right, named.right)) throw fail('right_missing')
      const [reason] = reasons
      // Who reads by nothing else leaves a trace, and before the first word is read.
      if (reason?.kind === 'break-glass')
        await looks.opened(
          { id: reason.id, admin_id: caller.accountId, account_id: ownerId },
          { type: named.thing, id },
        )
      return { type: named.thing, id, ownerId, right }
    },
  }
}

const keyOf = ({ type, id }: Resource): string => `${type} ${id}`
