/** What an account shares with others: how much, and who would lose it. */
import type { ResourceType } from '@atrium/contract/rights'
import type { AccessStore } from './store.ts'
import type { AccessDeps, Owner, Resource } from './types.ts'

const atOnce = 500

export const createSharedBy = (deps: {
  store: Pick<AccessStore, 'all' | 'removeResources'>
  principals: AccessDeps['principals']
  owners: ReadonlyMap<ResourceType, Owner>
}) => {
  const { store, principals, owners } = deps

  /** The grants on what an account has. Grants do not say whose a thing is, so all of them are gone through. */
  const grantsOn = async (accountId: string) => {
    const found: (Resource & { principalType: 'account' | 'group'; principalId: string })[] = []
    for (const [type, owner] of owners)
      for await (const grants of store.all(type, atOnce)) {
        const places = await owner.placesOf([...new Set(grants.map(({ resource_id }) => resource_id))])
        for (const { resource_id: id, principal_type, principal_id } of grants)
          if (places.get(id)?.ownerId === accountId)
            found.push({ type, id, principalType: principal_type, principalId: principal_id })
      }
    return found
  }

  return {
    async count(accountId: string): Promise<{ shared: number; losingAccess: number }> {
      const grants = await grantsOn(accountId)
      const losing = new Set<string>()
      for (const { principalType, principalId } of grants) {
        const ids = principalType === 'account' ? [principalId] : await principals.groups.memberIds(principalId)
        for (const id of ids) losing.add(id)
      }
      losing.delete(accountId)
      return { shared: new Set(grants.map(({ type, id }) => `${type} ${id}`)).size, losingAccess: losing.size }
    },

    /** Ends every grant on what an account has, before the things themselves go. */
    async end(accountId: string): Promise<void> {
      for (const { type, id } of await grantsOn(accountId)) await store.removeResources(type, [id])
    },
  }
}
