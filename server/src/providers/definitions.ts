/** The definitions that come with Atrium: trusted, known to every account, and stored in no database. */
import type { Definition } from '@atrium/contract/model-management'
import type { WireId } from './wires/index.ts'

/** A definition of ours. What stands here beyond a definition cannot be said by one that is imported. */
export type BundledDefinition = Definition & {
  /** The format that its chat route speaks. An installed definition of the same id keeps it. */
  readonly wire: WireId
  /** Whether its own host takes attribution headers. */
  readonly attribution?: boolean
  /** Whether it is entered by the server's own sign-in instead of a key; administrators only. */
  readonly signIn?: boolean
  /** A server on the operator's own machine. */
  readonly local?: boolean
  /** Where its models are listed, when that cannot be derived from the route; for its own unchanged route only. */
  readonly modelsUrl?: string
}

export const bundledDefinitions = (): readonly BundledDefinition[] => []
