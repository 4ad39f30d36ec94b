/** What the rest of the product must know of an area. It imports no routes, so that shapes may use the lists that derive from it. */
import type { z } from 'zod'

/** What can be done with things of a kind. */
export interface ResourceTraits {
  /** Others can be given a right to it. */
  readonly shared?: true
  /**
   * Where it is `shared`: nobody can be given a right to it by a grant, so that others reach it by what it lies in, or by
   * support access.
   */
  readonly private?: true
  /** Where it is `private`: it belongs to nobody, and who is a member of it has a right to it. No support access opens it. */
  readonly members?: true
  /**
   * Where it is `shared`: it belongs to the instance, so that every administrator may do with it what an owner may, and no
   * support access opens it.
   */
  readonly instance?: true
  /** The search over everything finds it. */
  readonly found?: true
  /** Deleted ones wait in the trash for 30 days. */
  readonly trashed?: true
  /** They keep files, which count against the room of the account. */
  readonly stored?: true
  /**
   * Where it is `shared`: its owner can make it another account's. What has not this trait says on the server why it stays
   * with its owner.
   */
  readonly transferable?: true
  /** How many an account has is told under this name before the account is removed. */
  readonly counted?: string
}

export interface AreaDescription {
  /** The area's word: the name of its folders in contract, server and web. */
  readonly name: string
  /** The word of the specification: in OpenAPI and in scopes. */
  readonly tag: string
  /** Codes that only routes of this area answer with. */
  readonly errors?: Readonly<Record<string, readonly [status: number, sentence: string]>>
  /** What open pages of an account are told, by type: ids only, never content. */
  readonly events?: Readonly<Record<string, z.ZodObject>>
  readonly audit?: readonly `${string}.${string}`[]
  /** Kinds of jobs that it works on, `<area>.<what>`. */
  readonly jobs?: readonly `${string}.${string}`[]
  /** Why its jobs fail, where no code of `errors` says it. */
  readonly jobFailures?: readonly string[]
  /** What API tokens may be given: `<tag>:read`, `<tag>:write`. None: tokens may not call this area's routes. */
  readonly scopes?: readonly ('read' | 'write')[]
  readonly resources?: Readonly<Record<string, ResourceTraits>>
  /**
   * What it tells people of, by kind, with the facts of each. Texts among them are `Words` (`notifications/words.ts`): what
   * is none of these may stand in push and mail, and is not searched.
   */
  readonly notifications?: Readonly<Record<string, z.ZodObject>>
}

/** Keeps the literal types of a description. */
export const describeArea = <const D extends AreaDescription>(description: D): D => description
