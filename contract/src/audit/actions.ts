/** The closed list of what is written to the audit, from all areas. */
import { type AreaDescriptions, descriptions } from '../index.ts'

const commonActions = ['setting.change'] as const
export type CommonAuditAction = (typeof commonActions)[number]

type ActionsOf<D> = D extends { readonly audit: readonly (infer A extends string)[] } ? A : never
export type AuditAction = CommonAuditAction | ActionsOf<AreaDescriptions>

export const auditActions: readonly AuditAction[] = [
  ...(descriptions.flatMap(({ audit = [] }) => audit) as AuditAction[]),
  ...commonActions,
]
