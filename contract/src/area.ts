/** An area is a value: its description (`description.ts`), with its routes and shapes. */
import type { z } from 'zod'
import type { CommonAuditAction } from './audit/actions.ts'
import type { AreaDescription } from './description.ts'
import type { CommonErrorCode } from './errors.ts'
import type { Route } from './route.ts'

export type { AreaDescription } from './description.ts'

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
