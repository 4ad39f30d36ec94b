/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

export const usageDescription = describeArea({
  name: 'usage',
  tag: 'usage',
  errors: {
    tariff_not_found: [404, 'Price not found.'],
    budget_not_found: [404, 'Budget not found.'],
    budget_limit: [409, 'You can have at most 200 budgets.'],
    tariff_limit: [409, 'You can have at most 500 prices.'],
    currency_in_use: [409, 'Prices or budgets already use the current currency.'],
  },
  scopes: ['read', 'write'],
  notifications: {
    /** Four fifths of an own budget are spent, or all of it; `blocks`: calls are refused then until it begins anew. */
    budget: z.strictObject({
      budgetId: z.string(),
      name: Words,
      state: z.enum(['warned', 'exceeded']),
      blocks: z.boolean(),
      resetsAt: z.iso.datetime(),
    }),
  },
})
