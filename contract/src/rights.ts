/** What can be shared, and how far. */
import { z } from 'zod'

/** Kinds of things that can be shared. */
export const ResourceType = z.enum(['chat', 'folder', 'document', 'collection'])
export type ResourceType = z.infer<typeof ResourceType>

/** Each one holds those before it. Only the owner of a thing may more. */
export const Right = z.enum(['read', 'write', 'admin'])
export type Right = z.infer<typeof Right>

/** What the path of a route names, and what of it the caller needs. */
export type Named =
  /** A thing that can be shared: its kind, the parameter that holds its id, and the right that is needed on it. */
  | { readonly thing: ResourceType; readonly id: string; readonly right: Right | 'owner' }
  /** Something that is the caller's alone. */
  | 'own'
  /** Something of the instance, for whoever may call the route. */
  | 'instance'
