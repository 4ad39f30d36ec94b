import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes } from '@atrium/contract/channels'
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
    // What was missed in a channel is counted then, and the reason told.
    const ben = await app.signUpUser('ben')
    const { id: channelId } = await ben.call(channelsRoutes.direct, { body: { userIds: [principalId] } })
    await ben.call(channelsRoutes.post, { params: { channelId }, body: { content: 'Hello' } })
    const missed = await admin.call(channelsRoutes.catchUp, { params: { channelId }, body: {} })
    expect(missed).toMatchObject({ model: null, failure: 'over_budget', messageCount: 1 })
  } finally {
    await app.close()
    await provider.close()
  }
})
