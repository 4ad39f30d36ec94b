import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { usageRoutes } from '@atrium/contract/usage'
import { expect, test } from 'vitest'
import { startProvider } from '../../../e2e/provider/provider.ts'
import { startTestApp } from '../testing/app.ts'
import { local } from '../testing/chats.ts'

test('a question that the budget does not cover is refused as that, and as no fault of the provider', async () => {
  const provider = await startProvider()
  provider.control({ reset: true, models: ['echo'] })
  const app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
  try {
    const admin = await app.signUpAdmin()
    const { id: principalId } = await admin.call(accountsRoutes.me, {})
    await admin.call(usageRoutes.addBudget, {
      body: {
        name: 'Nearly nothing',
        principalType: 'account',
        principalId,
        unit: 'tokens',
        amount: '1',
        period: 'monthly',
        mode: 'block',
      },
    })
    const { id: sessionId } = await admin.call(chatRoutes.create, { body: { selection: local('echo') } })
    const refusal = await admin.refusal(chatRoutes.generate, { params: { sessionId }, body: { message: 'Hello' } })
    expect(refusal).toMatchObject({ status: 429, code: 'over_budget' })
  } finally {
    await app.close()
    await provider.close()
  }
})
