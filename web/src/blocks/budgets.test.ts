import type { OwnBudget } from '@atrium/contract/usage'
import { expect, test } from 'vitest'
import { blockingBudget, resetDay, strictestBudget } from './budgets.ts'

const budget = (over: Partial<OwnBudget>): OwnBudget => ({
  id: 'b',
  name: 'b',
  principalType: 'account',
  unit: 'tokens',
  period: 'daily',
  mode: 'block',
  state: 'normal',
  amount: '100',
  spent: '0',
  remaining: '100',
  periodStart: '2026-11-20T00:00:00.000Z',
  resetsAt: '2026-11-21T00:00:00.000Z',
  ...over,
})
const remote = { providerType: 'plugin', providerId: 'openai', model: 'o3' } as const
const local = { providerType: 'local', providerId: null, model: 'llama3' } as const

test('the strictest budget has the least left of what it had, and those that only watch are not shown', () => {
  const tight = budget({ id: 'tight', remaining: '10' })
  const watching = budget({ id: 'watching', mode: 'observe', remaining: '0' })
  const shared = budget({ id: 'shared', state: 'warned', amount: null, remaining: null })
  expect(strictestBudget([budget({}), shared, watching])?.id).toBe('shared')
  expect(strictestBudget([budget({}), shared, watching, tight])?.id).toBe('tight')
  expect(strictestBudget([watching])).toBeNull()
})

test('only a used up budget that blocks stops a question, and one of money no free model', () => {
  const over = budget({ state: 'exceeded', remaining: '0' })
  expect(blockingBudget([budget({ state: 'warned' }), over], remote)).toBe(over)
  expect(blockingBudget([{ ...over, mode: 'warn' }], remote)).toBeNull()
  expect(blockingBudget([{ ...over, principalType: 'token' }], remote)).toBeNull()
  expect(blockingBudget([{ ...over, unit: 'money' }], local)).toBeNull()
  expect(blockingBudget([over], local)).toBe(over)
  expect(blockingBudget([over], null)).toBeNull()
})

test('a near day is told by its name, a far one by its date too', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(resetDay({ resetsAt: '2026-11-23T12:00:00.000Z' }, now)).toBe('Monday')
  expect(resetDay({ resetsAt: '2026-12-01T12:00:00.000Z' }, now)).toContain('December')
})
