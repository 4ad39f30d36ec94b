import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { type BudgetInput, usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { usualDialects } from '../testing/databases.ts'

describe.each(usualDialects)('what an owner lets a token spend (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    admin = await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  const make = (client: Client, budget: { amount: string; period: 'daily' | 'weekly' | 'monthly' } | null) =>
    client.call(apiTokensRoutes.createToken, { body: { name: 'Editor', scopes: ['inference'], budget } })
  const shown = async (client: Client) =>
    (await client.call(apiTokensRoutes.tokens, { query: {} })).items.map(({ budget }) => budget)
  const budgets = async () => (await admin.call(usageRoutes.budgets, {})).items

  test('is given when it is made, changed and taken away, and seen by its owner and by administrators', async () => {
    const ben = await app.signUpUser(`ben-${dialect}`)
    const { id: accountId } = await ben.call(accountsRoutes.me, {})
    const { record } = await make(ben, { amount: '2.50', period: 'monthly' })
    expect(record.budget).toEqual({ amount: '2.5', period: 'monthly' })
    expect(await shown(ben)).toEqual([record.budget])
    const { items } = await admin.call(userAdministrationRoutes.tokens, { params: { id: accountId }, query: {} })
    expect(items[0]?.budget).toEqual(record.budget)
    expect(await budgets()).toMatchObject([{ principalType: 'token', principalName: 'Editor', mode: 'block' }])
    // The name of a token is its owner's; budgets are kept in the open.
    expect((await budgets())[0]?.name).toBe(`Token ${record.tokenPrefix}…`)

    const params = { id: record.id }
    const renamed = await ben.call(apiTokensRoutes.updateToken, { params, body: { name: 'Other' } })
    expect(renamed.budget).toEqual(record.budget)
    const lower = { amount: '1', period: 'daily' } as const
    expect(await ben.call(apiTokensRoutes.updateToken, { params, body: { budget: lower } })).toMatchObject({
      budget: lower,
    })
    expect(await ben.call(apiTokensRoutes.updateToken, { params, body: { budget: null } })).toMatchObject({
      budget: null,
    })
    expect(await budgets()).toEqual([])
    await ben.call(apiTokensRoutes.updateToken, { params, body: { budget: lower } })
    await ben.call(apiTokensRoutes.revokeToken, { params })
    expect(await budgets()).toEqual([])
    const nothing = { name: 'x', scopes: ['inference' as const], budget: { amount: '0.0', period: 'daily' as const } }
    expect(await ben.refusal(apiTokensRoutes.createToken, { body: nothing })).toMatchObject({ status: 400 })
  })

  test('never loosens what an administrator set for it', async () => {
    const cem = await app.signUpUser(`cem-${dialect}`)
    const { record } = await make(cem, { amount: '5', period: 'monthly' })
    const [own] = await budgets()
    const input: BudgetInput = {
      name: 'Held back',
      principalType: 'token',
      principalId: record.id,
      unit: 'money',
      amount: '1',
      period: 'monthly',
      mode: 'block',
    }
    // One that an administrator changes is the administrator's from then on.
    await admin.call(usageRoutes.changeBudget, { params: { id: own?.id ?? '' }, body: input })
    expect(await shown(cem)).toEqual([null])
    const budget = { amount: '100', period: 'monthly' } as const
    await cem.call(apiTokensRoutes.updateToken, { params: { id: record.id }, body: { budget } })
    expect((await budgets()).map(({ name, amount }) => [name, amount])).toEqual([
      ['Held back', '1'],
      [`Token ${record.tokenPrefix}…`, '100'],
    ])
    const { items } = await cem.call(usageRoutes.myBudgets, {})
    expect(items.map(({ amount }) => amount)).toEqual(['1', '100'])
    await cem.call(apiTokensRoutes.updateToken, { params: { id: record.id }, body: { budget: null } })
    expect((await budgets()).map(({ name }) => name)).toEqual(['Held back'])
  })
})
