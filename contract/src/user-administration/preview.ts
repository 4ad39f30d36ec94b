/** What an account can use, as administrators see it: without its content, and without acting as it. */
import { z } from 'zod'
import { FeatureDecision } from '../access/features.ts'
import { Currency, Id, Selection } from '../common.ts'
import { routes } from '../route.ts'
import { OwnBudget } from '../usage/index.ts'

export const AccountPreview = z.strictObject({
  /** What of the instance it may use, and why. */
  features: z.array(FeatureDecision),
  /** What its model picker shows: the connections, and the models of each. */
  connections: z.array(
    z.strictObject({
      id: Id.nullable(),
      type: Selection.shape.providerType,
      name: z.string(),
      models: z.array(z.strictObject({ model: z.string(), name: z.string() })),
    }),
  ),
  /** The model that its new chats start with, where it or an administrator chose one; null: nobody did. */
  firstModel: z.string().nullable(),
  currency: Currency,
  /** The budgets that its calls count towards. */
  budgets: z.array(OwnBudget),
  storage: z.strictObject({
    usedBytes: z.number().int(),
    /** 0: no limit. */
    quotaBytes: z.number().int(),
  }),
})
export type AccountPreview = z.infer<typeof AccountPreview>

export const previewRoutes = routes({
  preview: {
    method: 'get',
    path: '/api/users/{id}/preview',
    access: 'admin',
    names: 'instance',
    audit: 'user.preview',
    summary:
      'Get what an account can use: features and why, the models in its picker, its budgets and storage. Shows no content',
    params: z.strictObject({ id: Id }),
    returns: AccountPreview,
    errors: ['user_not_found'],
  },
})
