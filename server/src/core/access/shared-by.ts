/** What an account shares with others: how much, and who would lose it. */
import type { ResourceType } from '@atrium/contract/resources'
import type { AccessStore } from './store.ts'
import type { ResourceRef } from './context.ts'
import type { GrantRow } from './tables.ts'
import type { Shareable } from '../resources/index.ts'

/** The accounts that reach something by a grant. */
export type ListGrantees = (grant: GrantRow) => Promise<readonly string[]>

const atOnce = 500

export const createOwnerShares = (deps: {
  store: Pick<AccessStore, 'all' | 'placesOf' | 'removeResources'>
  accountsBy: ListGrantees
  kinds: ReadonlyMap<ResourceType, Shareable>
}) => {
  const { store, accountsBy, kinds } = deps

  /** The grants on what an account has. Grants do not say whose a thing is, so all of them are gone through. */
  const grantsOn = async (accountId: string) => {
    const found: GrantRow[] = []
    for (const [type, resource] of kinds)
      for await (const grants of store.all(type, atOnce)) {
        const places = await store.placesOf(resource, [...new Set(grants.map(({ resource_id }) => resource_id))])
        found.push(...grants.filter(({ resource_id }) => places.get(resource_id)?.ownerId === accountId))
      }
    return found
  }

  return {
    async list(accountId: string): Promise<ResourceRef[]> {
      const found = new Map<string, ResourceRef>()
      for (const { resource_type: type, resource_id: id } of await grantsOn(accountId))
        found.set(`${type} ${id}`, { type, id })
      return [...found.values()]
    },

    async count(accountId: string): Promise<{ shared: number; losingAccess: number }> {
      const grants = await grantsOn(accountId)
      const losing = new Set<string>()
      for (const grant of grants) for (const id of await accountsBy(grant)) losing.add(id)
      losing.delete(accountId)
      return {
        shared: new Set(grants.map(({ resource_type, resource_id }) => `${resource_type} ${resource_id}`)).size,
        losingAccess: losing.size,
      }
    },

    /** Ends every grant on what an account has, before the things themselves go. */
    async end(accountId: string): Promise<void> {
      for (const { resource_type, resource_id } of await grantsOn(accountId))
        await store.removeResources(resource_type, [resource_id])
    },
  }
}
