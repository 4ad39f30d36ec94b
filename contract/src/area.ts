/**
 * An area is a value. Its description holds what lists over all areas derive from, and imports no routes, so that
 * shapes may use those lists; `area()` adds the routes and the shapes.
 */
import type { z } from 'zod'
import type { CommonAuditAction } from './audit/actions.ts'
import type { CommonErrorCode } from './errors.ts'
import type { Route } from './route.ts'

/** What can be done with things of a kind. */
export interface ResourceTraits {
  /** Others can be given a right to it. */
  readonly shared?: true
  /** The search over everything finds it. */
  readonly found?: true
  /** Deleted ones wait in the trash for 30 days. */
  readonly trashed?: true
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
  /** What API tokens may be given: `<tag>:read`, `<tag>:write`. None: tokens may not call this area's routes. */
  readonly scopes?: readonly ('read' | 'write')[]
  readonly resources?: Readonly<Record<string, ResourceTraits>>
}

/** Keeps the literal types of a description. */
export const describeArea = <const D extends AreaDescription>(description: D): D => description

type ErrorsOf<D> = D extends { readonly errors: infer E extends object } ? keyof E & string : never
type AuditOf<D> = D extends { readonly audit: readonly (infer A)[] } ? A : never

/** Routes of an area: with its own codes and audit actions, and the common ones. */
export type RoutesOf<D extends AreaDescription> = Readonly<
  Record<
    string,
    Route & {
      readonly errors?: readonly (ErrorsOf<D> | CommonErrorCode)[]
      readonly audit?: AuditOf<D> | CommonAuditAction
    }
  >
>

/** The whole of an area in the contract; `shapes` are named so in the OpenAPI document. */
export const area = <
  const D extends AreaDescription,
  const R extends RoutesOf<D>,
  const S extends Readonly<Record<string, z.ZodType>>,
>(
  description: D,
  parts: { readonly routes: R; readonly shapes: S },
): D & { readonly routes: R; readonly shapes: S } => ({ ...description, ...parts })
