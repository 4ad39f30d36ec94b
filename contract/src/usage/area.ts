/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const usageDescription = describeArea({
  name: 'usage',
  tag: 'usage',
  errors: {
    budget_not_found: [404, 'There is no such budget.'],
    budget_limit: [409, 'There can be 200 budgets at most.'],
    tariff_limit: [409, 'There can be 500 prices at most.'],
    currency_in_use: [409, 'Prices or budgets are entered in this currency already.'],
  },
  scopes: ['read', 'write'],
})
