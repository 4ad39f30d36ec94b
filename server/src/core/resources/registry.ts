/** Every kind of thing that the areas offer, by what can be done with it. */
import type { ResourceTraits } from '@atrium/contract/description'
import { type KindWith, type ResourceKind, resources as traitsOf } from '@atrium/contract/resources'
import type { Countable, Findable, Resource, Shareable, Storable, Transferable, Trashable } from './resource.ts'

/** The kinds of an area. */
export type Resources = { readonly [K in ResourceKind]?: Resource }

export interface ResourceRegistry {
  /** Adds the kinds of areas, before the first request. Throws where a kind is there already, or is none of the contract. */
  add(resources: Resources | Readonly<Record<string, object>>): void
  readonly all: ReadonlyMap<ResourceKind, Resource>
  readonly shared: ReadonlyMap<KindWith<'shared'>, Shareable>
  readonly found: ReadonlyMap<KindWith<'found'>, Findable>
  readonly trashed: ReadonlyMap<KindWith<'trashed'>, Trashable>
  readonly stored: ReadonlyMap<KindWith<'stored'>, Storable>
  readonly counted: ReadonlyMap<KindWith<'counted'>, Countable>
  readonly transferable: ReadonlyMap<KindWith<'transferable'>, Transferable>
}

/** Empty at first: who holds it sees what is added later. */
export const createResourceRegistry = (): ResourceRegistry => {
  const all = new Map<ResourceKind, Resource>()
  const shared = new Map<KindWith<'shared'>, Shareable>()
  const found = new Map<KindWith<'found'>, Findable>()
  const trashed = new Map<KindWith<'trashed'>, Trashable>()
  const stored = new Map<KindWith<'stored'>, Storable>()
  const counted = new Map<KindWith<'counted'>, Countable>()
  const transferable = new Map<KindWith<'transferable'>, Transferable>()

  return {
    all,
    shared,
    found,
    trashed,
    stored,
    counted,
    transferable,
    add(resources) {
      for (const [kind, resource] of Object.entries(resources) as [ResourceKind, Resource][]) {
        if (!(kind in traitsOf)) throw new Error(`The contract has no kind ${kind}.`)
        if (all.has(kind)) throw new Error(`The kind ${kind} is there already.`)
        all.set(kind, resource)
        if (has(kind, 'shared') && isShareable(resource)) shared.set(kind, resource)
        if (has(kind, 'found') && isFindable(resource)) found.set(kind, resource)
        if (has(kind, 'trashed') && isTrashable(resource)) trashed.set(kind, resource)
        if (has(kind, 'stored') && isStorable(resource)) stored.set(kind, resource)
        if (has(kind, 'counted') && isCountable(resource)) counted.set(kind, resource)
        if (has(kind, 'transferable') && isTransferable(resource)) transferable.set(kind, resource)
      }
    },
  }
}

/** Whether the contract says so of a kind. */
const has = <T extends keyof ResourceTraits>(kind: ResourceKind, trait: T): kind is KindWith<T> =>
  traitsOf[kind][trait] !== undefined
const isShareable = (resource: Resource): resource is Resource & Shareable => resource.places !== undefined
const isFindable = (resource: Resource): resource is Resource & Findable => resource.search !== undefined
const isTrashable = (resource: Resource): resource is Resource & Trashable => resource.trash !== undefined
const isStorable = (resource: Resource): resource is Resource & Storable => resource.storage !== undefined
const isCountable = (resource: Resource): resource is Resource & Countable => resource.count !== undefined
const isTransferable = (resource: Resource): resource is Resource & Transferable =>
  resource.transfer !== undefined && 'prepare' in resource.transfer
