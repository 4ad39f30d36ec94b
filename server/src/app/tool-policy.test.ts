/** Who decides about calls: administrators, the person and the chat; and what is told of calls afterwards. */
import { toolsRoutes as routes } from '@atrium/contract/tools'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import { newChat, say } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'

describe('who decides about calls', () => {
  let provider: Provider
  let app: TestApp
  let admin: Client
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  test('administrators set how many rounds an answer has, from 1 to 50', async () => {
    expect(await admin.call(routes.access, {})).toMatchObject({ maxRounds: 8, maxRoundsLockedByEnv: false })
    for (const maxRounds of [0, 51, 1.5])
      expect((await admin.refusal(routes.updateAccess, { body: { maxRounds } })).code).toBe('validation_failed')
    await admin.call(routes.updateAccess, { body: { maxRounds: 2 } })
    const { id } = await newChat(ann)
    const sum = '<<calculate {"expression":"1 + 1"}>>'
    // The second round is the last one, and has no tools.
    expect((await say(ann, id, `${sum} then ${sum} then ${sum}`)).toolCalls).toHaveLength(1)
    expect(await admin.call(routes.updateAccess, { body: { maxRounds: 50 } })).toMatchObject({
      mode: 'all-users',
      maxRounds: 50,
    })
  })
})
