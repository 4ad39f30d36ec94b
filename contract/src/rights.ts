/** What the path of a route names. */
import type { ResourceType, Right } from './resources.ts'

/** What the path of a route names, and what of it the caller needs. */
export type Named =
  /** A thing that can be shared: its kind, the parameter that holds its id, and the right that is needed on it. */
  | { readonly resource: ResourceType; readonly id: string; readonly right: Right | 'owner' }
  /** Something that is the caller's alone. */
  | 'own'
  /** Something of the instance, for whoever may call the route. */
  | 'instance'
