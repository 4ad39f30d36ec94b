/** The kinds of things that accounts have, and how far they can be shared. */
import { z } from 'zod'
import type { ResourceTraits } from './description.ts'
import { type AreaDescriptions, descriptions } from './index.ts'

type Kinds<D> = D extends { readonly resources: infer R } ? R : never
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type AllKinds = UnionToIntersection<Kinds<AreaDescriptions>>

/** Every kind of thing, of all areas. */
export type ResourceKind = keyof AllKinds
/** Kinds with a trait. */
export type KindWith<T extends keyof ResourceTraits> = {
  [K in ResourceKind]: T extends keyof AllKinds[K] ? K : never
}[ResourceKind]
/** What a kind is counted as. */
export type CountName = {
  [K in KindWith<'counted'>]: AllKinds[K]['counted' & keyof AllKinds[K]]
}[KindWith<'counted'>]

/** The traits of every kind. */
export const resources: Readonly<Record<ResourceKind, ResourceTraits>> = Object.assign(
  {},
  ...descriptions.map((area) => area.resources),
)

/** The kinds with a trait, in the order of the areas. */
const kindsWith = <T extends keyof ResourceTraits>(trait: T) => {
  const kinds = (Object.keys(resources) as ResourceKind[]).filter((kind) => resources[kind][trait] !== undefined)
  return kinds as unknown as readonly [KindWith<T>, ...KindWith<T>[]]
}

export const resourceKinds: readonly ResourceKind[] = Object.keys(resources) as ResourceKind[]
export const sharedKinds = kindsWith('shared')
export const foundKinds = kindsWith('found')
export const trashedKinds = kindsWith('trashed')
export const storedKinds = kindsWith('stored')
export const transferableKinds = kindsWith('transferable')
export const countNames = kindsWith('counted').map((kind) => resources[kind].counted) as readonly CountName[]

/** Kinds of things that can be shared. */
export const ResourceType = z.enum(sharedKinds)
export type ResourceType = z.infer<typeof ResourceType>

/** Each one holds those before it. Only the owner of a thing may more. */
export const Right = z.enum(['read', 'write', 'admin'])
export type Right = z.infer<typeof Right>
